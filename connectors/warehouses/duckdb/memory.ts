import * as z from 'zod';

/**
 * Megabytes that DuckDB is given at the least. The largest merge fails with 128 on two threads and passes with 144; on
 * four to sixteen threads it was tried down to 160, and passes.
 */
export const LEAST_MEMORY = 192;

const AMOUNT = /^(\d+) ?(MB|GB|MiB|GiB)$/;

const bytes: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Bytes that a text such as 512MB says; NaN where it says something else. */
function bytesOf(text: string): number {
  const [, number, unit] = AMOUNT.exec(text) ?? [];
  return Number(number) * (bytes[unit!] ?? Number.NaN);
}

const description = `Memory that DuckDB may take, such as 512MB: not less than ${LEAST_MEMORY}MB, since a merge needs that.`;

/** How much of the machine's memory DuckDB may take: the setting, in DuckDB's own notation. */
export const memory = z
  .string()
  .regex(AMOUNT)
  // What is no amount is refused above.
  .refine((text) => !(bytesOf(text) < LEAST_MEMORY * bytes.MB!), {
    error: `this is less than ${LEAST_MEMORY}MB`,
    params: { hint: description },
  })
  .default('256MB')
  .describe(description);
