import type { z } from 'zod';
import type { Path } from './document.ts';

/** Returns the names of the fields that the schema declares at the path. */
export function keysAt(schema: z.ZodType, path: Path, value: unknown): string[] {
  return [...new Set(schemaAt(schema, path, value).flatMap((one) => Object.keys(definition(one).shape ?? {})))];
}

/** Returns the accepted values of the field at the path. For the discriminator of a union, returns those of all branches. */
export function choicesOf(schema: z.ZodType, path: Path): string[] {
  const parent = schemaAt(schema, path.slice(0, -1), undefined);
  const last = String(path.at(-1));
  return [...new Set(parent.flatMap((one) => acceptedBy(definition(one).shape?.[last])))];
}

/** Returns the description of the field at the path. If the field has a pattern, the description contains an example. */
export function descriptionAt(schema: z.ZodType, path: Path, value: unknown): string | undefined {
  const parents = schemaAt(schema, path.slice(0, -1), value);
  const descriptions = parents.map((parent) => definition(parent).shape?.[String(path.at(-1))]?.description);
  return descriptions.find((description) => description !== undefined);
}

/** Returns the default of the field at the path, if the schema declares one. */
export function defaultAt(schema: z.ZodType, path: Path, value: unknown): unknown {
  const fields = schemaAt(schema, path.slice(0, -1), value).map((parent) => definition(parent).shape?.[String(path.at(-1))]);
  return fields.map((field) => field && definition(field).defaultValue).find((found) => found !== undefined);
}

/** Returns the schemas that apply to `path`. There are several if the value does not determine the branch of a union. */
function schemaAt(schema: z.ZodType, path: Path, value: unknown): z.ZodType[] {
  let here = branches(schema, value);
  let inner = value;
  for (const part of path) {
    inner = typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[part] : undefined;
    here = here.flatMap((one) => {
      const { def } = one._zod as unknown as { def: Definition };
      const next =
        def.type === 'array'
          ? def.element
          : def.type === 'object'
            ? def.shape?.[String(part)]
            : def.type === 'record'
              ? def.valueType
              : undefined;
      return next === undefined ? [] : branches(next, inner);
    });
  }
  return here;
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly defaultValue?: unknown;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Record<string, z.ZodType>;
  readonly entries?: Record<string, string | number>;
  readonly values?: readonly unknown[];
}

const definition = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;

/** Unwraps a schema. For a union, returns the branch that the discriminator selects, or all branches if it selects none. */
function branches(schema: z.ZodType, value: unknown): z.ZodType[] {
  const def = definition(schema);
  if (def.innerType !== undefined) return branches(def.innerType, value);
  if (def.type === 'pipe' && def.in !== undefined) return branches(def.in, value);
  if (def.type === 'union' && def.options !== undefined) {
    const all = def.options.flatMap((option) => branches(option, value));
    if (def.discriminator === undefined) return all;
    const name = def.discriminator;
    const meant = all.filter((option) => acceptedBy(definition(option).shape?.[name]).includes(String(valueAt(value, [name]))));
    return meant.length > 0 ? meant : all;
  }
  return [schema];
}

function acceptedBy(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  return branches(schema, undefined).flatMap((one) => {
    const def = definition(one);
    if (def.values !== undefined) return def.values.map(String);
    return Object.values(def.entries ?? {}).map(String);
  });
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[part] : undefined,
    value,
  );
}
