import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';

/** Things on a page, unless the operation lets the request choose. */
export const PAGE = 50;

interface Numbered {
  readonly number: number;
}

/** The pages of a list, whose cursors hold the number of the last thing of the page before. */
export class Pages {
  /** The parameter of the cursor. It becomes the number; 0 for the first page. */
  readonly parameter;
  readonly #cursors: Cursors;
  readonly #scope: string;

  /** `scope` names the list, see {@link Cursors.of}. */
  constructor(cursors: Cursors, scope: string) {
    this.#cursors = cursors;
    this.#scope = scope;
    this.parameter = cursors
      .schema<[number: number]>(scope, z.tuple([z.int()]))
      .nullish()
      .transform((position) => position?.[0] ?? 0);
  }

  /** Returns a page, and the cursor of the next one. `found` has one more than `limit` if there is a next page. */
  of<Row extends Numbered>(
    found: readonly Row[],
    limit = PAGE,
  ): { readonly page: readonly Row[]; readonly next_cursor: string | null } {
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      page,
      next_cursor: found.length > limit && last !== undefined ? this.#cursors.of(this.#scope, [last.number]) : null,
    };
  }
}
