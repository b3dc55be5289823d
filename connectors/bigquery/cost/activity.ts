import { type Dataset, tableName, text } from '../sql/types.ts';

/** The slot time per byte is computed from the merges of this many days. */
const RATE_DAYS = 7;

const DAY_MS = 86_400_000;

/**
 * A billed job or a wait. Each is inserted as a new row, because inserts are free and do not conflict. A restarted worker reads
 * the day's spending from these rows, and `aorta status` reads what workers on other machines have spent.
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
  /** Billed slot time; 0 if bytes are billed. */
  readonly slotMs: number;
  readonly waitedMs: number;
}

export const ACTIVITY = 'aorta_activity';

export function activityStatement(dataset: Dataset, activities: readonly Activity[]): string {
  const rows = activities.map(
    ({ at, worker, what, target, reason, estimatedBytes, billedBytes, slotMs, waitedMs }) =>
      `(TIMESTAMP_MILLIS(${at}), ${text(worker)}, '${what}', ${text(target)}, ${reason === undefined ? 'NULL' : text(reason)}, ${Math.round(estimatedBytes)}, ${Math.round(billedBytes)}, ${Math.round(waitedMs)}, ${Math.round(slotMs)})`,
  );
  return `INSERT INTO ${tableName(dataset, ACTIVITY)} (ended_at, worker, what, target, reason, estimated_bytes, billed_bytes, waited_ms, slot_ms)
VALUES ${rows.join(',\n  ')}`;
}

const day = (now: number): string => new Date(now).toISOString().slice(0, 10);

/**
 * Returns a query with one row per table. The row has the bytes and slot time billed to other workers today (UTC), and the
 * estimated bytes and slot time of recent merges.
 */
export function spentStatement(dataset: Dataset, worker: string, now: number): string {
  const ofOthers = `ended_at >= TIMESTAMP '${day(now)} 00:00:00+00' AND worker != ${text(worker)}`;
  const sum = (condition: string, value: string): string => `CAST(IFNULL(SUM(IF(${condition}, ${value}, 0)), 0) AS STRING)`;
  const bySlots = "what = 'merge' AND slot_ms > 0";
  return `SELECT target, ${sum(ofOthers, 'billed_bytes')} AS billed, ${sum(ofOthers, 'slot_ms')} AS slot_time,
  ${sum(bySlots, 'estimated_bytes')} AS estimated, ${sum(bySlots, 'slot_ms')} AS took
FROM ${tableName(dataset, ACTIVITY)}
WHERE ended_at >= TIMESTAMP '${day(now - (RATE_DAYS - 1) * DAY_MS)} 00:00:00+00'
GROUP BY target`;
}

/** Returns a query for the costs and the number of merges, by day and table. */
export function costStatement(dataset: Dataset, now: number, days: number): string {
  return `SELECT CAST(DATE(ended_at) AS STRING) AS day, what, target, CAST(COUNT(*) AS STRING) AS times,
  CAST(SUM(estimated_bytes) AS STRING) AS estimated_bytes, CAST(SUM(billed_bytes) AS STRING) AS billed_bytes,
  CAST(SUM(slot_ms) AS STRING) AS slot_time
FROM ${tableName(dataset, ACTIVITY)}
WHERE ended_at >= TIMESTAMP '${day(now - (days - 1) * DAY_MS)} 00:00:00+00' AND what != 'wait'
GROUP BY day, what, target
ORDER BY day DESC, what, target`;
}

/** Returns a query for the waits of the last hour, by reason: their number, total milliseconds, and the time of the last one. */
export function waitsStatement(dataset: Dataset, now: number): string {
  return `SELECT reason, CAST(COUNT(*) AS STRING) AS times, CAST(SUM(waited_ms) AS STRING) AS waited_ms,
  CAST(UNIX_MILLIS(MAX(ended_at)) AS STRING) AS last_at
FROM ${tableName(dataset, ACTIVITY)}
WHERE what = 'wait' AND ended_at >= TIMESTAMP_MILLIS(${now - 3_600_000})
GROUP BY reason
ORDER BY reason`;
}
