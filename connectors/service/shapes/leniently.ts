import { z } from 'zod';

/**
 * The service's objects as it sends them. Only what identity needs is demanded; members that nobody knows are kept, and
 * one of another form than expected counts as absent (the answer's bytes still have it): half of the service's own
 * examples break its own schema.
 */

/** A text, or null where there is none. */
export const text = z.string().nullable().catch(null).default(null);

/** A number, or null where there is none. */
export const number = z.number().nullable().catch(null).default(null);

/** An id: text with something in it. */
export const id = z.string().min(1);

/** Any object, members and all. */
export const anyObject = z.record(z.string(), z.unknown());

/** The elements of a list that are of the shape, and how many are not: those are told, never dropped in silence. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly misshapen: number;
}

export function listed<T extends z.ZodType>(shape: T, value: unknown): Listed<z.output<T>> | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.flatMap((one: unknown) => {
    const parsed = shape.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
  return { items, misshapen: value.length - items.length };
}
