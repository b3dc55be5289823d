import { z } from 'zod';
import { isBetween } from '../../api/times.ts';

/** Any UUID. Some ids of providers have no valid version, so their version is not checked. */
export const idSchema = z.guid();

/** A text that usually is one of the known values. The service may add values, so every text is accepted. */
export function oneOf(...known: readonly string[]): z.ZodString {
  return z.string().describe(`Known values: ${known.join(', ')}. There may be others.`);
}

/** A number that may be missing or null. The description is the unit, or begins with it. */
export function amount(unit: string) {
  return z.number().nullish().describe(unit);
}

/** A whole number that may be missing or null. The description is the unit, or begins with it. */
export function wholeAmount(unit: string) {
  return z.int().nullish().describe(unit);
}

/** An instant of data. Its local date has a year of four digits, too. */
export const momentSchema = z.iso
  .datetime({ offset: true })
  .refine(
    isBetween(Date.parse('1000-01-03T00:00:00Z'), Date.parse('9999-12-29T00:00:00Z')),
    'not an instant of the years 1000 to 9999',
  );

/** No time zone is a day away from UTC. */
const DAY_S = 86_400;

export const offsetSchema = z
  .int()
  .min(-DAY_S)
  .max(DAY_S)
  .nullish()
  .describe('Seconds east of UTC. Null if the source has no time zone.');

/** The service passes on what providers send, so this is not checked against the time zone database. */
export const zoneNameSchema = z.string().nullish().describe('Identifier of the IANA time zone database.');
