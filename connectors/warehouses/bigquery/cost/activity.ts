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
  /** Slot time that is paid for; 0 where bytes are billed. */
  readonly slotMs: number;
  readonly waitedMs: number;
}

/** Where activities are written down. */
export const ACTIVITY = 'aorta_activity';

/** What its column of slot time is called. An earlier version's table lacks it. */
export const SLOT_COLUMN = 'slot_ms';

const slotMs = (hasSlotTime: boolean): string => (hasSlotTime ? `IFNULL(${SLOT_COLUMN}, 0)` : '0');

/** Writes activities down. */
export function activityStatement(dataset: Dataset, activities: readonly Activity[], hasSlotTime: boolean): string {
  const rows = activities.map(
    ({ at, worker, what, target, reason, estimatedBytes, billedBytes, slotMs, waitedMs }) =>
      `(TIMESTAMP_MILLIS(${at}), ${text(worker)}, '${what}', ${text(target)}, ${reason === undefined ? 'NULL' : text(reason)}, ${Math.round(estimatedBytes)}, ${Math.round(billedBytes)}, ${Math.round(waitedMs)}${hasSlotTime ? `, ${Math.round(slotMs)}` : ''})`,
  );
  return `INSERT INTO ${tableName(dataset, ACTIVITY)} (ended_at, worker, what, target, reason, estimated_bytes, billed_bytes, waited_ms${hasSlotTime ? `, ${SLOT_COLUMN}` : ''})
VALUES ${rows.join(',\n  ')}`;
}

const day = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Days whose merges tell how much slot time a byte takes. */
const RATE_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Asks what all workers but one have spent today (UTC), and how much slot time the merges of the last days took for the
 * bytes that they were estimated at: a row a table, of bytes billed, slot time, bytes estimated, slot time of these.
 */
export function spentStatement(dataset: Dataset, worker: string, now: number, hasSlotTime: boolean): string {
  const slots = slotMs(hasSlotTime);
  const ofOthers = `ended_at >= TIMESTAMP '${day(now)} 00:00:00+00' AND worker != ${text(worker)}`;
  const sum = (condition: string, value: string): string => `CAST(IFNULL(SUM(IF(${condition}, ${value}, 0)), 0) AS STRING)`;
  const bySlots = `what = 'merge' AND ${slots} > 0`;
  return `SELECT target, ${sum(ofOthers, 'billed_bytes')} AS billed, ${sum(ofOthers, slots)} AS slot_time,
  ${sum(bySlots, 'estimated_bytes')} AS estimated, ${sum(bySlots, slots)} AS took
FROM ${tableName(dataset, ACTIVITY)}
WHERE ended_at >= TIMESTAMP '${day(now - (RATE_DAYS - 1) * DAY_MS)} 00:00:00+00'
GROUP BY target`;
}

/** Asks what the last days cost, by day and table; of merges how many there were, too. */
export function costStatement(dataset: Dataset, now: number, days: number, hasSlotTime: boolean): string {
  return `SELECT CAST(DATE(ended_at) AS STRING) AS day, what, target, CAST(COUNT(*) AS STRING) AS times,
  CAST(SUM(estimated_bytes) AS STRING) AS estimated_bytes, CAST(SUM(billed_bytes) AS STRING) AS billed_bytes,
  CAST(SUM(${slotMs(hasSlotTime)}) AS STRING) AS slot_time
FROM ${tableName(dataset, ACTIVITY)}
WHERE ended_at >= TIMESTAMP '${day(now - (days - 1) * DAY_MS)} 00:00:00+00' AND what != 'wait'
GROUP BY day, what, target
ORDER BY day DESC, what, target`;
}

/** Asks what was waited for in the last hour: reason, how often, milliseconds, the last time. */
export function waitsStatement(dataset: Dataset, now: number): string {
  return `SELECT reason, CAST(COUNT(*) AS STRING) AS times, CAST(SUM(waited_ms) AS STRING) AS waited_ms,
  CAST(UNIX_MILLIS(MAX(ended_at)) AS STRING) AS last_at
FROM ${tableName(dataset, ACTIVITY)}
WHERE what = 'wait' AND ended_at >= TIMESTAMP_MILLIS(${now - 3_600_000})
GROUP BY reason
ORDER BY reason`;
}
