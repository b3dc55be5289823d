import { type ControlTable, type Dataset, tableName, text } from '../sql/index.ts';
import { fieldOf } from '../tables/fields.ts';

/**
 * What workers did that costs, and what they waited for. Rows are inserted (which costs nothing, and disturbs nobody):
 * so a restart does not forget the day, and `aorta status` can tell of workers on other machines.
 */
export const activityTable: ControlTable = {
  name: 'aorta_activity',
  doc: 'What merges cost, and what was waited for.',
  fields: [
    fieldOf('at', 'timestamp', true, 'When it ended.'),
    fieldOf('worker', 'string', true, 'Which process it was.'),
    fieldOf('what', 'string', true, '`merge`, `bookkeeping` or `wait`.'),
    fieldOf('target', 'string', true, 'Table that it was for; empty where for none.'),
    fieldOf('reason', 'string', false, 'What was waited for.'),
    fieldOf('estimated_bytes', 'int64', true, 'Bytes that a dry run said before.', 'byte'),
    fieldOf('billed_bytes', 'int64', true, 'Bytes that were billed.', 'byte'),
    fieldOf('waited_ms', 'int64', true, 'How long was waited.', 'ms'),
  ],
  cluster: [],
};

export interface Activity {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly worker: string;
  readonly what: 'merge' | 'bookkeeping' | 'wait';
  readonly target: string;
  readonly reason?: string;
  readonly estimatedBytes: number;
  readonly billedBytes: number;
  readonly waitedMs: number;
}

const NAME = activityTable.name;

/** Writes activities down. */
export function activityStatement(dataset: Dataset, activities: readonly Activity[]): string {
  const rows = activities.map(
    ({ at, worker, what, target, reason, estimatedBytes, billedBytes, waitedMs }) =>
      `(TIMESTAMP_MILLIS(${at}), ${text(worker)}, '${what}', ${text(target)}, ${reason === undefined ? 'NULL' : text(reason)}, ${Math.round(estimatedBytes)}, ${Math.round(billedBytes)}, ${Math.round(waitedMs)})`,
  );
  return `INSERT INTO ${tableName(dataset, NAME)} (at, worker, what, target, reason, estimated_bytes, billed_bytes, waited_ms)
VALUES ${rows.join(',\n  ')}`;
}

const day = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Asks for the bytes billed today (UTC), over all workers: one row with one number. */
export function spentStatement(dataset: Dataset, now: number): string {
  return `SELECT CAST(IFNULL(SUM(billed_bytes), 0) AS STRING) AS billed
FROM ${tableName(dataset, NAME)}
WHERE at >= TIMESTAMP '${day(now)} 00:00:00+00'`;
}

/** Asks what the last days cost, by day and table; of merges how many there were, too. */
export function costStatement(dataset: Dataset, now: number, days: number): string {
  return `SELECT CAST(DATE(at) AS STRING) AS day, what, target, CAST(COUNT(*) AS STRING) AS times,
  CAST(SUM(estimated_bytes) AS STRING) AS estimated_bytes, CAST(SUM(billed_bytes) AS STRING) AS billed_bytes
FROM ${tableName(dataset, NAME)}
WHERE at >= TIMESTAMP '${day(now - (days - 1) * 86_400_000)} 00:00:00+00' AND what != 'wait'
GROUP BY day, what, target
ORDER BY day DESC, what, target`;
}

/** Asks what was waited for in the last hour: reason, how often, milliseconds, the last time. */
export function waitsStatement(dataset: Dataset, now: number): string {
  return `SELECT reason, CAST(COUNT(*) AS STRING) AS times, CAST(SUM(waited_ms) AS STRING) AS waited_ms,
  CAST(UNIX_MILLIS(MAX(at)) AS STRING) AS last_at
FROM ${tableName(dataset, NAME)}
WHERE what = 'wait' AND at >= TIMESTAMP_MILLIS(${now - 3_600_000})
GROUP BY reason
ORDER BY reason`;
}
