import { setTimeout as sleep } from 'node:timers/promises';
import type { Machine } from './machine.ts';

const LOOK_EVERY_MS = 100;

/** A period in which a partition made no progress. Its start and end are timestamps from `performance.now()`. */
export interface PartitionSilence {
  readonly partition: string;
  readonly from: number;
  readonly to: number;
}

/** Watches the progress of partitions. New events constantly arrive in each, so a partition without progress is silent. */
export class Watch {
  readonly #machines: { readonly all: readonly Machine[] };
  readonly #partitions: { readonly names: readonly string[] };
  /**
   * For each partition, the highest position seen, and the times of the first and last polls that returned it. Only the time
   * between these polls counts as silence, because this process may poll late.
   */
  readonly #at = new Map<string, { readonly position: number; readonly since: number; until: number }>();
  readonly #silences: PartitionSilence[] = [];
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;

  constructor(machines: { readonly all: readonly Machine[] }, partitions: { readonly names: readonly string[] }) {
    this.#machines = machines;
    this.#partitions = partitions;
    this.#watching = this.#watch();
  }

  /** Waits until every partition has passed these positions. Throws if this takes longer than `milliseconds`. */
  async passed(positions: ReadonlyMap<string, number>, milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    for (;;) {
      const behind = this.#partitions.names.filter((name) => (this.#at.get(name)?.position ?? 0) < (positions.get(name) ?? 0));
      if (behind.length === 0) return;
      if (performance.now() > end) throw new Error(`not read within ${milliseconds} ms: ${behind.join(', ')}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Starts to watch new partitions. From now on, they count as silent if they make no progress. */
  begins(names: readonly string[]): void {
    const now = performance.now();
    for (const name of names) this.#at.set(name, { position: 0, since: now, until: now });
  }

  /** Returns the longest silence that ended after `moment` or has not ended yet. */
  longestSince(moment: number): PartitionSilence {
    const lasting = [...this.#at].map(([partition, { since, until }]) => ({ partition, from: since, to: until }));
    return [...this.#silences, ...lasting]
      .filter(({ to }) => to > moment)
      .reduce((most, one) => (one.to - one.from > most.to - most.from ? one : most), { partition: '', from: moment, to: moment });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const looks = await Promise.all(this.#machines.all.map((machine) => machine.positions()));
      for (const name of this.#partitions.names) this.#see(name, Math.max(-1, ...looks.map((look) => look.get(name) ?? -1)));
      await sleep(LOOK_EVERY_MS);
    }
  }

  #see(partition: string, position: number): void {
    const now = performance.now();
    const before = this.#at.get(partition);
    if (before === undefined ? position >= 0 : position > before.position) {
      if (before !== undefined) this.#silences.push({ partition, from: before.since, to: before.until });
      this.#at.set(partition, { position, since: now, until: now });
    } else if (before !== undefined) before.until = now;
  }
}
