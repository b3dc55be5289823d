import { CHANGES_KEPT_DAYS } from '../../warehouses/views/changed-person-days.ts';
import type { StoredPosition } from '../landing/positions.ts';
import { fieldOf, type TableField } from '../tables/fields.ts';
import { type Dataset, dates, tableName, text } from './types.ts';

const DAY_MS = 86_400_000;

export const CHANGED_DAYS = 'aorta_changed_days';

export interface ControlTable {
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly TableField[];
  readonly cluster: readonly string[];
  /** Column by whose date the table is partitioned. */
  readonly partition?: string;
  /** Number of days after which a partition is deleted. Default: never. */
  readonly partitionDays?: number;
}

/**
 * All control tables except the fences. Workers only insert rows, and one worker deletes obsolete rows.
 * Concurrent workers therefore do not abort each other.
 */
export const controlTables: readonly ControlTable[] = [
  {
    name: 'aorta_meta',
    doc: 'Format of the warehouse, and the key of the suppression list.',
    fields: [
      fieldOf({ name: 'name', type: 'string', required: true, doc: 'Name of the entry.' }),
      fieldOf({ name: 'value', type: 'string', required: true, doc: 'Value of the entry.' }),
    ],
    cluster: [],
  },
  {
    name: 'aorta_positions',
    doc: 'Position up to which each partition of a stream was landed. Kept after its landing tables are deleted.',
    fields: [
      fieldOf({ name: 'stream', type: 'string', required: true, doc: 'Stream.' }),
      fieldOf({ name: 'stream_partition', type: 'int64', required: true, doc: 'Partition of the stream.' }),
      fieldOf({ name: 'incarnation', type: 'string', required: true, doc: 'Incarnation of the stream.' }),
      fieldOf({ name: 'position', type: 'int64', required: true, doc: 'Position after the last landed record.' }),
      fieldOf({ name: 'written_at', type: 'timestamp', required: true, doc: 'When the row was written.' }),
    ],
    cluster: ['stream', 'stream_partition'],
  },
  {
    name: 'aorta_merged',
    doc: 'One row for each landed batch and each table that it was merged into. The transaction of the merge writes it.',
    fields: [
      fieldOf({ name: 'batch', type: 'string', required: true, doc: 'Landing table.' }),
      fieldOf({ name: 'target', type: 'string', required: true, doc: 'Table that the batch was merged into.' }),
      fieldOf({
        name: 'extent',
        type: 'string',
        required: true,
        doc: '`recent` or `old`: the range of dates that the merge covered.',
      }),
      fieldOf({ name: 'dates', type: { list: 'date' }, doc: 'Dates that were merged. Empty if the target is not partitioned.' }),
      fieldOf({ name: 'merged_at', type: 'timestamp', required: true, doc: 'When the batch was merged.' }),
    ],
    cluster: ['batch'],
  },
  {
    name: 'aorta_suppressed',
    doc: 'Keyed hashes of erased users. Merges skip their rows.',
    fields: [
      fieldOf({
        name: 'user_hash',
        type: 'string',
        required: true,
        doc: 'SHA-256 of the key and the user’s id, in hexadecimal digits.',
      }),
      fieldOf({ name: 'suppressed_at', type: 'timestamp', required: true, doc: 'When the user was erased.' }),
    ],
    cluster: ['user_hash'],
  },
  {
    name: 'aorta_activity',
    doc: 'Costs of merges, and waits.',
    fields: [
      fieldOf({ name: 'ended_at', type: 'timestamp', required: true, doc: 'When the merge or the wait ended.' }),
      fieldOf({ name: 'worker', type: 'string', required: true, doc: 'Name of the worker.' }),
      fieldOf({ name: 'what', type: 'string', required: true, doc: '`merge`, `bookkeeping` or `wait`.' }),
      fieldOf({
        name: 'target',
        type: 'string',
        required: true,
        doc: 'Table that was merged, or for which the worker waited. Empty if there is none.',
      }),
      fieldOf({ name: 'reason', type: 'string', doc: 'Reason for a wait.' }),
      fieldOf({
        name: 'estimated_bytes',
        type: 'int64',
        required: true,
        doc: 'Estimated bytes.',
        unit: 'byte',
      }),
      fieldOf({ name: 'billed_bytes', type: 'int64', required: true, doc: 'Billed bytes.', unit: 'byte' }),
      fieldOf({
        name: 'waited_ms',
        type: 'int64',
        required: true,
        doc: 'Duration of the wait. 0 if the worker waits for an operator or for the next day.',
        unit: 'ms',
      }),
      fieldOf({ name: 'slot_ms', type: 'int64', required: true, doc: 'Billed slot time, in a reservation.', unit: 'ms' }),
    ],
    cluster: [],
    // Partitioned, because the table keeps growing and most queries read only today's rows.
    partition: 'ended_at',
  },
  {
    name: CHANGED_DAYS,
    doc: 'Dates of users that merges may have changed. The view `changed_person_days` lists them.',
    fields: [
      fieldOf({ name: 'user_id', type: 'string', doc: 'User; NULL for all users.' }),
      fieldOf({ name: 'from_date', type: 'date', doc: 'First date; NULL for all dates.' }),
      fieldOf({ name: 'to_date', type: 'date', doc: 'Last date; NULL for all dates.' }),
      fieldOf({ name: 'changed_at', type: 'timestamp', required: true, doc: 'When the merge ran.' }),
    ],
    cluster: [],
    partition: 'changed_at',
    partitionDays: CHANGES_KEPT_DAYS,
  },
];

