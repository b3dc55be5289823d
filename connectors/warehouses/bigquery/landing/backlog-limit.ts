/**
 * Maximum number of landing tables per stream. BigQuery allows 1,000 tables per query, and the view of landed rows
 * (`sleep_landed`) names all of them and a few others. The rest is a reserve for tables that other workers land.
 */
export const MOST_LANDED = 900;

/** A stream with at least this many batches is merged early, and landed less often until the batches are merged. */
export const BACKLOG_FROM = MOST_LANDED / 2;

const DAY_MS = 86_400_000;

/**
 * Returns the milliseconds between two landings of a partition, so that the remaining tables up to {@link MOST_LANDED} last for
 * a day. `waiting` is the number of the stream's landing tables, `partitions` that of its landed partitions. Meanwhile, batches
 * grow and records wait in the stream.
 */
export function intervalForBacklog(intervalMs: number, waiting: number, partitions: number): number {
  if (waiting < BACKLOG_FROM) return intervalMs;
  if (waiting >= MOST_LANDED) return Math.max(intervalMs, DAY_MS);
  return Math.max(intervalMs, (DAY_MS / (MOST_LANDED - waiting)) * Math.max(1, partitions));
}
