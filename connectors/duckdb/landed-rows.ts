import {
  type Column,
  elementFields,
  type ListType,
  type StreamName,
  type StreamRecords,
  type SummaryOrder,
  sampleValue,
  streamSchemas,
  type TableDeclaration,
  type TimeseriesStream,
} from '@aorta/schemas';
import {
  type AnyRecord,
  deliveryFacts,
  type Fact,
  payloadColumns,
  payloadValue,
  standsForDelivery,
  versionFacts,
  versionTimeFacts,
} from '../warehouses/landed-facts.ts';
import { landedDefault, landedType } from './sql/types.ts';

/**
 * A row to be landed: an event or a part of one. A timeseries event is split into parts if the texts (unit, type, …) of its
 * samples differ.
 */
export interface LandedRow {
  readonly record: AnyRecord;
  /** Number of the row among the stream's landed rows. Samples refer to their row by this number. */
  readonly no: number;
  /** 0 for the first row of an event. Only this row counts as a delivery. */
  readonly part: number;
  /** Text values that all samples of the part share, by column; empty for events without samples. */
  readonly texts: Readonly<Record<string, string | null>>;
  /** First and last time of the part's samples in microseconds; NaN if there are none. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Whether the times are strictly ascending, so that no key occurs twice in the part. */
  readonly ascending: boolean;
  readonly samples: number;
}

type TimeseriesRecord = StreamRecords[TimeseriesStream];

/** The rows of an event. `rowOfSample` maps each sample to its row; undefined if there is only one row. */
export interface EventRows {
  readonly rows: readonly LandedRow[];
  readonly rowOfSample: Uint32Array | undefined;
}

export function plainRow(record: AnyRecord, no: number): LandedRow {
  return { record, no, part: 0, texts: {}, firstAt: Number.NaN, lastAt: Number.NaN, ascending: true, samples: 0 };
}

/** Returns the landed rows of a timeseries event, one for each combination of texts in its samples. */
export function timeseriesRows(record: TimeseriesRecord, texts: readonly Column[], no: number): EventRows {
  const arrays = texts.map((column) => (record as unknown as Record<string, (string | null)[]>)[column.name]!);
  const starts = record.start_at;
  if (arrays.every((array) => array.length <= 1)) {
    const values: Record<string, string | null> = {};
    for (let index = 0; index < texts.length; index++) values[texts[index]!.name] = arrays[index]![0] ?? null;
    return { rows: [{ record, no, part: 0, texts: values, ...span(starts) }], rowOfSample: undefined };
  }
  const rowOfSample = new Uint32Array(starts.length);
  const parts = new Map<string, { values: Record<string, string | null>; starts: number[] }>();
  const partOf = new Map<string, number>();
  for (let index = 0; index < starts.length; index++) {
    const values = Object.fromEntries(texts.map((column, at) => [column.name, sampleValue(arrays[at]!, index)]));
    const name = JSON.stringify(Object.values(values));
    let part = partOf.get(name);
    if (part === undefined) {
      part = partOf.size;
      partOf.set(name, part);
      parts.set(name, { values, starts: [] });
    }
    parts.get(name)!.starts.push(starts[index]!);
    rowOfSample[index] = part;
  }
  // A key may occur in two parts with different units. The parts therefore count as not ascending, so that the merge looks for
  // repeated keys and keeps the last sample of each.
  const rows = [...parts.values()].map((part, index) => ({
    record,
    no: no + index,
    part: index,
    texts: part.values,
    ...span(part.starts),
    ascending: false,
  }));
  return { rows, rowOfSample };
}

function span(starts: readonly number[]): { firstAt: number; lastAt: number; ascending: boolean; samples: number } {
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  let ascending = true;
  let previous = Number.NEGATIVE_INFINITY;
  for (const start of starts) {
    if (start < firstAt) firstAt = start;
    if (start > lastAt) lastAt = start;
    if (start <= previous) ascending = false;
    previous = start;
  }
  return starts.length === 0
    ? { firstAt: Number.NaN, lastAt: Number.NaN, ascending, samples: 0 }
    : { firstAt, lastAt, ascending, samples: starts.length };
}

export type Cell = string | number | bigint | null;

/** A column of a stream's landed events, and how it is filled. */
export interface LandedColumn {
  readonly name: string;
  readonly type: 'varchar' | 'double' | 'bigint' | 'uinteger';
  readonly cell: (row: LandedRow) => Cell;
  /** Another column that always has the same value and is selected instead. */
  readonly sameAs?: string;
  /** Default, as an SQL expression, for rows landed before the column existed; undefined means null. */
  readonly default?: string;
  /** Fields of each object in a landed list of objects. */
  readonly fields?: readonly string[];
}

function cellOf(column: Pick<Column, 'type'>, read: (record: AnyRecord) => unknown): (row: LandedRow) => Cell {
  if (column.type === 'bool') {
    return ({ record }) => {
      const value = read(record);
      return value === null ? null : value === true ? 1 : 0;
    };
  }
  if (typeof column.type === 'object') {
    const elements = elementsOf(column.type);
    return ({ record }) => JSON.stringify(elements(read(record) as readonly unknown[]));
  }
  return ({ record }) => read(record) as Cell;
}

