import { type Dataset, tableName, text } from '../sql/index.ts';

/**
 * Something that costs, or a wait. Rows are inserted (which costs nothing, and disturbs nobody): so a restart does not
 * forget the day, and `aorta status` can tell of workers on other machines.
 */
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

const NAME = 'aorta_activity';

/** Writes activities down. */
export function activityStatement(dataset: Dataset, activities: readonly Activity[]): string {
  const rows = activities.map(
    ({ at, worker, what, target, reason, estimatedBytes, billedBytes, waitedMs }) =>
      `(TIMESTAMP_MILLIS(${at}), ${text(worker)}, '${what}', ${text(target)}, ${reason === undefined ? 'NULL' : text(reason)}, ${Math.round(estimatedBytes)}, ${Math.round(billedBytes)}, ${Math.round(waitedMs)})`,
  );
  return `INSERT INTO ${tableName(dataset, NAME)} (ended_at, worker, what, target, reason, estimated_bytes, billed_bytes, waited_ms)
VALUES ${rows.join(',\n  ')}`;
}

const day = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Asks for the bytes that all workers but one were billed for today (UTC): one row with one number. */
export function spentStatement(dataset: Dataset, worker: string, now: number): string {
  return `SELECT CAST(IFNULL(SUM(billed_bytes), 0) AS STRING) AS billed
FROM ${tableName(dataset, NAME)}
WHERE ended_at >= TIMESTAMP '${day(now)} 00:00:00+00' AND worker != ${text(worker)}`;
}

/** Asks what the last days cost, by day and table; of merges how many there were, too. */
export function costStatement(dataset: Dataset, now: number, days: number): string {
  return `SELECT CAST(DATE(ended_at) AS STRING) AS day, what, target, CAST(COUNT(*) AS STRING) AS times,
  CAST(SUM(estimated_bytes) AS STRING) AS estimated_bytes, CAST(SUM(billed_bytes) AS STRING) AS billed_bytes
FROM ${tableName(dataset, NAME)}
WHERE ended_at >= TIMESTAMP '${day(now - (days - 1) * 86_400_000)} 00:00:00+00' AND what != 'wait'
GROUP BY day, what, target
ORDER BY day DESC, what, target`;
}

/** Asks what was waited for in the last hour: reason, how often, milliseconds, the last time. */
export function waitsStatement(dataset: Dataset, now: number): string {
  return `SELECT reason, CAST(COUNT(*) AS STRING) AS times, CAST(SUM(waited_ms) AS STRING) AS waited_ms,
  CAST(UNIX_MILLIS(MAX(ended_at)) AS STRING) AS last_at
FROM ${tableName(dataset, NAME)}
WHERE what = 'wait' AND ended_at >= TIMESTAMP_MILLIS(${now - 3_600_000})
GROUP BY reason
ORDER BY reason`;
}
