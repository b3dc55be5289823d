import { z } from 'zod';

type Position = readonly (string | number)[];

/** Returns a text without a meaning for clients, from which {@link cursorSchema} gets the position back. */
export function cursorOf(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** A cursor of an earlier answer. `position` is the form of what it holds. Refuses texts that {@link cursorOf} does not return. */
export function cursorSchema<Own extends Position>(position: z.ZodType<Own>) {
  return z.string().transform((text, context): Own => {
    try {
      const found = position.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
      if (cursorOf(found) === text) return found;
    } catch {}
    context.addIssue({ code: 'custom', message: 'not a cursor of an earlier answer' });
    return z.NEVER;
  });
}