/**
 * Returns a function that converts a list to its landed form. If the list contains objects, the function drops the fields that
 * the privacy setting withholds, which are missing from `type`.
 */
function elementsOf(type: ListType): (list: readonly unknown[]) => readonly unknown[] {
  const { list: fields } = type;
  if (fields === 'bool') return (list) => list.map(Number);
  if (typeof fields === 'string') return (list) => list;
  return (list) =>
    (list as readonly Record<string, unknown>[]).map((element) =>
      Object.fromEntries(
        fields.map(({ name, type: fieldType }) => {
          const value = element[name];
          return [name, fieldType === 'bool' && value !== null ? Number(value) : value];
        }),
      ),
    );
}

/** Returns the columns for `deliveries`. Their values can be read from a record of any stream. */
function deliveryColumns(stream: StreamName, table: TableDeclaration | undefined): LandedColumn[] {
  // A fetched record is not a delivery, so it has no row in `deliveries`.
  const fetched = table?.shape === 'fetched';
  const twins = new Map([['received_at', '_received_at']]);
  if (table !== undefined && !fetched) {
    for (const name of ['event_type', 'team_id', 'client_user_id']) twins.set(name, `c_${name}`);
    // The payload column of an optional user holds the empty text.
    if (streamSchemas[stream].aorta.user !== 'optional') twins.set('user_id', 'c_user_id');
  }
  const columns = deliveryFacts(stream).map(({ column, value }): LandedColumn => {
    const sameAs = twins.get(column.name);
    const twin = sameAs === undefined ? {} : { sameAs };
    return { name: `d_${column.name}`, type: landedType(column), cell: cellOf(column, value), ...twin };
  });
  const counts = ({ record, part }: LandedRow): Cell => (!fetched && part === 0 && standsForDelivery(stream, record) ? 1 : 0);
  return [...columns, { name: 'd_counts', type: 'double', cell: counts }];
}

function landedVersion({ column, value }: Fact): LandedColumn {
  // A double cannot hold all 64 bits of an origin.
  const type = column.name === '_origin' ? 'bigint' : 'double';
  return { name: column.name, type, cell: ({ record }) => value(record) as Cell };
}

/**
 * Returns the numeric columns of a timeseries table in which the samples of an event may differ. Values that differ are landed
 * separately, as chunks of doubles.
 */
export function sampleColumns(table: TableDeclaration): Column[] {
  return table.columns.filter((column) => column.perSample && landedType(column) === 'double');
}

/**
 * Returns the text columns of a timeseries table in which the samples of an event may differ. If the texts differ, the event is
 * split into several rows.
 */
export function sampleTexts(table: TableDeclaration): Column[] {
  return table.columns.filter((column) => column.perSample && landedType(column) === 'varchar');
}

/**
 * Returns the columns of a stream's landed events: columns for `deliveries` (`d_…`), version columns, payload columns (`c_…`),
 * and columns that tell a merge about the event's samples.
 */
export function landedEventColumns(stream: StreamName, table: TableDeclaration | undefined, order: SummaryOrder): LandedColumn[] {
  const columns: LandedColumn[] = [
    { name: 'no', type: 'uinteger', cell: ({ no }) => no },
    { name: 'part', type: 'uinteger', cell: ({ part }) => part },
    ...deliveryColumns(stream, table),
    ...versionFacts(stream, table).map(landedVersion),
  ];
  if (table === undefined) return columns;
  for (const column of payloadColumns(table)) {
    const fallback = landedDefault(column);
    const fields = elementFields(column.type);
    columns.push({
      name: `c_${column.name}`,
      type: landedType(column),
      cell: cellOf(column, payloadValue(column)),
      default: fallback,
      fields: fields === undefined ? undefined : fields.map(({ name }) => name),
    });
  }
  columns.push(...versionTimeFacts(table, order).map(landedVersion));
  if (table.shape === 'timeseries') {
    for (const column of sampleTexts(table))
      columns.push({ name: `c_${column.name}`, type: 'varchar', cell: ({ texts }) => texts[column.name] ?? null });
    for (const column of sampleColumns(table)) {
      if (column.name === 'start_at') continue;
      // A single value applies to all samples of the event. If the samples have different values, the table of samples has them.
      const values = (row: LandedRow) => (row.record as unknown as Record<string, (number | null)[]>)[column.name]!;
      columns.push({
        name: `c_${column.name}`,
        type: 'double',
        cell: (row) => (values(row).length === 1 ? values(row)[0]! : null),
      });
    }
    columns.push(
      { name: 'first_at', type: 'double', cell: ({ firstAt }) => firstAt },
      { name: 'last_at', type: 'double', cell: ({ lastAt }) => lastAt },
      { name: 'ascending', type: 'double', cell: ({ ascending }) => (ascending ? 1 : 0) },
      { name: 'samples', type: 'double', cell: ({ samples }) => samples },
    );
  }
  return columns;
}
