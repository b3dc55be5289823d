/** Changes the state at the end of a step. It must not wait for anything. */
export type Finish = () => void;

/** Steps of one destination, such as the attempts at a webhook endpoint. One step ends before the next begins. */
export interface Sequence {
  /** Tells this sequence from all others. */
  readonly name: string;
  /** Returns when the next step is due, in milliseconds since 1970; undefined if nothing waits. */
  due(): number | undefined;
  /**
   * Does the next step at a virtual time. Its finish becomes a transaction, unless the signal aborted meanwhile. Then the step
   * is done again later.
   */
  step(at: number, signal: AbortSignal): Promise<Finish>;
}

interface Parts {
  /** Runs a finish as one transaction. */
  readonly commit: (finish: Finish) => void;
  readonly now: () => number;
  /** Called when a sequence has nothing due. */
  readonly rested: () => void;
}

/** Gives the event loop a turn, in which requests are answered. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The sequences of all destinations. Each runs by itself, so a slow one delays no other. While the clock advances, a step has
 * the time at which it is due, however long the steps before it took. So the speed of a destination changes no result.
 */
export class Sequences {
  readonly #parts: Parts;
  readonly #lists: (() => readonly Sequence[])[] = [];
  readonly #running = new Map<string, AbortSignal>();
  /** Time of the last step of each sequence during the present advances. */
  readonly #positions = new Map<string, number>();
  #stopping = new AbortController();
  #isClosed = false;
  /** Resolves with the end of the next step of any sequence. */
  #next = Promise.withResolvers<void>();
  #failure: { readonly error: unknown } | undefined;
  #advances = 0;
  #from = 0;
  #areJobsMoving = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Adds sequences. `list` returns those that exist now. */
  add(list: () => readonly Sequence[]): void {
    this.#lists.push(list);
  }

  /** Returns when the next step is due of the sequences that rest; undefined if none waits. */
  next(): number | undefined {
    const resting = this.#all().filter(({ name }) => !this.#running.has(name));
    return resting
      .map((sequence) => sequence.due())
      .reduce((one, other) => Math.min(one ?? Infinity, other ?? Infinity), undefined);
  }

  get areMoving(): boolean {
    return this.#running.size > 0;
  }

  /** Lets each sequence do what is due. */
  follow(): void {
    if (this.#isClosed) return;
    const limit = this.#limit;
    for (const sequence of this.#all())
      if (!this.#running.has(sequence.name) && isDue(sequence, limit)) void this.#run(sequence, this.#stopping.signal);
  }

  /**
   * Carries out an advance of the clock, whose jobs `move` does. Resolves when the sequences, too, have done what is due until
   * its end. Rejects with the first error.
   */
  async advance(move: () => Promise<void>, until: number): Promise<void> {
    if (this.#advances === 0) {
      this.#positions.clear();
      this.#from = this.#parts.now();
    }
    this.#advances += 1;
    try {
      await move();
      await this.#reach(until);
    } finally {
      this.#advances -= 1;
    }
  }

  /** Keeps the sequences before the present time while jobs are being done, because more jobs of this time may follow. */
  async behind(jobs: () => Promise<void>): Promise<void> {
    this.#areJobsMoving = true;
    try {
      await jobs();
    } finally {
      this.#areJobsMoving = false;
    }
  }

  /** Resolves after the next step of any sequence. */
  stepped(): Promise<void> {
    return this.#next.promise;
  }

  /** Interrupts all steps and ignores their results. They are done again when they are followed again. */
  stop(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#running.clear();
    this.#ended();
  }

  /** Interrupts all steps for good. Advances that wait for them reject. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  async #reach(until: number): Promise<void> {
    for (;;) {
      if (this.#isClosed) throw new Error('the service was closed before the end of the advance');
      const step = this.#next.promise;
      this.follow();
      if (!this.#all().some((sequence) => isDue(sequence, until))) return;
      await step;
      if (this.#failure === undefined) continue;
      const { error } = this.#failure;
      this.#failure = undefined;
      throw error;
    }
  }

  async #run(sequence: Sequence, signal: AbortSignal): Promise<void> {
    const { name } = sequence;
    this.#running.set(name, signal);
    try {
      while (!signal.aborted && isDue(sequence, this.#limit)) {
        await this.#step(sequence, signal);
        await turn();
      }
    } catch (error) {
      // Without an advance, nobody waits for the step. The error is a defect, so it must end the process.
      if (this.#advances === 0) throw error;
      this.#failure ??= { error };
    } finally {
      if (this.#running.get(name) === signal) this.#running.delete(name);
      this.#ended();
    }
    if (!signal.aborted) this.#parts.rested();
  }

  async #step(sequence: Sequence, signal: AbortSignal): Promise<void> {
    const { name } = sequence;
    const now = this.#parts.now();
    const at = this.#advances === 0 ? now : Math.max(sequence.due()!, this.#from, this.#positions.get(name) ?? 0);
    this.#positions.set(name, at);
    const finish = await sequence.step(at, signal);
    if (signal.aborted) return;
    this.#parts.commit(finish);
    this.#ended();
  }

  get #limit(): number {
    return this.#parts.now() - (this.#areJobsMoving ? 1 : 0);
  }

  #all(): Sequence[] {
    return this.#lists.flatMap((list) => list());
  }

  #ended(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }
}

function isDue(sequence: Sequence, until: number): boolean {
  const due = sequence.due();
  return due !== undefined && due <= until;
}
