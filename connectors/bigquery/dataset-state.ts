import type { Logger } from '@aorta/runtime';
import type { Landed, LandedPartition } from '../warehouse.ts';
import type { JobRunner } from './client/jobs.ts';
import { forMany } from './concurrency.ts';
import { look, readMerged } from './discovery.ts';
import type { LandedBatch } from './landing/landed-batch.ts';
import { partitionKey } from './landing/positions.ts';
import { MergedRecord } from './merging/merged-record.ts';

/** Age in milliseconds at which an empty landing table is dropped. No load takes that long. */
const ORPHANED_MS = 86_400_000;

/** A worker's view of what is landed and merged. Its own changes appear at once. Other workers' changes appear after a refresh. */
export class DatasetState {
  readonly merged = new MergedRecord();
  readonly #jobs: JobRunner;
  readonly #logger: Logger;
  /** Batches that are landed and not dropped, by table name. */
  readonly #batches = new Map<string, LandedBatch>();
  /** How far each partition is landed, by {@link partitionKey}. */
  readonly #landed = new Map<string, Landed>();
  readonly #forgotten = new Set<string>();
  #needlessPositions = 0;
  #seenAt = Number.NEGATIVE_INFINITY;
  #seeing: Promise<void> | undefined;

  constructor(jobs: JobRunner, logger: Logger) {
    this.#jobs = jobs;
    this.#logger = logger;
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#landed.get(partitionKey(of));
  }

  /** Records how far this worker has landed a partition. */
  advance(of: LandedPartition, landed: Landed): void {
    this.#landed.set(partitionKey(of), landed);
  }

  batches(): LandedBatch[] {
    return [...this.#batches.values()];
  }

  batch(name: string): LandedBatch | undefined {
    return this.#batches.get(name);
  }

  add(batch: LandedBatch): void {
    this.#batches.set(batch.name, batch);
  }

  /** Removes a batch that this or another worker has dropped. */
  remove(name: string): void {
    this.#batches.delete(name);
  }

  /** Milliseconds since the last refresh. */
  age(): number {
    return this.#jobs.now() - this.#seenAt;
  }

  /** Refreshes the view of all workers' batches. Concurrent callers share one refresh. */
  see(): Promise<void> {
    this.#seeing ??= this.#see().finally(() => {
      this.#seeing = undefined;
    });
    return this.#seeing;
  }

  async #see(): Promise<void> {
    const before = [...this.#batches.keys()];
    const { discovery, landed, merged, needlessPositions } = await look(this.#jobs, this.#batches);
    this.#needlessPositions = needlessPositions;
    for (const [key, position] of landed) {
      const known = this.#landed.get(key);
      // A batch that this worker has landed meanwhile is newer.
      if (known?.incarnation === position.incarnation && known.position >= position.position) continue;
      this.#landed.set(key, position);
    }
    const there = new Set(discovery.batches.map(({ name }) => name));
    const seen = this.#jobs.now();
    for (const batch of discovery.batches) {
      // If the clock of the worker that landed the batch was ahead, the batch counts as landed when it was first seen.
      const landedAt = this.#batches.get(batch.name)?.landedAt ?? Math.min(batch.landedAt, seen);
      this.#batches.set(batch.name, { ...batch, landedAt });
    }
    // Batches that are no longer found were merged and dropped by other workers. `look` has checked that a stored position
    // covers them.
    for (const name of before) if (!there.has(name)) this.#batches.delete(name);
    this.#learn(merged);
    if (discovery.unknownStreams.length > 0)
      this.#logger.warn('batches of unknown streams wait for a newer version', { batches: discovery.unknownStreams.length });
    const orphans = discovery.unloaded.filter(({ createdAt }) => createdAt > 0 && seen - createdAt > ORPHANED_MS);
    await forMany(orphans, ({ name }) => this.drop(name));
    this.#seenAt = seen;
  }

  async readMerged(): Promise<void> {
    this.#learn(await readMerged(this.#jobs));
  }

  /**
   * Adds the merge records that were read, and forgets the records of dropped batches. Keeps known records that the read did
   * not return, because their merges may have ended after it.
   */
  #learn(merged: MergedRecord): void {
    this.merged.addAll(merged);
    for (const name of [...this.merged.batches()]) if (!this.#batches.has(name)) this.forget(name);
  }

  /** Forgets the merge records of a dropped batch. Their stored rows may be deleted later. */
  forget(name: string): void {
    this.merged.forget(name);
    this.#forgotten.add(name);
  }

  get forgotten(): ReadonlySet<string> {
    return this.#forgotten;
  }

  /** Called after the stored merge records of these batches were deleted. */
  deleted(names: readonly string[]): void {
    for (const name of names) this.#forgotten.delete(name);
  }

  /** Number of stored positions that may be deleted, as of the last refresh. */
  get needlessPositions(): number {
    return this.#needlessPositions;
  }

  /** Drops a landing table. Does nothing if it is already gone. */
  async drop(table: string): Promise<void> {
    await this.#jobs.ifThere('dropping a landing table', () => this.#jobs.client.deleteTable(table), table);
  }

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
