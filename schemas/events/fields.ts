import type { AvroRecord, AvroType, FieldDeclaration } from '../streams/declaration.ts';
import { GREATEST_LONG, LEAST_LONG, parseDate, parseInstant } from './instant.ts';
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
  json: (value: unknown) => JSON.stringify(value),
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

interface Leaf {
  readonly field: string;
  readonly fit: Fit;
}

interface Branch {
  readonly leaves: ReadonlyMap<string, Leaf>;
  readonly branches: ReadonlyMap<string, Branch>;
}

export interface Plan {
  /** Names of the fields that the plan fills. */
  readonly fields: readonly string[];
  readonly root: Branch;
}

/** What reading one object gathers beside its fields. */
export interface Leftovers {
  /** Unknown members and values that do not fit, by path. */
  extra: Record<string, unknown> | undefined;
  refused: RefusedPart[];
}

/** Compiles the plan of the fields whose source lies under `prefix` (such as `$.data`), apart from those named in `except`. */
export function planOf(record: AvroRecord, prefix: string, except: readonly string[] = []): Plan {
  const chosen = record.fields.filter(
    (field): field is FieldDeclaration & { source: string } =>
      typeof field.source === 'string' &&
      field.source.startsWith(`${prefix}.`) &&
      field.per === undefined &&
      !except.includes(field.name),
  );
  const build = (depth: number, fields: readonly { path: readonly string[]; field: FieldDeclaration }[]): Branch => {
    const leaves = new Map<string, Leaf>();
    const below = new Map<string, { path: readonly string[]; field: FieldDeclaration }[]>();
    for (const entry of fields) {
      const member = entry.path[depth]!;
      if (entry.path.length === depth + 1)
        leaves.set(member, { field: entry.field.name, fit: fitOf(entry.field.type, entry.field.json ?? false) });
      else below.set(member, [...(below.get(member) ?? []), entry]);
    }
    return { leaves, branches: new Map([...below].map(([member, entries]) => [member, build(depth + 1, entries)])) };
  };
  const paths = chosen.map((field) => ({ path: field.source.slice(prefix.length + 1).split('.'), field }));
  return { fields: chosen.map((field) => field.name), root: build(0, paths) };
}

export function keep(leftovers: Leftovers, path: string, value: unknown): void {
  leftovers.extra ??= {};
  // A member may be called __proto__: defined, not assigned.
  Object.defineProperty(leftovers.extra, path, { value, enumerable: true, configurable: true, writable: true });
}

function readBranch(
  branch: Branch,
  object: JsonObject,
  path: string,
  target: Record<string, unknown>,
  leftovers: Leftovers,
): void {
  for (const member of Object.keys(object)) {
    const value = object[member];
    const leaf = branch.leaves.get(member);
    if (leaf !== undefined) {
      if (value === null) continue;
      const fitted = leaf.fit(value);
      if (fitted !== undefined) {
        target[leaf.field] = fitted;
      } else {
        keep(leftovers, `${path}.${member}`, value);
        leftovers.refused.push({ reason: 'value_does_not_fit', place: `${path}.${member}` });
      }
      continue;
    }
    const below = branch.branches.get(member);
    if (below !== undefined && isObject(value)) readBranch(below, value, `${path}.${member}`, target, leftovers);
    else if (value !== null) keep(leftovers, `${path}.${member}`, value);
  }
}

/** Fills the plan's fields of `target` from `object`; fields without a value become null. `path` is the object's place in the body, such as `data`. */
export function readFields(
  plan: Plan,
  object: JsonObject,
  path: string,
  target: Record<string, unknown>,
  leftovers: Leftovers,
): void {
  for (const field of plan.fields) target[field] = null;
  readBranch(plan.root, object, path, target, leftovers);
}

export function extraText(leftovers: Leftovers): string | null {
  return leftovers.extra === undefined ? null : JSON.stringify(leftovers.extra);
}