const fenceName = (target: string): string => `aorta_fence_${target}`;

/**
 * Returns one fence table per target. BigQuery aborts one of two concurrent transactions that change rows of the same table,
 * even if they change different rows. With a fence per target, merges of different targets do not conflict.
 */
export function fenceTables(targets: readonly string[]): ControlTable[] {
  return targets.map((target) => ({
    name: fenceName(target),
    doc: `Has one row, which every merge of ${target} updates. If two merges overlap, one of them aborts.`,
    fields: [
      fieldOf({ name: 'target', type: 'string', required: true, doc: 'Table.' }),
      fieldOf({ name: 'merges', type: 'int64', required: true, doc: 'Number of merges and erasures so far.', unit: 'count' }),
      fieldOf({ name: 'merged_at', type: 'timestamp', doc: 'When the last merge or erasure ended.' }),
    ],
    cluster: [],
  }));
}

/**
 * Stores landed positions before the landing tables that they replace are dropped. Rows are only added, so workers never wait
 * for each other. The highest position of an incarnation counts.
 */
export function positionsStatement(dataset: Dataset, positions: readonly StoredPosition[]): string {
  const rows = positions.map(
    ({ stream, partition, incarnation, position }) =>
      `(${text(stream)}, ${partition}, ${text(incarnation)}, ${position}, CURRENT_TIMESTAMP())`,
  );
  return `INSERT INTO ${tableName(dataset, 'aorta_positions')} (stream, stream_partition, incarnation, position, written_at)
VALUES ${rows.join(',\n  ')}`;
}

/**
 * Reads the positions of every incarnation, because batches of a previous incarnation may still wait to be merged. Returns
 * stream, partition, incarnation, position, and the time of writing in milliseconds since 1970.
 */
export function readPositionsStatement(dataset: Dataset): string {
  return `SELECT stream, stream_partition, incarnation, MAX(position) AS position, UNIX_MILLIS(MAX(written_at)) AS written_at
FROM ${tableName(dataset, 'aorta_positions')}
GROUP BY stream, stream_partition, incarnation`;
}

/** Deletes superseded positions, which makes reads cheaper. Keeps rows younger than a day, because a worker may still be writing them. */
export function prunePositionsStatement(dataset: Dataset, now: number): string {
  const table = tableName(dataset, 'aorta_positions');
  const row = (position: string): string =>
    `CONCAT(stream, '/', CAST(stream_partition AS STRING), '/', incarnation, '/', CAST(${position} AS STRING))`;
  return `DELETE FROM ${table}
WHERE written_at < TIMESTAMP_MILLIS(${now - DAY_MS})
  AND ${row('position')} NOT IN (
    SELECT ${row('MAX(position)')} FROM ${table} GROUP BY stream, stream_partition, incarnation
  )`;
}

/** Reads the merge records. Each row contains a batch, a target, and the merged dates as strings. */
export function readMergedStatement(dataset: Dataset): string {
  return `SELECT batch, target, ARRAY(SELECT CAST(day AS STRING) FROM UNNEST(dates) AS day) AS dates
FROM ${tableName(dataset, 'aorta_merged')}`;
}

/** Deletes the merge records of batches whose landing tables have been dropped. */
export function forgetMergedStatement(dataset: Dataset, batches: readonly string[]): string {
  return `DELETE FROM ${tableName(dataset, 'aorta_merged')} WHERE batch IN (${batches.map(text).join(', ')})`;
}

/** Updates the fence of a target. If another transaction does the same concurrently, BigQuery aborts one of them. */
export function fenceStatement(dataset: Dataset, target: string): string {
  return `MERGE INTO ${tableName(dataset, fenceName(target))} AS T
USING (SELECT ${text(target)} AS target) AS S
ON T.target = S.target
WHEN MATCHED THEN UPDATE SET merges = T.merges + 1, merged_at = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN INSERT (target, merges, merged_at) VALUES (S.target, 1, CURRENT_TIMESTAMP())`;
}

export interface MergedPart {
  readonly batch: string;
  readonly days: readonly number[];
}

export function recordStatement(
  dataset: Dataset,
  target: string,
  extent: 'recent' | 'old',
  parts: readonly MergedPart[],
): string {
  const rows = parts.map(
    ({ batch, days }) =>
      `(${text(batch)}, ${text(target)}, ${text(extent)}, ${days.length === 0 ? 'CAST([] AS ARRAY<DATE>)' : `[${dates(days)}]`}, CURRENT_TIMESTAMP())`,
  );
  return `INSERT INTO ${tableName(dataset, 'aorta_merged')} (batch, target, extent, dates, merged_at)
VALUES ${rows.join(',\n  ')}`;
}
