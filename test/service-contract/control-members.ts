import { z } from 'zod';
import { keepDefault } from '../../infra/service/openapi/openapi-document.ts';
import type { ControlOperation } from './control-recorder.ts';

/** A member of the input of a request, as a row of a table. */
export interface Member {
  /** Path of the member, such as `steps[].status`. */
  readonly name: string;
  readonly type: string;
  /** `required`, `optional`, or the default as JSON in backticks. */
  readonly need: string;
  readonly meaning: string;
}

/** The members of a JSON Schema that the tables show. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: string | boolean;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** An enumeration with more values is just a text. */
const MOST_VALUES = 30;

/** Returns the members of an operation's input, each object before its own members. Members of the path come first. */
export function membersOf({ body, path }: Pick<ControlOperation, 'body' | 'path'>): Member[] {
  if (body === undefined) return [];
  const whole = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', override: keepDefault }) as Schema;
  const inPath = (name: string): boolean => path.includes(`{${name}}`);
  const members = rows(whole, '', (ref) => whole.$defs![ref.replace('#/$defs/', '')]!);
  return members
    .map((member) => (inPath(member.name) ? { ...member, type: `${member.type}, in the path` } : member))
    .toSorted((one, other) => Number(inPath(other.name)) - Number(inPath(one.name)));
}

type Find = (ref: string) => Schema;

/** Returns the members of a schema. `prefix` is the path to the value that it describes. */
function rows(given: Schema, prefix: string, find: Find): Member[] {
  const schema = given.$ref === undefined ? given : { ...find(given.$ref), ...given };
  if (schema.items !== undefined) return rows(schema.items, `${prefix}[]`, find);
  const forms = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (forms.length > 0) return forms.flatMap((form) => rows(form, prefix, find));
  return Object.entries(schema.properties ?? {}).flatMap(([own, member]) => {
    const name = prefix === '' ? own : `${prefix}.${own}`;
    // In a union, the description of a form says what its `kind` means.
    const meaning = member.description ?? (['kind', 'on'].includes(own) ? schema.description : undefined) ?? '';
    return [{ name, type: typeOf(member), need: needOf(schema, own, member), meaning }, ...rows(member, name, find)];
  });
}

function needOf({ required = [] }: Schema, name: string, member: Schema): string {
  if (member.default !== undefined) return `\`${JSON.stringify(member.default)}\``;
  return required.includes(name) ? 'required' : 'optional';
}

const names: Readonly<Record<string, string>> = { string: 'text', uuid: 'UUID', uri: 'URL', 'date-time': 'time', null: '`null`' };

function typeOf(schema: Schema): string {
  const { type, format = '', items, enum: values } = schema;
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (values !== undefined && values.length <= MOST_VALUES) return values.map((value) => `\`${value}\``).join(', ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' or ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (type === 'array') return `list (${items === undefined ? 'anything' : typeOf(items)})`;
  const name = names[format] ?? names[type as string] ?? (type as string | undefined) ?? 'object';
  return ['integer', 'number'].includes(name) ? [name, ...boundsOf(schema)].join(', ') : name;
}

function boundsOf({ minimum, exclusiveMinimum, maximum }: Schema): string[] {
  const isBound = (bound: number | undefined): boolean => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return [
    ...(isBound(minimum) ? [`at least ${minimum}`] : []),
    ...(isBound(exclusiveMinimum) ? [`above ${exclusiveMinimum}`] : []),
    ...(isBound(maximum) ? [`at most ${maximum}`] : []),
  ];
}

/** Returns the names of all members of a value, in the form of {@link Member}. */
export function namesIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => namesIn(one, `${prefix}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([own, member]) => {
    const name = prefix === '' ? own : `${prefix}.${own}`;
    return [name, ...namesIn(member, name)];
  });
}
