import { z } from 'zod';

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

export const offsetSchema = z.int().nullish().describe('Seconds east of UTC. Null if the source has no time zone.');

/** The service passes on what providers send, so this is not checked against the time zone database. */
export const zoneNameSchema = z.string().nullish().describe('Identifier of the IANA time zone database.');
