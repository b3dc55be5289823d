import { z } from 'zod';

// Schemas for the service's objects. They require only the ids and keep unknown fields, because half of the examples that
// the service publishes violate its own schema. A field with an unexpected form counts as absent, but the raw body of the
// answer still contains it.

/** A string, or null if absent or of a different type. */
export const text = z.string().nullable().catch(null).default(null);

/** A number, or null if absent or of a different type. */
export const number = z.number().nullable().catch(null).default(null);

/** An id: a non-empty string. */
export const id = z.string().min(1);

/** Any object, with all its fields. */
export const anyObject = z.record(z.string(), z.unknown());

/** The elements of a list. Elements that do not match the shape are kept unchanged, so that no element is lost silently. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly unidentified: readonly unknown[];
  /** Length of `unidentified`. */
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
