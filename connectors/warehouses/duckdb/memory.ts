import * as z from 'zod';

/**
 * Minimum memory of DuckDB in megabytes. On two threads, the largest merge fails with 128 MB and succeeds with 144 MB. On four
 * to sixteen threads, it succeeds with 160 MB, the lowest value that was tested.
 */
export const LEAST_MEMORY = 192;

const AMOUNT = /^(\d+) ?(MB|GB|MiB|GiB)$/;

const bytes: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Converts a memory size such as 512MB to bytes. Returns NaN if the string is not a memory size. */
function bytesOf(text: string): number {
  const [, number, unit] = AMOUNT.exec(text) ?? [];
  return Number(number) * (bytes[unit!] ?? Number.NaN);
}

const description = `DuckDB’s memory limit, such as 512MB. Merges need at least ${LEAST_MEMORY}MB.`;

export const memory = z
  .string()
  .regex(AMOUNT)
  // Accepts NaN, because the pattern above already rejects a string that is not a memory size.
  .refine((text) => !(bytesOf(text) < LEAST_MEMORY * bytes.MB!), {
    error: `this is less than ${LEAST_MEMORY}MB`,
    params: { hint: description },
  })
  .default('256MB')
  .describe(description);
