import { type AvroRecord, type AvroType, type FieldDeclaration, isRecord, itemsOf } from '../streams/declaration.ts';
import {
  type NestedSourcedFields,
  type SourcedFields,
  type StreamName,
  type StreamRecords,
  streamSchemas,
} from '../streams/streams.generated.ts';
import { GREATEST_LONG, LEAST_LONG, parseDate, parseInstant } from './instant.ts';
import { jsonText, pathName, unkeepable } from './json-text.ts';
import type { RefusedPart } from './read-result.ts';

/** Maximum number of indexes for which the last member is remembered. An event may contain an object with millions of members. */
const PLACES = 128;

const noElements: readonly never[] = Object.freeze([]);

/**
 * Reads the members of a JSON object into the fields of a declaration.
 *
 * A plan is compiled once from the `source` paths of a declaration. It maps each known member to its field and converts
 * the value to the field's type. If a value does not fit, its field is null and `extra` keeps the value as sent. `extra`
 * also keeps unknown members.
 */

export type JsonObject = { readonly [name: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Converts the value of a member to the type of its field. Returns undefined if the value does not fit. Never called with
 * null or undefined.
 */
type Fit = (value: unknown) => string | number | boolean | undefined;

const fits = {
  // Avro and the warehouses would each write a lone surrogate differently. Such a string goes to `extra`, with
  // the surrogate escaped.
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

/**
 * How to read one member:
 * - `value`: the value of a field
 * - `quantity`: a value whose unit is in a sibling member
 * - `values`, `objects`: a list
 * - `branch`: an object with known members
 * - `elsewhere`: a member that is read by other code
 */
type Node =
  | { readonly kind: 'value'; readonly field: string; readonly fit: Fit }
  | { readonly kind: 'quantity'; readonly field: string; readonly fit: Fit; readonly unit: string; readonly unitMember: string }
  | { readonly kind: 'values'; readonly field: string; readonly fit: Fit }
  | { readonly kind: 'objects'; readonly field: string; readonly plan: Plan }
  | { readonly kind: 'branch'; readonly members: Members }
  | { readonly kind: 'elsewhere' };

/**
 * The known members of an object. Senders keep the order of members, so a lookup first tries the member that was last
 * seen at the same index, and then the map.
 */
interface Members {
  readonly nodes: Map<string, Node>;
  /** Names of the known members that were last seen at each index. `lastNodes` contains the nodes of these members. */
  readonly lastNames: (string | undefined)[];
  readonly lastNodes: (Node | undefined)[];
}

const membersOf = (nodes: Map<string, Node>): Members => ({
  nodes,
  lastNames: new Array<string | undefined>(PLACES).fill(undefined),
  lastNodes: new Array<Node | undefined>(PLACES).fill(undefined),
});

function nodeAt({ nodes, lastNames, lastNodes }: Members, place: number, member: string): Node | undefined {
  if (place >= PLACES) return nodes.get(member);
  if (lastNames[place] === member) return lastNodes[place];
  const node = nodes.get(member);
  // Unknown names are not remembered, because a name may itself be health data.
  if (node !== undefined) {
    lastNames[place] = member;
    lastNodes[place] = node;
  }
  return node;
}

/**
 * The types of the fields before reading. Each field is null or an empty list. Fields that are not nullable, such as an
 * id, start as null too, so that the compiler rejects a record whose reader does not set them.
 */
export type Blank<Fields> = {
  [F in keyof Fields]: null extends Fields[F] ? Fields[F] : Fields[F] extends readonly unknown[] ? Fields[F] : null;
};

/** How to read objects of one form. `Fields` are the fields that the plan fills, with their types in the record. */
export interface Plan<Fields extends object = Record<string, unknown>> {
  /**
   * An empty record. Readers spread it, so that all records have the same hidden class in V8. It has every field of the
   * declaration, but its type has only the fields of the plan. So the compiler requires the reader to set the other
   * fields.
   */
  readonly empty: Readonly<Blank<Fields>>;
  readonly members: Members;
}

export interface Leftovers {
  /** Unknown members and values that do not fit, by path. {@link pathName} writes the names of unknown members. */
  extra: Record<string, unknown> | undefined;
  refused: RefusedPart[];
}

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
 * Compiles a plan for the fields whose source is below `prefix` (such as `$.data`), except those named in `except`. The
 * members named in `elsewhere` do not count as unknown, because other code reads them. Throws if two fields have the
 * same source, or if the source of one field is below the source of another field.
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
      if (branch.kind !== 'branch')
        throw new Error(`${record.name}: ${member} is the source of a field, but also has fields below it`);
      below.nodes.set(member, branch);
      below = branch.members;
    }
    if (below.nodes.has(last)) throw new Error(`${record.name}: two fields are read from ${source}`);
    below.nodes.set(last, nodeOf({ ...field, source }));
  }
  const empty = Object.fromEntries(
    record.fields.map((field) => [field.name, itemsOf(field.type) === undefined ? null : noElements]),
  );
  // The declaration is known only at run time. The cast is safe because the generator derives both the declaration and the
  // type from the same .avsc file.
  return { empty: empty as Blank<Fields>, members };
}

