import type { ReadableLog, StreamPartition } from '@aorta/streams';

/** How far a partition was read. */
export interface Heard {
  readonly incarnation: string;
  readonly position: number;
}

/** Where reading goes on; undefined where the partition was never read, or is another one since. */
export function positionIn(
  log: Pick<ReadableLog, 'incarnation' | 'start'>,
  of: StreamPartition,
  heard: Heard | undefined,
): number | undefined {
  // What was dropped before it was read is gone: the log says so.
  return heard?.incarnation === log.incarnation(of) ? Math.max(heard.position, log.start(of)) : undefined;
}
