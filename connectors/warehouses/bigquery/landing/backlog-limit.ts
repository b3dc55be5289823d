/**
 * Maximum number of landing tables per stream. BigQuery allows 1,000 tables per query. The view of landed rows (such as
 * `sleep_landed`) reads all of the stream's landing tables and a few other tables. The difference leaves room for landing tables
 * that other workers create in the meantime.
 */
export const MOST_LANDED = 900;

/** A stream with at least this many batches is merged early, and landed less often until the batches are merged. */
export const BACKLOG_FROM = MOST_LANDED / 2;

const DAY_MS = 86_400_000;

/**
 * Returns the interval, in milliseconds, at which a partition should be landed. If the stream has many landing tables, the
 * interval is extended, so that their number takes at least a day to reach {@link MOST_LANDED}. Batches then grow, and records
 * wait longer in the stream. `waiting` is the number of the stream's landing tables, and `partitions` is the number of its
 * landed partitions.
 */
export function intervalForBacklog(intervalMs: number, waiting: number, partitions: number): number {
  if (waiting < BACKLOG_FROM) return intervalMs;
  if (waiting >= MOST_LANDED) return Math.max(intervalMs, DAY_MS);
  return Math.max(intervalMs, (DAY_MS / (MOST_LANDED - waiting)) * Math.max(1, partitions));
}
