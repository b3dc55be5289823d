/**
 * Landing tables of one stream at most. The service takes 1,000 tables in a query, and the view of landed rows (`sleep_landed`)
 * names all landing tables of its stream, and a few others. The rest is for what other workers land unseen.
 */
export const MOST_LANDED = 900;

/** So many batches of a stream are merged though their time has not come, and landed less often while they wait. */
export const CROWDED = MOST_LANDED / 2;

const DAY_MS = 86_400_000;

/**
 * Milliseconds from one landing of a partition to the next, where `waiting` landing tables of the stream are not dropped yet
 * and so many partitions of it are landed: what is left up to {@link MOST_LANDED} then lasts for a day. Batches grow
 * meanwhile, and nothing is lost: records wait in the stream. Pure.
 */
export function uncrowdedInterval(intervalMs: number, waiting: number, partitions: number): number {
  if (waiting < CROWDED) return intervalMs;
  if (waiting >= MOST_LANDED) return Math.max(intervalMs, DAY_MS);
  return Math.max(intervalMs, (DAY_MS / (MOST_LANDED - waiting)) * Math.max(1, partitions));
}
