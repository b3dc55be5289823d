import { z } from 'zod';
import type { Signatures } from '../storage/signatures.ts';

type Position = readonly (string | number)[];

/** The purpose of the signatures. */
const PURPOSE = 'cursor';

/** The cursors of the pages of lists. They are signed, so the service takes only those of its own answers. */
export class Cursors {
  readonly #signatures: Signatures;

  constructor(signatures: Signatures) {
    this.#signatures = signatures;
  }

  /** Returns a text without a meaning for clients. `scope` names the list, such as `lab tests`: no other list takes the cursor. */
  of(scope: string, position: Position): string {
    const text = Buffer.from(JSON.stringify(position)).toString('base64url');
    return `${text}.${this.#signatures.of(PURPOSE, signed(scope, text))}`;
  }

  /** A cursor of an earlier answer. `form` is the form of its position. Refuses texts that {@link Cursors.of} does not return. */
  schema<Own extends Position>(scope: string, form: z.ZodType<Own>) {
    return z.string().transform((cursor, context): Own => {
      const [text = '', signature = '', ...more] = cursor.split('.');
      const isOwn = more.length === 0 && this.#signatures.isRight(PURPOSE, signed(scope, text), signature);
      // Another version of the service may have signed a position of another form.
      const position = isOwn ? form.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())) : undefined;
      if (position?.success) return position.data;
      context.addIssue({ code: 'custom', message: 'not a cursor of an earlier answer' });
      return z.NEVER;
    });
  }
}

const signed = (scope: string, text: string): string => JSON.stringify([scope, text]);

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
