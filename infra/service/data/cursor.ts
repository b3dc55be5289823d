import { z } from 'zod';

/** Returns a text without a meaning for clients, from which {@link cursorSchema} gets the position back. */
export function cursorOf(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** A cursor of an earlier answer. `position` is the form of what it holds. */
export function cursorSchema<Position>(position: z.ZodType<Position>) {
  return z.string().transform((text, context): Position => {
    try {
      return position.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    } catch {
      context.addIssue({ code: 'custom', message: 'not a cursor of an earlier answer' });
      return z.NEVER;
    }
  });
}
