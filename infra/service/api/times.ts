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
    new Intl.DateTimeFormat('en', { timeZone: id });
    // Offsets such as +01:00 are accepted by JavaScript, but are no identifiers.
    return /^[A-Za-z]/.test(id);
  } catch {
    return false;
  }
}
