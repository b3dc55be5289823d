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
