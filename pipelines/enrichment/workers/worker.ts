import type { ReadableLog, ReadBatch, ReadLimit, StreamPartition } from '@aorta/connectors';
import type { ReadPosition, StreamReader } from '@aorta/connectors/streams';
import { pause, steadyNow } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type { Emitter } from './emitter.ts';

/** Fetches or derives data that events do not contain. A worker does one thing at a time. {@link runWorkers} runs it. */
export interface Worker {
  /** The streams that the worker reads. If it reads none, `reads` and `process` are absent. */
  readonly reads?: StreamReading;
  /** Processes one batch of records. */
  process?(batch: ReadBatch<StreamName>): void;
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
  commit?(of: StreamPartition, position: number): Promise<void>;
}

/** A stream log that is open until the worker stops or loses its partitions. */
export interface OpenLog {
  readonly log: Pick<ReadableLog, 'assigned' | 'incarnation' | 'start' | 'end' | 'read' | 'look'>;
  /** Commits the position up to which a partition was read. It is used for monitoring only. */
  readonly commit?: (of: StreamPartition, position: number) => Promise<void>;
  close(): Promise<void>;
}

/** Opens the log. `readBefore` returns the position up to which an earlier process read a partition. */
export type OpenStreams = (
  readBefore: (of: StreamPartition) => ReadPosition | undefined,
  streams: readonly StreamName[],
) => Promise<OpenLog>;

/** Milliseconds between two polls of the streams while no work is due. */
const LOOK_MS = 500;
/** Milliseconds to wait for records that the broker is still sending. */
const ARRIVING_MS = 20;
/** Maximum duration of a timer, in milliseconds. If work is due later, another timer follows. */
const LONGEST_PAUSE_MS = 3_600_000;

/** The workers of one job. They run concurrently, so that a slow worker does not delay the others. */
export interface Team {
  readonly workers: readonly Worker[];
  readonly emitter: Pick<Emitter, 'durable'>;
}

interface RunningOptions {
  readonly signal: AbortSignal;
  /** Aborts when another process owns the job. This process must not save state after that. */
  readonly lost?: AbortSignal | undefined;
  /** Default: `steadyNow`. */
  readonly now?: () => number;
}

/** Runs workers until the signal aborts. If one worker rejects, stops the others and rejects with the same error. */
export async function runWorkers(team: Team, options: RunningOptions): Promise<void> {
  const ended = new AbortController();
  const run = new Run(team, { ...options, signal: AbortSignal.any([options.signal, ended.signal]) });
  // Reads the streams first, because their records determine which work is due.
  for (const worker of team.workers) await run.read(worker);
  const outcomes = await Promise.allSettled(team.workers.map((worker) => run.goOn(worker).finally(() => ended.abort())));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** Runs the workers one at a time, until they have read their streams to the end and no work is due. */
export async function runWorkersOnce(team: Team, options: RunningOptions): Promise<void> {
  const run = new Run(team, options);
  do {
    for (const worker of team.workers) await run.readAll(worker);
  } while (!options.signal.aborted && (await run.workOnce()));
}

class Run {
  readonly #team: Team;
  readonly #signal: AbortSignal;
  readonly #lost: AbortSignal | undefined;
  readonly #now: () => number;
  /** Aborted to end the current pauses of all workers, and then replaced. */
  #wakeUp = new AbortController();

  constructor(team: Team, { signal, lost, now = steadyNow }: RunningOptions) {
    this.#team = team;
    this.#signal = signal;
    this.#lost = lost;
    this.#now = now;
  }

  /** Runs one worker until the signal aborts. */
  async goOn(worker: Worker): Promise<void> {
    while (!this.#signal.aborted) {
      const wakeUp = this.#wakeUp.signal;
      await this.read(worker);
      if (this.#signal.aborted) return;
      const wait = worker.nextAt(this.#now()) - this.#now();
      if (wait > 0) await pause(this.#patience(worker, wait), AbortSignal.any([this.#signal, wakeUp]));
      else await this.#work(worker);
    }
  }

  /** Runs the first worker that has due work. Returns whether there was one. */
  async workOnce(): Promise<boolean> {
    const now = this.#now();
    const due = this.#team.workers.find((worker) => worker.nextAt(now) <= now);
    if (due === undefined) return false;
    await this.#work(due);
    return true;
  }

  /** Reads the streams to their current end. Waits for records that a broker is still sending. */
  async readAll(worker: Worker): Promise<void> {
    for (;;) {
      await this.read(worker);
      if (worker.reads === undefined || this.#signal.aborted) return;
      if (worker.nextAt(this.#now()) <= this.#now() || !(await worker.reads.reader.isBehind())) return;
      await pause(worker.reads.hasRoom?.() === false ? LOOK_MS : ARRIVING_MS, this.#signal);
    }
  }

  /** Reads all available records, one batch per partition at a time. */
  async read(worker: Worker): Promise<void> {
    if (worker.reads === undefined) return;
    let keep: (() => Promise<void>) | undefined;
    let heard = false;
    while (!this.#signal.aborted && (await this.#pass(worker, worker.reads))) {
      heard = true;
      keep = await this.#settle(worker);
    }
    if (!heard) return;
    await this.#keep(keep);
    await this.#commit(worker.reads);
  }

  /** Reads one batch of every partition. Returns whether any partition had records. */
  async #pass(worker: Worker, { reader, limit, hasRoom = () => true }: StreamReading): Promise<boolean> {
    let heard = false;
    for (const partition of reader.partitions()) {
      if (!hasRoom()) break;
      const batch = await partition.next(limit);
      if (batch === undefined) continue;
      worker.process?.(batch);
      partition.advance(batch.to);
      if (batch.to > batch.from) heard = true;
    }
    return heard;
  }

  async #work(worker: Worker): Promise<void> {
    await worker.work(this.#signal);
    if (this.#signal.aborted) return;
    await this.#keep(await this.#settle(worker));
    // Wakes the other workers, because they may read the records that this worker emitted.
    this.#wakeUp.abort();
    this.#wakeUp = new AbortController();
  }

  /** Waits until all emitted records are durable, and then returns the function that saves the state. */
  async #settle(worker: Worker): Promise<(() => Promise<void>) | undefined> {
    const keep = worker.changes();
    await this.#team.emitter.durable();
    return keep;
  }

  async #keep(keep: (() => Promise<void>) | undefined): Promise<void> {
    if (this.#lost?.aborted !== true) await keep?.();
  }

  async #commit({ reader, commit }: StreamReading): Promise<void> {
    if (commit === undefined) return;
    for (const { of, read = 0 } of reader.partitions()) if (read > 0) await commit(of, read);
  }

  /** A single worker that reads no streams can sleep until its next work is due. */
  #patience({ reads }: Worker, wait: number): number {
    return Math.min(wait, reads === undefined && this.#team.workers.length === 1 ? LONGEST_PAUSE_MS : LOOK_MS);
  }
}
