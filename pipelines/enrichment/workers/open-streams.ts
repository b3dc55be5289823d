import type { ReadableLog, StreamPartition } from '@aorta/connectors';
import type { ReadPosition } from '@aorta/connectors/streams';
import type { StreamName } from '@aorta/schemas';

/** A stream log that a worker reads until it stops or loses its partitions. */
export interface OpenLog {
  readonly log: Pick<ReadableLog, 'assigned' | 'incarnation' | 'start' | 'end' | 'read' | 'look'>;
  /** Reports the read position of a partition, for monitoring only. */
  readonly tell?: (of: StreamPartition, position: number) => Promise<void>;
  close(): Promise<void>;
}

/** Opens the log. `readBefore` returns the position from which an assigned partition is read. */
export type OpenStreams = (
  readBefore: (of: StreamPartition) => ReadPosition | undefined,
  streams: readonly StreamName[],
) => Promise<OpenLog>;
