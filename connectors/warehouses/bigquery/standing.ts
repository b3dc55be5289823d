import type { Logger } from '@aorta/runtime';
import type { Jobs } from './client/jobs.ts';
import { look, readMerged } from './discovery.ts';
import type { LandedAgain } from './landing/landed-again.ts';
import type { LandedBatch } from './landing/landed-batch.ts';
import type { Coverage } from './landing/positions.ts';
import { forMany } from './layout.ts';
import { MergedRecord } from './merging/merged-record.ts';
import type { Dataset } from './sql/index.ts';

export interface StandingOptions {
  readonly jobs: Jobs;
  readonly dataset: Dataset;
  /** Streams that an upgrade lands again. */
  readonly again: LandedAgain;
  readonly logger: Logger;
  /** Milliseconds since 1970, as the service has them. */
  readonly now: () => number;
  /** Hears how far partitions are landed, whenever that was seen. */
  readonly onLanded: (landed: Coverage['landed']) => void;
}

/** A landing table into which nothing was loaded is swept away after so long: no load is under way for that time. */
const ORPHANED_MS = 86_400_000;

/** What is landed and what is merged, as far as this worker knows: of its own work at once, of others' when it looks. */
export class Standing {
  readonly #options: StandingOptions;
  /** Landed and not dropped, by the table's name. */
  readonly #batches = new Map<string, LandedBatch>();
  readonly merged = new MergedRecord();
  readonly #forgotten = new Set<string>();
  #needlessPositions = 0;
  #seenAt = Number.NEGATIVE_INFINITY;
  #seeing: Promise<void> | undefined;

  constructor(options: StandingOptions) {
    this.#options = options;
  }

  /** The batches that are landed and not dropped. */
  batches(): LandedBatch[] {
    return [...this.#batches.values()];
  }

  batch(name: string): LandedBatch | undefined {
    return this.#batches.get(name);
  }

  add(batch: LandedBatch): void {
    this.#batches.set(batch.name, batch);
  }

  /** It is dropped, or another worker has dropped it. */
  remove(name: string): void {
    this.#batches.delete(name);
  }

  /** Milliseconds since this worker has looked. */
  age(): number {
    return this.#options.now() - this.#seenAt;
  }

  /** Looks at what is landed and merged, of all workers; once for all who ask at the same time. */
  see(): Promise<void> {
    this.#seeing ??= this.#see().finally(() => {
      this.#seeing = undefined;
    });
    return this.#seeing;
  }

  async #see(): Promise<void> {
    const { jobs, dataset, again, logger, now, onLanded } = this.#options;
    const before = [...this.#batches.keys()];
    const { discovery, landed, merged, needlessPositions } = await look(jobs, dataset, this.#batches, again);
    this.#needlessPositions = needlessPositions;
    onLanded(landed);
    const there = new Set(discovery.batches.map(({ name }) => name));
    for (const batch of discovery.batches) this.#batches.set(batch.name, batch);
    // Others have dropped what is not there any more: a written position covers it.
    for (const name of before) if (!there.has(name)) this.#batches.delete(name);
    this.#learn(merged);
    if (discovery.strangers.length > 0)
      logger.warn('batches of unknown streams wait for a newer version', { batches: discovery.strangers.length });
    const seen = now();
    const orphans = discovery.unloaded.filter(({ createdAt }) => createdAt > 0 && seen - createdAt > ORPHANED_MS);
    await forMany(orphans, ({ name }) => this.drop(name));
    this.#seenAt = seen;
  }

  /** Reads anew what is merged. */
  async readMerged(): Promise<void> {
    const { jobs, dataset } = this.#options;
    this.#learn(await readMerged(jobs, dataset));
  }

  /** A merge may have ended since it was read: nothing that is known is taken back, but of batches that are gone. */
  #learn(merged: MergedRecord): void {
    this.merged.addAll(merged);
    for (const name of [...this.merged.batches()]) if (!this.#batches.has(name)) this.forget(name);
  }

  /** What was merged of a batch is not needed any more: its table is gone. It may be deleted some time. */
  forget(name: string): void {
    this.merged.forget(name);
    this.#forgotten.add(name);
  }

  /** Batches that are gone, and of which something is still written down. */
  get forgotten(): ReadonlySet<string> {
    return this.#forgotten;
  }

  /** What was written down of these is deleted. */
  deleted(names: readonly string[]): void {
    for (const name of names) this.#forgotten.delete(name);
  }

  /** Written positions that may be deleted, as far as this worker has seen. */
  get needlessPositions(): number {
    return this.#needlessPositions;
  }

  /** Drops a landing table. A second call does nothing. */
  async drop(table: string): Promise<void> {
    const { jobs } = this.#options;
    await jobs.ifThere('dropping a landing table', () => jobs.client.deleteTable(table), table);
  }

  /** Landing tables of a stream. */
  waiting(stream: string): number {
    let tables = 0;
    for (const batch of this.#batches.values()) if (batch.stream === stream) tables++;
    return tables;
  }

  backlog(): { batches: number; records: number } {
    let records = 0;
    for (const batch of this.#batches.values()) records += batch.records;
    return { batches: this.#batches.size, records };
  }
}
