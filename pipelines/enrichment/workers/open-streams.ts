import type { ReadableLog, StreamPartition } from '@aorta/connectors';
import type { ReadPosition } from '@aorta/connectors/streams';
import type { StreamName } from '@aorta/schemas';

/** A stream log that is open until the worker stops or loses its partitions. */
export interface OpenLog {
  readonly log: Pick<ReadableLog, 'assigned' | 'incarnation' | 'start' | 'end' | 'read' | 'look'>;
  /** Commits the position up to which a partition was read. It is used for monitoring only. */
  readonly tell?: (of: StreamPartition, position: number) => Promise<void>;
  close(): Promise<void>;
}

/** Opens the log. `readBefore` returns the position up to which an earlier process read a partition. */
export type OpenStreams = (
  readBefore: (of: StreamPartition) => ReadPosition | undefined,
  streams: readonly StreamName[],
) => Promise<OpenLog>;
