import { isDeepStrictEqual } from 'node:util';
import type { QueryValue } from '@aorta/connectors';
import type { Column, TableDeclaration } from '@aorta/schemas';
import type { Field, Type } from './catalogue.ts';
import { type GeneratedEvent, IDENTIFIER_MARK, type JsonObject, MARK } from './generate.ts';
import type { Row } from './loaded.ts';

/**
 * Compares an event with its rows in a table. The declarations only say which member of the event each column holds (`source`).
 * The expected type and value come from the event itself and from the service's catalogue.
 */

type ColumnType = Column['type'];

/** A column of a table, or a field of a list's objects, that can hold a member of the event. */
interface Destination {
  readonly name: string;
  readonly type: ColumnType;
  readonly class: Column['class'];
  readonly source?: string;
}

/** Members that have no column because another column holds the same value. */
const elsewhere: readonly (readonly [member: string, column: string])[] = [
  // The timestamp of a discrete sample. In an interval sample, this member repeats the start.
  ['$.data.data[*].timestamp', '$.data.data[*].start'],
  // The provider's name in older events.
  ['$.data.source.slug', '$.data.source.provider'],
  ['$.data.provider.slug', '$.data.source.provider'],
  // `provider` is a slug in `provider.connection.error`, and an object in `provider.connection.created`.
  ['$.data.provider', '$.data.provider.slug'],
];

/** Fallback members. If the first member is missing from the event, its column holds the value of the second. */
const instead: Readonly<Record<string, string>> = {
  '$.data.source.provider': '$.data.source_provider',
  '$.data.source.type': '$.data.source_type',
};

/** For each scalar type of the service, the column types that hold its values unchanged. */
const columnTypes: Readonly<Record<string, readonly string[]>> = {
  text: ['string'],
  uuid: ['string'],
  date: ['date'],
  instant: ['timestamp'],
  integer: ['int64', 'float64'],
  number: ['float64'],
  boolean: ['bool'],
  any: ['json'],
};

/** The values that a column may hold if its member is missing. Key columns are never NULL, so they hold an empty string or `unknown`. */
const absent = new Set<unknown>([null, '', 'unknown']);

const withheldClasses = new Set(['identifier', 'patient', 'secret']);

/** Formats a time from the service as a query prints it: in UTC, and without a fraction if the fraction is zero. */
function shownInstant(sent: string): string {
  const [, whole, fraction] = /^(.{19})(?:\.(\d+))?/.exec(sent)!;
  const micros = (fraction ?? '').padEnd(6, '0').slice(0, 6);
  return `${whole}${micros === '000000' ? '' : `.${micros}`}Z`;
}

function showsValue(type: ColumnType, sent: unknown, shown: QueryValue | undefined): boolean {
  if (typeof type === 'object') {
    const { list } = type as { list: ColumnType };
    if (!Array.isArray(sent) || !Array.isArray(shown) || sent.length !== shown.length) return false;
    return sent.every((item, index) => showsValue(list, item, shown[index]));
  }
  if (type === 'timestamp') return shown === shownInstant(sent as string);
  if (type === 'int64') return Number(shown) === sent;
  if (type === 'json') return typeof shown === 'string' && isDeepStrictEqual(JSON.parse(shown), sent);
  return shown === sent;
}

/** Returns the strings and identifiers in a value that occur only once in the event. */
function distinctive(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(MARK) || value.startsWith(IDENTIFIER_MARK) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(distinctive) : [];
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** An object as the service sent it, with its path in the body and the fields that the catalogue declares for it. */
interface SentObject {
  readonly fields: readonly Field[];
  readonly path: string;
  readonly sent: JsonObject;
}

interface SentMember {
  readonly field: Field;
  readonly path: string;
  readonly sent: unknown;
}

class Comparison {
  readonly problems: string[] = [];
  /** Privacy classes of the withheld members, by path. */
  readonly withheld = new Map<string, string>();
  readonly #body: JsonObject;
  readonly #whole: string;

  constructor(body: JsonObject, rows: readonly Row[]) {
    this.#body = body;
    this.#whole = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  }

  fields({ fields, path, sent }: SentObject, places: readonly Destination[], shown: Row): void {
    for (const field of fields) this.#member({ field, path: `${path}.${field.name}`, sent: sent[field.name] }, places, shown);
  }

  /** Checks the resource, which is named only in the event type: `heartrate` in `daily.data.heartrate.created`. */
  resource(eventType: string, shown: Row): void {
    if (Object.hasOwn(shown, 'resource') && shown.resource !== eventType.split('.')[2]) this.problems.push('$: wrong resource');
  }

  #member(member: SentMember, places: readonly Destination[], shown: Row): void {
    const { field, path, sent } = member;
    const place = places.find(({ source }) => source === path);
    if (place !== undefined) {
      this.#value(member, place, shown);
      return;
    }
    const type = field.types.find((one) => fits(one, sent)) ?? field.types[0]!;
    const other = type.kind === 'object' ? undefined : placeElsewhere(path, places);
    if (other !== undefined) {
      if (!isNothing(sent)) this.#value(member, other, shown);
    } else if (type.kind === 'object')
      this.fields({ fields: type.fields, path, sent: isNothing(sent) ? {} : (sent as JsonObject) }, places, shown);
    else this.problems.push(`${path}: no column`);
  }

  #value(member: SentMember, place: Destination, shown: Row): void {
    const { field, path, sent } = member;
    if (!Object.hasOwn(shown, place.name)) {
      if (!withheldClasses.has(place.class)) this.problems.push(`${path}: class ${place.class}, but not landed`);
      this.withheld.set(path, place.class);
      if (distinctive(sent).some((value) => this.#whole.includes(JSON.stringify(value).slice(1, -1))))
        this.problems.push(`${path}: withheld, but in the table`);
      return;
    }
    const value = shown[place.name];
    const elements = elementsOf(place.type);
    if (isNothing(sent)) {
      const nothing = Array.isArray(value) ? value.length === 0 : absent.has(value ?? null) || this.#standsIn(path, value);
      if (!nothing) this.problems.push(`${path}: not sent, but ${place.name} has a value`);
    } else if (elements !== undefined) this.#elements(member, elements, value);
    else {
      const wanted = typesFor(field.types);
      if (!wanted.includes(typeof place.type === 'string' ? place.type : 'list'))
        this.problems.push(`${path}: ${place.name} has the wrong type`);
      if (!showsValue(place.type, sent, value)) this.problems.push(`${path}: ${place.name} has the wrong value`);
    }
  }

  #standsIn(path: string, shown: QueryValue | undefined): boolean {
    const data = this.#body.data as JsonObject;
    return instead[path] !== undefined && shown === data[instead[path].slice('$.data.'.length)];
  }

  #elements({ field, path, sent }: SentMember, elements: readonly Destination[], shown: QueryValue | undefined): void {
    const [type] = field.types;
    const items = type?.kind === 'list' ? type.items.types[0] : undefined;
    if (items?.kind !== 'object' || !Array.isArray(sent) || !Array.isArray(shown) || sent.length !== shown.length) {
      this.problems.push(`${path}: wrong number of elements`);
      return;
    }
    sent.forEach((element, index) => {
      this.fields({ fields: items.fields, path: `${path}[*]`, sent: element as JsonObject }, elements, shown[index] as Row);
    });
  }
}

