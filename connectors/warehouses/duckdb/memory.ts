import * as z from 'zod';

/**
 * Minimum of DuckDB's memory in megabytes. On two threads the largest merge fails with 128 and passes with 144. On four to
 * sixteen threads it passes with 160, the least that was tried.
 */
export const LEAST_MEMORY = 192;

const AMOUNT = /^(\d+) ?(MB|GB|MiB|GiB)$/;

const bytes: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Parses an amount such as 512MB into bytes; NaN if it is not one. */
function bytesOf(text: string): number {
  const [, number, unit] = AMOUNT.exec(text) ?? [];
  return Number(number) * (bytes[unit!] ?? Number.NaN);
}

const description = `DuckDB’s memory limit, such as 512MB. Merges need at least ${LEAST_MEMORY}MB.`;

export const memory = z
  .string()
  .regex(AMOUNT)
  // The pattern above already refuses a text that is not an amount.
  .refine((text) => !(bytesOf(text) < LEAST_MEMORY * bytes.MB!), {
    error: `this is less than ${LEAST_MEMORY}MB`,
    params: { hint: description },
  })
  .default('256MB')
  .describe(description);
