import { pause } from '@aorta/runtime';
import type { Emitter } from './emitter.ts';
import type { Reading, Worker } from './worker.ts';

/** Streams are looked at so often while nothing is done. */
const LOOK_MS = 500;
/** What a broker is about to send is waited for so long at a time. */
const ARRIVING_MS = 20;
/** Timers cannot be set for as long as work may be away. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Workers that share one life: they run beside each other, so that what is slow for one holds up no other. */
export interface Team {
  readonly workers: readonly Worker[];
  readonly emitter: Pick<Emitter, 'durable'>;
}

export interface RunningOptions {
  readonly signal: AbortSignal;
  /** Aborts when another worker has this life: nothing more is kept. */
  readonly lost?: AbortSignal | undefined;
  /** Milliseconds since 1970; default: the machine's clock. */
  readonly now?: () => number;
}

/** Runs workers until the signal aborts. Rejects when one of them does; the others are stopped first. */
export async function runWorkers(team: Team, options: RunningOptions): Promise<void> {
  const ended = new AbortController();
  const run = new Run(team, { ...options, signal: AbortSignal.any([options.signal, ended.signal]) });
  // The streams say what is due first.
  for (const worker of team.workers) await run.hear(worker);
  const outcomes = await Promise.allSettled(team.workers.map((worker) => run.goOn(worker).finally(() => ended.abort())));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** Runs workers until they have heard everything that their streams hold, and nothing is due: one after the other, in their order. */
export async function runWorkersOnce(team: Team, options: RunningOptions): Promise<void> {
  const run = new Run(team, options);
  do {
    for (const worker of team.workers) await run.hearAll(worker);
  } while (!options.signal.aborted && (await run.workOnce()));
}

class Run {
  readonly #team: Team;
  readonly #signal: AbortSignal;
  readonly #lost: AbortSignal | undefined;
  readonly #now: () => number;
  /** Ends the pauses under way. */
  #stir = new AbortController();

  constructor(team: Team, { signal, lost, now = Date.now }: RunningOptions) {
    this.#team = team;
    this.#signal = signal;
    this.#lost = lost;
    this.#now = now;
  }

  /** Until the signal aborts. */
  async goOn(worker: Worker): Promise<void> {
    while (!this.#signal.aborted) {
      const stir = this.#stir.signal;
      await this.hear(worker);
      if (this.#signal.aborted) return;
      const wait = worker.nextAt(this.#now()) - this.#now();
      if (wait > 0) await pause(this.#patience(worker, wait), AbortSignal.any([this.#signal, stir]));
      else await this.#work(worker);
    }
  }

  /** Work of the first worker that has some due. Says whether there was any. */
  async workOnce(): Promise<boolean> {
    const now = this.#now();
    const due = this.#team.workers.find((worker) => worker.nextAt(now) <= now);
    if (due === undefined) return false;
    await this.#work(due);
    return true;
  }

  /** Hears everything that the streams hold now: of topics it may be on its way. */
  async hearAll(worker: Worker): Promise<void> {
    for (;;) {
      await this.hear(worker);
      if (worker.reads === undefined || this.#signal.aborted) return;
      if (worker.nextAt(this.#now()) <= this.#now() || !(await worker.reads.reader.isBehind())) return;
      await pause(worker.reads.hasRoom?.() === false ? LOOK_MS : ARRIVING_MS, this.#signal);
    }
  }

  /** Hears what has come, pass after pass over all partitions. */
  async hear(worker: Worker): Promise<void> {
    if (worker.reads === undefined) return;
    let keep: (() => Promise<void>) | undefined;
    let heard = false;
    while (!this.#signal.aborted && (await this.#pass(worker, worker.reads))) {
      heard = true;
      keep = await this.#settle(worker);
    }
    if (!heard) return;
    await this.#keep(keep);
    await this.#tell(worker.reads);
  }

  /** A batch of every partition. Says whether there was one. */
  async #pass(worker: Worker, { reader, limit, hasRoom = () => true }: Reading): Promise<boolean> {
    let heard = false;
    for (const partition of reader.partitions()) {
      if (!hasRoom()) break;
      const batch = await partition.next(limit);
      if (batch === undefined) continue;
      worker.heard?.(batch);
      partition.advance(batch.to);
      if (batch.to > batch.from) heard = true;
    }
    return heard;
  }

  async #work(worker: Worker): Promise<void> {
    await worker.work(this.#signal);
    if (this.#signal.aborted) return;
    await this.#keep(await this.#settle(worker));
    // What was emitted may be what another one hears.
    this.#stir.abort();
    this.#stir = new AbortController();
  }

  /** What is kept stands for this moment; it may be kept once that is durable. */
  async #settle(worker: Worker): Promise<(() => Promise<void>) | undefined> {
    const keep = worker.changes();
    await this.#team.emitter.durable();
    return keep;
  }

  async #keep(keep: (() => Promise<void>) | undefined): Promise<void> {
    if (this.#lost?.aborted !== true) await keep?.();
  }

  async #tell({ reader, tell }: Reading): Promise<void> {
    if (tell === undefined) return;
    for (const { of, read = 0 } of reader.partitions()) if (read > 0) await tell(of, read);
  }

  /** Alone and without streams, nothing brings work forward. */
  #patience({ reads }: Worker, wait: number): number {
    return Math.min(wait, reads === undefined && this.#team.workers.length === 1 ? LONGEST_PAUSE_MS : LOOK_MS);
  }
}
