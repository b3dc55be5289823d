import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads the service's events and answers from catalogue.json, which extract.ts writes from the OpenAPI files. catalogue.json
 * is independent of our declarations, so the tests compare our tables with the service itself.
 *
 * The notation of a field is `[deprecated] [optional] <type>`. A type is a scalar, a constant (`= "kcal"`), the name of a shape
 * or enumeration, `list of …`, `map of … [by <enumeration of its keys>]`, or alternatives such as `date | null`. Alternatives
 * inside a list or map are in parentheses.
 */
export interface CatalogueFile {
  /** Version of the service's OpenAPI file. */
  readonly version: string;
  /** Version of the OpenAPI file of the management API. */
  readonly managementVersion: string;
  /** All operations, such as `GET /v2/user`. */
  readonly operations: readonly string[];
  /** The type of each answer, by operation (such as `GET /v2/user`) and status. `nothing` stands for an answer without JSON. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly envelopes: readonly EnvelopeFacts[];
  readonly shapes: Readonly<Record<string, ShapeFacts>>;
  readonly enumerations: Readonly<Record<string, readonly (string | number)[]>>;
}

/** The fields of a body other than `event_type` and `data`, and the type of `data` by event type. */
export interface EnvelopeFacts {
  readonly fields: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
}

/** An object with its fields, or a tuple with the type of each member. */
export type ShapeFacts = { readonly fields: Readonly<Record<string, string>> } | { readonly members: readonly string[] };

export type Type =
  | { readonly kind: 'scalar'; readonly scalar: Scalar }
  | { readonly kind: 'constant'; readonly value: string | number | boolean }
  | { readonly kind: 'enumeration'; readonly values: readonly (string | number)[] }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'tuple'; readonly members: readonly Alternatives[] }
  | { readonly kind: 'list'; readonly items: Alternatives }
  | { readonly kind: 'map'; readonly values: Alternatives; readonly keys?: readonly string[] };

export type Scalar = 'text' | 'uuid' | 'date' | 'instant' | 'integer' | 'number' | 'boolean' | 'any';

/** The types that a value may have, and whether it may be null. */
export interface Alternatives {
  readonly types: readonly Type[];
  readonly nullable: boolean;
}

export interface Field extends Alternatives {
  readonly name: string;
  readonly optional: boolean;
  readonly deprecated: boolean;
}

/** An event as the service describes it. The fields are all members of the event's body except `event_type`. */
export interface EventFacts {
  readonly type: string;
  readonly fields: readonly Field[];
}

const file = JSON.parse(readFileSync(join(import.meta.dirname, 'catalogue.json'), 'utf8')) as CatalogueFile;
const scalars = new Set<string>(['text', 'uuid', 'date', 'instant', 'integer', 'number', 'boolean', 'any'] satisfies Scalar[]);

function typeOf(text: string): Type {
  if (text.startsWith('= ')) return { kind: 'constant', value: JSON.parse(text.slice(2)) as string | number | boolean };
  if (text.startsWith('list of ')) return { kind: 'list', items: alternatives(text.slice('list of '.length)) };
  if (text.startsWith('map of ')) {
    // The last keys are those of the outermost map.
    const [, values, keys] = /^map of (.*?)(?: by ((?:(?! by ).)+))?$/.exec(text)!;
    const names = keys === undefined ? undefined : keysOf(typeOf(keys));
    return { kind: 'map', values: alternatives(values!), keys: names };
  }
  if (scalars.has(text)) return { kind: 'scalar', scalar: text as Scalar };
  const values = file.enumerations[text];
  if (values !== undefined) return { kind: 'enumeration', values };
  const shape = file.shapes[text];
  if (shape === undefined) throw new Error(`the catalogue has no ${text}`);
  if ('members' in shape) return { kind: 'tuple', members: shape.members.map(alternatives) };
  return { kind: 'object', fields: fieldsOf(shape.fields) };
}

const keysOf = (type: Type): readonly string[] =>
  (type.kind === 'enumeration' ? type.values : [(type as Type & { readonly kind: 'constant' }).value]).map(String);

/** Parses alternatives in the catalogue's notation. */
function alternatives(text: string): Alternatives {
  const names = (/^\((.*)\)$/.exec(text)?.[1] ?? text).split(/ \| (?![^(]*\))/);
  return { types: names.filter((name) => name !== 'null').map(typeOf), nullable: names.includes('null') };
}

/** Parses fields in the catalogue's notation. */
export function fieldsOf(fields: Readonly<Record<string, string>>): Field[] {
  return Object.entries(fields).map(([name, text]) => {
    const [, deprecated, optional, type] = /^(deprecated )?(optional )?(.*)$/.exec(text)!;
    return { name, ...alternatives(type!), deprecated: deprecated !== undefined, optional: optional !== undefined };
  });
}

export const describedEvents: readonly EventFacts[] = file.envelopes.flatMap(({ fields, data }) =>
  Object.entries(data).map(([type, text]) => ({ type, fields: fieldsOf({ ...fields, data: text }) })),
);

/** The operations that the service describes, such as `GET /v2/user`. */
export const describedOperations = file.operations;

/** Answers as the service describes them, by operation (such as `GET /v2/user`) and status; undefined for one without JSON. */
export const describedAnswers: ReadonlyMap<string, ReadonlyMap<number, Alternatives | undefined>> = new Map(
  Object.entries(file.answers).map(([operation, answers]) => [
    operation,
    new Map(
      Object.entries(answers).map(([status, text]) => [Number(status), text === 'nothing' ? undefined : alternatives(text)]),
    ),
  ]),
);