const isOfData = /^data(?:[.[]|$)/;

/**
 * Stores a value in `extra`. If the value cannot be stored unchanged, records a refused part and returns false. The dead
 * letter of a refused part contains the whole delivery.
 */
export function keep(leftovers: Leftovers, path: string, value: unknown): boolean {
  const reason = unkeepable(value);
  if (reason !== undefined) {
    // Do not report the name of the member: an unknown name may itself be health data.
    leftovers.refused.push({ reason, place: isOfData.test(path) ? 'data' : '' });
    return false;
  }
  leftovers.extra ??= {};
  // Use defineProperty, because assignment would lose a member named __proto__.
  Object.defineProperty(leftovers.extra, path, { value, enumerable: true, configurable: true, writable: true });
  return true;
}

function misfit(leftovers: Leftovers, place: string, value: unknown): void {
  if (keep(leftovers, place, value)) leftovers.refused.push({ reason: 'value_does_not_fit', place });
}

/** Reads a list of values. Returns undefined if any element does not fit, because parallel lists must stay aligned. */
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

/** Reads a list of objects. Returns undefined if any element is not an object. A member that does not fit affects only its own field. */
function readObjects(plan: Plan, list: unknown, path: string, leftovers: Leftovers): unknown[] | undefined {
  if (!Array.isArray(list) || !list.every(isObject)) return undefined;
  return list.map((element: JsonObject, index) => {
    const target = { ...plan.empty };
    readFields(plan, element, target, { path: `${path}[${index}]`, leftovers });
    return target;
  });
}

interface ReadObject {
  /** Path of the object in the body, such as `data`. */
  readonly path: string;
  readonly leftovers: Leftovers;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for each field of every event, so it is one pass without calls
function readMembers(
  members: Members,
  object: JsonObject,
  target: Record<string, unknown>,
  { path, leftovers }: ReadObject,
): void {
  let place = -1;
  // for…in is safe here, because JSON.parse creates plain objects without inherited members.
  for (const member in object) {
    place++;
    const value = object[member];
    if (value === null) continue;
    const node = nodeAt(members, place, member);
    if (node === undefined) {
      keep(leftovers, `${path}.${pathName(member)}`, value);
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

/** Fills the fields of the plan in `target` from `object`. `target` must be a copy of the plan's `empty`. */
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

/** The fields of a stream's record that the plan fills. `Made` are the fields that the reader sets itself. */
export type Sourced<S extends StreamName, Made = never> = Pick<
  StreamRecords[S],
  Exclude<SourcedFields[S], Made> & keyof StreamRecords[S]
>;

/**
 * Compiles a plan for those fields of a stream that are read from the event's data. The reader itself sets the fields
 * named in `made`. The members named in `elsewhere` do not count as unknown, because other code reads them.
 */
export function planOfStream<S extends StreamName, const Made extends SourcedFields[S] = never>(
  stream: S,
  made: readonly Made[] = [],
  elsewhere: readonly string[] = [],
): Plan<Sourced<S, Made>> {
  return planOf<Sourced<S, Made>>(streamSchemas[stream], '$.data', made as readonly string[], elsewhere);
}

/** The type of an object inside a record: either a single object or an element of a list. */
type Inner<Field> = Field extends readonly (infer Item)[] ? Item : Field;

/** The fields that a plan fills in an object inside a record. */
type NestedSourced<S extends StreamName, F extends keyof StreamRecords[S] & keyof NestedSourcedFields[S]> = Pick<
  Inner<StreamRecords[S][F]>,
  NestedSourcedFields[S][F] & keyof Inner<StreamRecords[S][F]>
>;

/** Compiles a plan for the objects in the field `name`. Their members are below `prefix`, such as `$.data.results[*]`. */
export function planOfNested<S extends StreamName, F extends keyof StreamRecords[S] & keyof NestedSourcedFields[S]>(
  stream: S,
  name: F,
  prefix: string,
  elsewhere: readonly string[] = [],
): Plan<NestedSourced<S, F>> {
  const { type } = streamSchemas[stream].fields.find((field) => field.name === name)!;
  const inner = itemsOf(type) ?? type;
  if (!isRecord(inner)) throw new Error(`${stream}: the field ${String(name)} does not hold objects`);
  return planOf<NestedSourced<S, F>>(inner as AvroRecord, prefix, [], elsewhere);
}
