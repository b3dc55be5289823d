import type { z } from 'zod';
import { isCurrent, SINCE } from './changes.ts';

/** The parts of a Zod schema that contain other schemas. */
interface Parts {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}

/** Removes the members of a value that later changes added to its schema. `at` is the date of the interface, in ms since 1970. */
export function withoutLater(schema: z.ZodType, value: unknown, at: number): unknown {
  return isCurrent(at) ? value : stripped(schema, value, at);
}

function stripped(schema: z.ZodType, value: unknown, at: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { shape, element, options = [], innerType, in: input, out } = schema.def as Parts;
  if (element !== undefined && Array.isArray(value)) return value.map((one) => stripped(element, one, at));
  if (shape !== undefined)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const form = Object.hasOwn(shape, name) ? shape[name] : undefined;
        if (form === undefined) return [[name, member]];
        return isLater(form, at) ? [] : [[name, stripped(form, member, at)]];
      }),
    );
  const inside = [...options, innerType, input, out].filter((one) => one !== undefined);
  return inside.reduce((rest, one) => stripped(one, rest, at), value as unknown);
}

function isLater(schema: z.ZodType, at: number): boolean {
  const since = schema.meta()?.[SINCE];
  return typeof since === 'string' && at < Date.parse(since);
}