/** Whether a value fits a type. Checks just enough to choose between alternatives. */
function fits(type: Type, value: unknown): boolean {
  if (type.kind !== 'object' || isNothing(value)) return type.kind !== 'object' || value === undefined;
  const names = new Set(type.fields.map(({ name }) => name));
  const constants = type.fields.flatMap(({ name, types }) => (types[0]?.kind === 'constant' ? [[name, types[0].value]] : []));
  return (
    Object.keys(value as JsonObject).every((name) => names.has(name)) &&
    constants.every(([name, constant]) => (value as JsonObject)[name as string] === constant)
  );
}

function placeElsewhere(path: string, places: readonly Destination[]): Destination | undefined {
  const other = elsewhere.find(([member]) => member === path)?.[1];
  return other === undefined ? undefined : places.find(({ source }) => source === other);
}

function elementsOf(type: ColumnType): readonly Destination[] | undefined {
  const { list } = (typeof type === 'object' ? type : {}) as { list?: unknown };
  return Array.isArray(list) ? (list as Destination[]) : undefined;
}

/** Returns the types of columns that can hold these values. A `json` column can hold objects and lists. */
function typesFor(types: readonly Type[]): readonly string[] {
  const [type] = types;
  if (type === undefined) return [];
  switch (type.kind) {
    case 'scalar':
      return columnTypes[type.scalar]!;
    case 'constant':
      return { string: ['string'], number: ['int64', 'float64'], boolean: ['bool'] }[
        typeof type.value as 'string' | 'number' | 'boolean'
      ];
    case 'enumeration':
      return typeof type.values[0] === 'string' ? ['string'] : ['int64'];
    case 'list':
      return ['json', 'list'];
    default:
      return ['json'];
  }
}

export interface Compared {
  /** Descriptions of problems. They name paths and columns, but never contain values. */
  readonly problems: readonly string[];
  /** Privacy classes of members that are not landed, by path. */
  readonly withheld: ReadonlyMap<string, string>;
}

/** Compares an event with its rows in a table. A summary has one row, and a timeseries has one row per sample. */
export function compare({ facts, body }: GeneratedEvent, table: TableDeclaration, rows: readonly Row[]): Compared {
  const comparison = new Comparison(body, rows);
  const perSample = table.columns.filter((column) => column.perSample);
  const [samples, around] = table.shape === 'timeseries' ? withoutSamples(facts.fields) : [undefined, facts.fields];
  if (samples === undefined) {
    if (rows.length !== 1) return { problems: [`$: ${rows.length} rows`], withheld: comparison.withheld };
    comparison.fields({ fields: around, path: '$', sent: body }, table.columns, rows[0]!);
    comparison.resource(facts.type, rows[0]!);
    return comparison;
  }
  const sent = (body.data as { data: readonly JsonObject[] }).data;
  if (rows.length !== sent.length) return { problems: [`$.data.data: ${rows.length} rows`], withheld: comparison.withheld };
  const inOrder = rows.toSorted((a, b) => (String(a.start_at) < String(b.start_at) ? -1 : 1));
  sent.forEach((sample, index) => {
    comparison.fields({ fields: around, path: '$', sent: body }, table.columns, inOrder[index]!);
    comparison.fields({ fields: samples, path: '$.data.data[*]', sent: sample }, perSample, inOrder[index]!);
    comparison.resource(facts.type, inOrder[index]!);
  });
  return comparison;
}

/** Splits the fields of a timeseries event into the fields of its samples and all other fields. */
function withoutSamples(fields: readonly Field[]): [samples: readonly Field[], around: readonly Field[]] {
  const data = fields.find(({ name }) => name === 'data')!;
  const batch = data.types[0] as Extract<Type, { kind: 'object' }>;
  const list = batch.fields.find(({ name }) => name === 'data')!.types[0] as Extract<Type, { kind: 'list' }>;
  const sample = list.items.types[0] as Extract<Type, { kind: 'object' }>;
  const rest = { ...batch, fields: batch.fields.filter(({ name }) => name !== 'data') };
  return [sample.fields, fields.map((field) => (field === data ? { ...data, types: [rest] } : field))];
}
