import type { ReadBatch, ReadLimit, StreamPartition } from '@aorta/connectors';
import type { StreamReader } from '@aorta/connectors/streams';
import type { StreamName } from '@aorta/schemas';

/**
 * A worker that asks the service for what events lack. It does one thing at a time: it takes in what its streams bring,
 * works when work is due, and returns the state to keep. {@link runWorkers} runs it.
 */
export interface Worker {
  /** The streams that it reads. A worker that reads none leaves this and `heard` out. */
  readonly reads?: Reading;
  /** Takes a batch of them in. */
  heard?(batch: ReadBatch<StreamName>): void;
  /** When work is due, in milliseconds since 1970; infinite while there is none. */
  nextAt(now: number): number;
  /** Does one piece of work: a call of the service, say. If the signal aborts it, no state is kept. */
  work(signal: AbortSignal): Promise<void>;
  /**
   * Called when something was heard or done: emits what follows from it, and gives what keeps the state of this moment.
   * That is called when everything emitted so far is durable. Undefined if there is nothing to keep now.
   */
  changes(): (() => Promise<void>) | undefined;
  /** Stops the worker. `lost`: another process may already do its work, so this one keeps no more state. */
  close(lost: boolean): Promise<void>;
}

/** How a worker reads streams. */
export interface Reading {
  readonly reader: StreamReader;
  /** Of one batch. */
  readonly limit: ReadLimit;
  /** While it is false, records stay in their streams. */
  hasRoom?(): boolean;
  /** Says how far a partition was read, for those who watch; no worker depends on it. */
  tell?(of: StreamPartition, position: number): Promise<void>;
}
