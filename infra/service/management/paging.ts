import { z } from 'zod';
import { cursorOf, cursorSchema } from '../api/cursor.ts';

/** Things on a page, unless the operation lets the request choose. */
export const PAGE = 50;

/** The position of a cursor is the number of the last thing of the page before. */
export const nextCursor = cursorSchema<[number: number]>(z.tuple([z.int()]))
  .nullish()
  .transform((position) => position?.[0] ?? 0);

/** Returns a page, and the cursor of the next one. `found` has one more than `limit` if there is a next page. */
export function pageOf<Row extends { readonly number: number }>(
  found: readonly Row[],
  limit = PAGE,
): { readonly page: readonly Row[]; readonly next_cursor: string | null } {
  const page = found.slice(0, limit);
  return { page, next_cursor: found.length > limit ? cursorOf([page.at(-1)!.number]) : null };
}
