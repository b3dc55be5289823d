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

/** The elements of a list that are of the shape, and those that are not: these are handed on as they were sent, never dropped in silence. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly unidentified: readonly unknown[];
  /** How many those are. */
  readonly misshapen: number;
}

export function listed<T extends z.ZodType>(shape: T, value: unknown): Listed<z.output<T>> | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: z.output<T>[] = [];
  const unidentified: unknown[] = [];
  for (const one of value as readonly unknown[]) {
    const parsed = shape.safeParse(one);
    if (parsed.success) items.push(parsed.data);
    else unidentified.push(one);
  }
  return { items, unidentified, misshapen: unidentified.length };
}
