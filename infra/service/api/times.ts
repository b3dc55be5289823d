import { z } from 'zod';

/** Writes an instant as the service does: in UTC, with `+00:00`. */
export function instant(time: number): string {
  return new Date(time).toISOString().replace('Z', '+00:00');
}

export const instantSchema = z.iso.datetime({ offset: true });
/** A date, such as 2026-01-31. */
export const dateSchema = z.iso.date();

/** An identifier of the IANA time zone database. */
export const timeZoneSchema = z.string().refine(isTimeZone, 'not a time zone of the IANA database');

function isTimeZone(id: string): boolean {
  try {
    const { timeZone: known } = new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions();
    // JavaScript also accepts offsets such as +01:00 and any letter case. It resolves an alias to another name.
    return /^[A-Z]/.test(id) && (known === id || known.toLowerCase() !== id.toLowerCase());
  } catch {
    return false;
  }
}
