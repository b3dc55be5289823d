import type { ReadBatch, ReadLimit, StreamPartition } from '@aorta/connectors';
import type { StreamReader } from '@aorta/connectors/streams';
import type { StreamName } from '@aorta/schemas';

/** Asks the service for data that events lack. It does one thing at a time. {@link runWorkers} runs it. */
export interface Worker {
  /** The streams to read; absent, like `heard`, if the worker reads none. */
  readonly reads?: StreamReading;
  /** Handles one batch of records. */
  heard?(batch: ReadBatch<StreamName>): void;
  /** Returns when work is due, in milliseconds since 1970; Infinity if there is none. */
  nextAt(now: number): number;
  /** Does one piece of work, such as a call of the service. If the signal aborts, no state is saved. */
  work(signal: AbortSignal): Promise<void>;
  /**
   * Called after a batch or a piece of work. Emits the resulting records and returns a function that saves the current state,
   * if it changed. That function is called when all emitted records are durable.
   */
  changes(): (() => Promise<void>) | undefined;
  /** Stops the worker. `lost`: another process may already run the job, so this one saves no state. */
  close(lost: boolean): Promise<void>;
}

/** How a worker reads streams. */
export interface StreamReading {
  readonly reader: StreamReader;
  /** Limit of one batch. */
  readonly limit: ReadLimit;
  /** While it returns false, records stay in their streams. */
  hasRoom?(): boolean;
  /** Reports the read position of a partition, for monitoring only. */
  tell?(of: StreamPartition, position: number): Promise<void>;
}
