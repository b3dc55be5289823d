import { systemTime } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type { DuckDBValue } from '@duckdb/node-api';
import type { LandedDates } from '../warehouses/merging/landed-dates.ts';

export const selectPositions = 'select stream, partition, incarnation, position from control.positions';

/** A landed batch: its records, the dates of its samples, and which ranges are merged. */
export interface LandedBatch extends LandedDates {
  readonly id: number;
  readonly partition: number;
  readonly incarnation: string;
  /** Position of the first record, and the position after the last record. */
  readonly first: number;
  readonly last: number;
  readonly nextNo: number;
  readonly recentMerged: boolean;
  readonly oldMerged: boolean;
  /** Numeric columns of the samples table. All other columns are constant within each event and belong to the events table. */
  readonly sampleColumns: readonly string[];
}

/** The view from which merges read the events of a batch. It adds the constant columns to {@link rowsTable}. */
export const eventsView = (batch: LandedBatch): string => `landed.e${batch.id}`;
export const rowsTable = (batch: LandedBatch): string => `landed.r${batch.id}`;
export const samplesTable = (batch: LandedBatch): string => `landed.s${batch.id}`;

const names = (list: readonly string[]): string => `[${list.map((name) => `'${name}'`).join(', ')}]::varchar[]`;
const days = (list: readonly number[]): string => `[${list.join(', ')}]::integer[]`;

/** Columns of `control.batches`, in the order in which they are written and read. */
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
  return `insert into control.batches (${batchColumns.join(', ')})
  values (${batch.id}, '${batch.stream}', '${batch.incarnation}', ${batch.first}, ${batch.last},
  make_timestamptz(${systemTime(batch.landedAt) * 1000}), ${batch.nextNo}, ${days(batch.receivedDays)},
  ${days(batch.recentDays)}, ${batch.recentRows}, ${batch.recentMerged}, ${days(batch.oldDays)}, ${batch.oldRows}, ${batch.oldMerged},
  ${names(batch.sampleColumns)}, ${batch.partition}, ${batch.records})`;
}

const readColumns = batchColumns.map((name) => (name === 'landed_at' ? 'epoch_ms(landed_at)' : name));

/** Selects every landed batch in the order of landing. */
export const selectBatches = `select ${readColumns.join(', ')} from control.batches order by id`;

/** Returns the statements that set the landed position of a partition. */
export function setPosition({ stream, partition, incarnation, last }: LandedBatch): string[] {
  return [
    `delete from control.positions where stream = '${stream}' and partition = ${partition}`,
    `insert into control.positions (stream, partition, incarnation, position) values ('${stream}', ${partition}, '${incarnation}', ${last})`,
  ];
}

/**
 * If a batch has a landing time after `now`, sets it to `now`. The clock was set back after an earlier process landed the
 * batch.
 */
export function notAhead(batches: readonly LandedBatch[], now: number): LandedBatch[] {
  return batches.map((batch) => ({ ...batch, landedAt: Math.min(batch.landedAt, now) }));
}

/** Selects the merged position of each partition: the start of its first unmerged batch, or its landed position if there is none. */
export const mergedPositions = `select p.stream, p.partition, p.incarnation, coalesce(min(b.first), any_value(p.position))
from control.positions p
left join control.batches b on b.stream = p.stream and b.partition = p.partition
  and b.incarnation = p.incarnation and not (b.recent_merged and b.old_merged)
group by p.stream, p.partition, p.incarnation`;

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
    partition: Number(row[15]),
    records: Number(row[16]),
  };
}
