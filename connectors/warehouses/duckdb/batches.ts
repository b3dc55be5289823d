import type { StreamName } from '@aorta/schemas';
import type { DuckDBValue } from '@duckdb/node-api';
import type { LandedDates } from '../merging/landed-dates.ts';

/** A landed batch: which records it holds, on which dates its samples lie, and what of it has been merged. */
export interface LandedBatch extends LandedDates {
  readonly id: number;
  readonly partition: number;
  readonly incarnation: string;
  /** Positions of its first record and after its last one. */
  readonly first: number;
  readonly last: number;
  /** Number that the next landed row may have. */
  readonly nextNo: number;
  readonly recentMerged: boolean;
  readonly oldMerged: boolean;
  /** Numeric columns that its table of samples has; the others are constant over each of its events and stand in its table of events. */
  readonly sampleColumns: readonly string[];
}

/** What merges read the events of a batch from: a view of {@link rowsTable}, with the columns that are the same in all rows. */
export const eventsView = (batch: LandedBatch): string => `landed.e${batch.id}`;
export const rowsTable = (batch: LandedBatch): string => `landed.r${batch.id}`;
export const samplesTable = (batch: LandedBatch): string => `landed.s${batch.id}`;

const names = (list: readonly string[]): string => `[${list.map((name) => `'${name}'`).join(', ')}]::varchar[]`;
const days = (list: readonly number[]): string => `[${list.join(', ')}]::integer[]`;

/** Columns of `aorta.batches`, in the order in which rows are written and read. */
const batchColumns = [
  'id',
  'stream',
  'incarnation',
  'first',
  'last',
  'landed_at',
  'next_no',
  'received_days',
  'recent_days',
  'recent_rows',
  'recent_merged',
  'old_days',
  'old_rows',
  'old_merged',
  'sample_columns',
  'partition',
  'records',
];

export function insertBatch(batch: LandedBatch): string {
  return `insert into aorta.batches (${batchColumns.join(', ')})
  values (${batch.id}, '${batch.stream}', '${batch.incarnation}', ${batch.first}, ${batch.last},
  make_timestamptz(${batch.landedAt * 1000}), ${batch.nextNo}, ${days(batch.receivedDays)},
  ${days(batch.recentDays)}, ${batch.recentRows}, ${batch.recentMerged}, ${days(batch.oldDays)}, ${batch.oldRows}, ${batch.oldMerged},
  ${names(batch.sampleColumns)}, ${batch.partition}, ${batch.records})`;
}

const readColumns = batchColumns.map((name) => (name === 'landed_at' ? 'epoch_ms(landed_at)' : name));

/** Every landed batch, in the order of landing. */
export const selectBatches = `select ${readColumns.join(', ')} from aorta.batches order by id`;

/** How far each partition was landed. */
export const selectPositions = 'select stream, partition, incarnation, position from aorta.positions';

/** Statements that set how far a partition was landed. */
export function setPosition({ stream, partition, incarnation, last }: LandedBatch): string[] {
  return [
    `delete from aorta.positions where stream = '${stream}' and partition = ${partition}`,
    `insert into aorta.positions (stream, partition, incarnation, position) values ('${stream}', ${partition}, '${incarnation}', ${last})`,
  ];
}

/** Up to where each partition is merged: its landed position, or the first record of its first batch that still waits. */
export const mergedPositions = `select p.stream, p.partition, p.incarnation, coalesce(min(b.first), any_value(p.position))
from aorta.positions p
left join aorta.batches b on b.stream = p.stream and coalesce(b.partition, 0) = p.partition
  and b.incarnation = p.incarnation and not (b.recent_merged and b.old_merged)
group by p.stream, p.partition, p.incarnation`;

/** {@link mergedPositions} of tables that were published before streams had partitions. */
export const mergedStreams = `select p.stream, 0, p.incarnation, coalesce(min(b.first), any_value(p.position))
from aorta.positions p
left join aorta.batches b on b.stream = p.stream and b.incarnation = p.incarnation and not (b.recent_merged and b.old_merged)
group by p.stream, p.incarnation`;

/** Whether the tables know how many records a batch has: the last column that {@link batchColumns} gained. */
export const knowsRecords =
  "select count(*) from duckdb_columns() where schema_name = 'aorta' and table_name = 'batches' and column_name = 'records'";

/** Whether the tables know of partitions. */
export const knowsPartitions =
  "select count(*) from duckdb_columns() where schema_name = 'aorta' and table_name = 'positions' and column_name = 'partition'";

/** A row of {@link selectBatches}. */
export function batchOf(row: readonly DuckDBValue[]): LandedBatch {
  const list = <T = number>(value: DuckDBValue | undefined): T[] => [...(value as { items: readonly T[] }).items];
  return {
    id: Number(row[0]),
    stream: row[1] as StreamName,
    incarnation: row[2] as string,
    first: Number(row[3]),
    last: Number(row[4]),
    landedAt: Number(row[5]),
    nextNo: Number(row[6]),
    receivedDays: list(row[7]),
    recentDays: list(row[8]),
    recentRows: Number(row[9]),
    recentMerged: row[10] as boolean,
    oldDays: list(row[11]),
    oldRows: Number(row[12]),
    oldMerged: row[13] as boolean,
    sampleColumns: list<string>(row[14]),
    // Until there were partitions, positions were ordinals.
    partition: Number(row[15] ?? 0),
    records: Number(row[16] ?? Number(row[4]) - Number(row[3])),
  };
}
