import type { ReadBatch, ReadLimit, StreamPartition } from '@aorta/connectors';
import type { StreamReader } from '@aorta/connectors/streams';
import type { StreamName } from '@aorta/schemas';

/** Fetches or derives data that events do not contain. A worker does one thing at a time. {@link runWorkers} runs it. */
export interface Worker {
  /** The streams that the worker reads. If it reads none, `reads` and `heard` are absent. */
  readonly reads?: StreamReading;
  /** Processes one batch of records. */
  heard?(batch: ReadBatch<StreamName>): void;
  /** Returns the time at which the next work is due, in milliseconds since 1970; Infinity if no work is left. */
  nextAt(now: number): number;
  /** Does one unit of work, such as a call to the service. If the signal aborts, the state is not saved. */
  work(signal: AbortSignal): Promise<void>;
  /**
   * Called after a batch or a unit of work. Emits the resulting records. If the state has changed, returns a function
   * that saves it. The caller calls this function after all emitted records are durable.
   */
  changes(): (() => Promise<void>) | undefined;
  /** Stops the worker. `lost`: another process may already run the job, so this process must not save the state. */
  close(lost: boolean): Promise<void>;
}

/** How a worker reads streams. */
export interface StreamReading {
  readonly reader: StreamReader;
  /** Maximum number of records and bytes in one batch. */
  readonly limit: ReadLimit;
  /** While this returns false, no further records are read. */
  hasRoom?(): boolean;
  /** Commits the position up to which a partition was read. It is used for monitoring only. */
  tell?(of: StreamPartition, position: number): Promise<void>;
}
