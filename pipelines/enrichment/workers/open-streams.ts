import type { ReadableLog, StreamPartition } from '@aorta/connectors';
import type { ReadPosition } from '@aorta/connectors/streams';
import type { StreamName } from '@aorta/schemas';

/** The log that a worker reads until it is stopped or loses its partitions. */
export interface OpenLog {
  readonly log: Pick<ReadableLog, 'assigned' | 'incarnation' | 'start' | 'end' | 'read' | 'look'>;
  /** Says how far a partition was read, for those who watch. */
  readonly tell?: (of: StreamPartition, position: number) => Promise<void>;
  close(): Promise<void>;
}

/** Opens it. `readBefore` says at any time how far the worker is in a partition: one that is assigned is read from there. */
export type OpenStreams = (
  readBefore: (of: StreamPartition) => ReadPosition | undefined,
  streams: readonly StreamName[],
) => Promise<OpenLog>;
