import { type AvroRecord, type AvroType, type FieldDeclaration, isRecord, itemsOf } from '../streams/declaration.ts';
import { GREATEST_LONG, LEAST_LONG, parseDate, parseInstant } from './instant.ts';
import { jsonText, unkeepable } from './json-text.ts';
import type { RefusedPart } from './verdict.ts';

/**
 * Reading an object's members into the fields of a declaration.
 *
 * A plan is compiled once from the `source` paths of a declaration: which members are known, and how the value of each
 * becomes the field's type. A value that does not fit leaves its field null and is kept, as sent, in `extra`; so is every
 * member that the plan does not know.
 */

export type JsonObject = { readonly [name: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Turns a member's value into the field's type; undefined where it does not fit. Never called with null or undefined. */
type Fit = (value: unknown) => string | number | boolean | undefined;

const fits = {
  // A text with half a surrogate pair is no Unicode: Avro and the warehouses would each write something else. It stays in extra, escaped.
  string: (value: unknown) => (typeof value === 'string' && value.isWellFormed() ? value : undefined),
  boolean: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
  int: (value: unknown) => (typeof value === 'number' && value === (value | 0) ? value : undefined),
  long: (value: unknown) =>
    Number.isSafeInteger(value) && (value as number) >= LEAST_LONG && (value as number) <= GREATEST_LONG
      ? (value as number)
      : undefined,
  double: (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  json: (value: unknown) => (unkeepable(value) === undefined ? jsonText(value) : undefined),
  date: (value: unknown) => (typeof value === 'string' ? parseDate(value) : undefined),
  instant: (value: unknown) => {
    const micros = typeof value === 'string' ? parseInstant(value) : Number.NaN;
    return Number.isNaN(micros) ? undefined : micros;
  },
} satisfies Record<string, Fit>;

function fitOf(type: AvroType, json: boolean): Fit {
  if (Array.isArray(type)) return fitOf(type.find((branch) => branch !== 'null')!, json);
  if (typeof type === 'string') return json ? fits.json : fits[type as 'string' | 'boolean' | 'int' | 'long' | 'double'];
  const complex = type as Exclude<AvroType, string | readonly AvroType[]>;
  return 'logicalType' in complex && complex.logicalType === 'date' ? fits.date : fits.instant;
}

/** What becomes of a member: a field's value, a value whose unit stands beside it, a list of values, a list of objects, members of its own, or nothing, since somebody else reads it. */
type Node =
  | { readonly kind: 'value'; readonly field: string; readonly fit: Fit }
  | { readonly kind: 'quantity'; readonly field: string; readonly fit: Fit; readonly unit: string; readonly unitMember: string }
  | { readonly kind: 'values'; readonly field: string; readonly fit: Fit }
  | { readonly kind: 'objects'; readonly field: string; readonly plan: Plan }
  | { readonly kind: 'branch'; readonly members: Members }
  | { readonly kind: 'elsewhere' };

/** Who sends an object sends its members in the same order each time: what came at a place before is looked at first. */
interface Members {
  readonly nodes: Map<string, Node>;
  /** By place: the known member that came there last, and what becomes of it. */
  readonly lastNames: (string | undefined)[];
  readonly lastNodes: (Node | undefined)[];
}

/** Places that are remembered: a table of members may be sent as one object of millions. */
const PLACES = 128;

const membersOf = (nodes: Map<string, Node>): Members => ({
  nodes,
  lastNames: new Array<string | undefined>(PLACES).fill(undefined),
  lastNodes: new Array<Node | undefined>(PLACES).fill(undefined),
});

function nodeAt({ nodes, lastNames, lastNodes }: Members, place: number, member: string): Node | undefined {
  if (place >= PLACES) return nodes.get(member);
  if (lastNames[place] === member) return lastNodes[place];
  const node = nodes.get(member);
  // An unknown name is not kept: it may be a value itself.
  if (node !== undefined) {
    lastNames[place] = member;
    lastNodes[place] = node;
  }
  return node;
}

/**
 * Fields before anything was read: null, or an empty list. One that is never null (a provider, an id) is null all the
 * same, so that a record without it does not pass for a whole one: the reader has to give it.
 */
export type Blank<Fields> = {
  [F in keyof Fields]: null extends Fields[F] ? Fields[F] : Fields[F] extends readonly unknown[] ? Fields[F] : null;
};

/** How objects of one form are read. `Fields` are those that the plan fills, with their types in the record. */
export interface Plan<Fields extends object = Record<string, unknown>> {
  /**
   * Every field of the declaration without a value. A spread of it is a new record, always of the same hidden class. It
   * has all fields; its type has those of the plan, so that the compiler asks the reader for the others.
   */
  readonly empty: Readonly<Blank<Fields>>;
  readonly members: Members;
}

/** What reading one object gathers beside its fields. */
export interface Leftovers {
  /** Unknown members and values that do not fit, by path. */
  extra: Record<string, unknown> | undefined;
  refused: RefusedPart[];
}

const noElements: readonly never[] = Object.freeze([]);

function nodeOf(field: FieldDeclaration & { readonly source: string }): Node {
  const { name, json = false, unit = '', unitMember } = field;
  const items = itemsOf(field.type);
  if (items === undefined) {
    const fit = fitOf(field.type, json);
    return unitMember === undefined
      ? { kind: 'value', field: name, fit }
      : { kind: 'quantity', field: name, fit, unit, unitMember };
  }
  if (isRecord(items)) return { kind: 'objects', field: name, plan: planOf(items, `${field.source}[*]`) };
  return { kind: 'values', field: name, fit: fitOf(items, json) };
}

/**
 * Compiles the plan of the fields whose source lies under `prefix` (such as `$.data`), apart from those named in `except`.
 * Members named in `elsewhere` have another reader, so they do not count as unknown.
 */
export function planOf<Fields extends object = Record<string, unknown>>(
  record: AvroRecord,
  prefix: string,
  except: readonly string[] = [],
  elsewhere: readonly string[] = [],
): Plan<Fields> {
  const members = membersOf(new Map(elsewhere.map((member) => [member, { kind: 'elsewhere' }])));
  for (const field of record.fields) {
    const { source } = field;
    if (typeof source !== 'string' || !source.startsWith(`${prefix}.`)) continue;
    if (field.per !== undefined || except.includes(field.name)) continue;
    const path = source.slice(prefix.length + 1).split('.');
    const last = path.pop()!;
    let below = members;
    for (const member of path) {
      const branch = below.nodes.get(member) ?? { kind: 'branch', members: membersOf(new Map()) };
      if (branch.kind !== 'branch') throw new Error(`${record.name}: ${member} has a field of its own, and fields below it`);
      below.nodes.set(member, branch);
      below = branch.members;
    }
    if (below.nodes.has(last)) throw new Error(`${record.name}: two fields are read from ${source}`);
    below.nodes.set(last, nodeOf({ ...field, source }));
  }
  const empty = Object.fromEntries(
    record.fields.map((field) => [field.name, itemsOf(field.type) === undefined ? null : noElements]),
  );
  // The declaration is read at run time: that it makes the fields of this type is what the generator sees to.
  return { empty: empty as Blank<Fields>, members };
}

/** Keeps a value in `extra`; false where it cannot be kept unchanged. Then it is a refused part, so that the whole delivery is in its dead letter. */
export function keep(leftovers: Leftovers, path: string, value: unknown): boolean {
  const reason = unkeepable(value);
  if (reason !== undefined) {
    // The name of an unknown member may be a value itself.
    leftovers.refused.push({ reason, place: path.startsWith('data.') ? 'data' : '' });
    return false;
  }
  leftovers.extra ??= {};
  // A member may be called __proto__: defined, not assigned.
  Object.defineProperty(leftovers.extra, path, { value, enumerable: true, configurable: true, writable: true });
  return true;
}

function misfit(leftovers: Leftovers, place: string, value: unknown): void {
  if (keep(leftovers, place, value)) leftovers.refused.push({ reason: 'value_does_not_fit', place });
}

/** A list of values is taken whole or not at all: parallel lists must not shift against each other. */
function readValues(fit: Fit, list: unknown): unknown[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const values = new Array<unknown>(list.length);
  for (let index = 0; index < list.length; index++) {
    const element: unknown = list[index];
    const value = element === null ? undefined : fit(element);
    if (value === undefined) return undefined;
    values[index] = value;
  }
  return values;
}

/** A list with an element that is no object is not taken; within an object, each member stands for itself. */
function readObjects(plan: Plan, list: unknown, path: string, leftovers: Leftovers): unknown[] | undefined {
  if (!Array.isArray(list) || !list.every(isObject)) return undefined;
  return list.map((element: JsonObject, index) => {
    const target = { ...plan.empty };
    readFields(plan, element, target, { path: `${path}[${index}]`, leftovers });
    return target;
  });
}

interface ReadObject {
  /** The place of the object in the body, such as `data`. */
  readonly path: string;
  /** Gets what no field of the plan takes. */
  readonly leftovers: Leftovers;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: once for each field of every event: one pass without calls
function readMembers(
  members: Members,
  object: JsonObject,
  target: Record<string, unknown>,
  { path, leftovers }: ReadObject,
): void {
  let place = -1;
  // JSON.parse makes plain objects, so there is nothing inherited to pass over.
  for (const member in object) {
    place++;
    const value = object[member];
    if (value === null) continue;
    const node = nodeAt(members, place, member);
    if (node === undefined) {
      keep(leftovers, `${path}.${member}`, value);
      continue;
    }
    switch (node.kind) {
      case 'value': {
        const fitted = node.fit(value);
        if (fitted === undefined) misfit(leftovers, `${path}.${member}`, value);
        else target[node.field] = fitted;
        break;
      }
      case 'quantity': {
        const unit = object[node.unitMember] ?? node.unit;
        const fitted = unit === node.unit ? node.fit(value) : undefined;
        if (fitted === undefined) misfit(leftovers, `${path}.${member}`, value);
        else target[node.field] = fitted;
        break;
      }
      case 'values': {
        const values = readValues(node.fit, value);
        if (values === undefined) misfit(leftovers, `${path}.${member}`, value);
        else target[node.field] = values;
        break;
      }
      case 'objects': {
        const objects = readObjects(node.plan, value, `${path}.${member}`, leftovers);
        if (objects === undefined) misfit(leftovers, `${path}.${member}`, value);
        else target[node.field] = objects;
        break;
      }
      case 'branch':
        if (isObject(value)) readMembers(node.members, value, target, { path: `${path}.${member}`, leftovers });
        else keep(leftovers, `${path}.${member}`, value);
        break;
      case 'elsewhere':
        break;
    }
  }
}

/** Fills the plan's fields of `target`, a spread of the plan's `empty`, from `object`. */
export function readFields<Fields extends object>(
  plan: Plan<Fields>,
  object: JsonObject,
  target: NoInfer<Fields | Blank<Fields>>,
  read: ReadObject,
): void {
  readMembers(plan.members, object, target as Record<string, unknown>, read);
}

export function extraText(leftovers: Leftovers): string | null {
  return leftovers.extra === undefined ? null : jsonText(leftovers.extra);
}
