import type { AortaError } from '@aorta/runtime';
import { deliveries, type TableDeclaration } from '@aorta/schemas';
import type { MergeReport } from '../../warehouse.ts';
import { forMany } from '../concurrency.ts';
import { FORGOTTEN_AT_ONCE } from '../cost/price.ts';
import { LOOKS_FOR_MISSING, readPositions } from '../discovery.ts';
import { BigQueryError } from '../errors.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import { isPassed, lineKey, type StoredPosition } from '../landing/positions.ts';
import type { ResolvedOptions } from '../options.ts';
import { forgetMergedStatement, positionsStatement, prunePositionsStatement } from '../sql/control.ts';
import { isMerged, type MergedRecord } from './merged-record.ts';
import { type BigQueryMerger, LandingGone, type MergerParts } from './merger.ts';

/**
 * Maximum milliseconds since the last refresh of the dataset's state when due merges start. Each refresh lists all tables and
 * reads two control tables.
 */
const LOOK_EVERY_MS = 60_000;

/** Minimum interval, in milliseconds, at which superseded positions are deleted. */
const PRUNE_EVERY_MS = 86_400_000;
/** Reason that `status` and `doctor` show for a batch that was set aside. */
const ASIDE = 'a landed batch that BigQuery cannot merge, even on its own (AORTA-BIGQUERY-BATCH-ASIDE)';

/** Superseded positions are deleted only if there are at least this many. */
const NEEDLESS_POSITIONS = 1_000;

interface Dropping {
  readonly batches: readonly LandedBatch[];
  readonly positions: readonly StoredPosition[];
}

/**
 * Returns the landing tables that can be dropped because they are merged into every target, and the positions to store first.
 * Skips streams whose table another worker owns. The tables of a partition are dropped in order, after the position at their end
 * is stored. A gap between the stored position and the next table therefore always means a missing batch.
 */
export function droppable(
  landed: readonly LandedBatch[],
  merged: MergedRecord,
  tables: readonly TableDeclaration[],
  owns: (target: string) => boolean,
): Dropping {
  const lines = Map.groupBy(landed, lineKey);
  const batches: LandedBatch[] = [];
  const positions: StoredPosition[] = [];
  for (const line of lines.values()) {
    const [{ stream, partition, incarnation }] = line as [LandedBatch, ...LandedBatch[]];
    if (!owns((tables.find((table) => table.stream === stream) ?? deliveries).name)) continue;
    const front: LandedBatch[] = [];
    for (const batch of line.sort((a, b) => a.from - b.from)) {
      if (!isMerged(batch, merged, tables)) break;
      front.push(batch);
    }
    if (front.length === 0) continue;
    batches.push(...front);
    positions.push({ stream, partition, incarnation, position: Math.max(...front.map(({ to }) => to)) });
  }
  return { batches, positions };
}

/** Merges what is due, then drops the batches that are merged into every table. */
export class DatasetMergeRound {
  readonly #options: ResolvedOptions;
  readonly #parts: MergerParts;
  readonly #merger: BigQueryMerger;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ResolvedOptions, parts: MergerParts, merger: BigQueryMerger) {
    this.#options = options;
    this.#parts = parts;
    this.#merger = merger;
  }

  async run(extent: 'due' | 'all', tell: (merged: MergeReport) => void): Promise<void> {
    const { workers, merge_every_s } = this.#options;
    const { state, setAside, spending } = this.#parts;
    // Refreshes every minute, or twice per merge interval if that is more often, to see what other workers have landed.
    const looks = extent === 'all' || state.age() >= Math.min(LOOK_EVERY_MS, (merge_every_s * 1000) / 2);
    if (workers > 1 && looks) await state.see();
    let problem: AortaError | undefined;
    for (;;) {
      try {
        const outcome = await this.#merger.run(extent);
        if (outcome !== undefined) tell({ targets: outcome.targets, batches: outcome.batches });
        problem = outcome?.problem;
        break;
      } catch (error) {
        if (!(error instanceof LandingGone)) throw error;
        await this.#lookForGone(error.batches);
      }
    }
    await this.#dropMerged();
    setAside.keep((name) => state.batch(name) !== undefined);
    await this.#prune();
    for (const table of setAside.counts().keys()) spending.waited(ASIDE, 0, table);
    await spending.hear();
    await spending.write();
    // A caller that asked to merge everything needs to know what failed.
    if (problem !== undefined && extent === 'all') throw problem;
  }

  /**
   * Finds out which of these landing tables are gone, and whether another worker dropped them after merging. If no worker did, a
   * table is looked up several times before it counts as lost.
   */
  async #lookForGone(names: readonly string[]): Promise<void> {
    const { jobs, state } = this.#parts;
    const { dataset } = jobs.client;
    let left = names;
    for (let looks = 1; ; looks++) {
      const gone = await this.#goneOf(left);
      if (gone.length === 0) break;
      await state.readMerged();
      const lost = await this.#lostOf(gone);
      if (lost.length === 0) return;
      if (looks >= LOOKS_FOR_MISSING) throw new BigQueryError('AORTA-BIGQUERY-BATCH-GONE', { batch: lost[0]!, dataset });
      await jobs.rest(looks);
      left = lost;
    }
    // If all landing tables exist after all, the target table is missing.
    if (left === names) throw new BigQueryError('AORTA-BIGQUERY-MISSING', { step: 'a merge', of: `a table of ${dataset}` });
  }

  async #goneOf(names: readonly string[]): Promise<string[]> {
    const { jobs } = this.#parts;
    const there = await forMany(names, (name) => jobs.table(name, 'looking up a landing table'));
    return names.filter((_, index) => there[index] === undefined);
  }

  async #lostOf(gone: readonly string[]): Promise<string[]> {
    const { tables } = this.#options;
    const { jobs, state } = this.#parts;
    const lost: string[] = [];
    for (const name of gone) {
      const batch = state.batch(name);
      if (batch === undefined) continue;
      if (isMerged(batch, state.merged, tables) || isPassed(batch, (await readPositions(jobs)).found)) state.remove(name);
      else lost.push(name);
    }
    return lost;
  }

  async #dropMerged(): Promise<void> {
    const { tables, owns, onStep } = this.#options;
    const { jobs, state, gate } = this.#parts;
    const { batches, positions } = droppable(state.batches(), state.merged, tables, owns);
    if (batches.length === 0) return;
    await gate.ready([{ quota: 'tableDml', table: 'aorta_positions' }]);
    await jobs.bookkeep('storing positions', positionsStatement(jobs.client, positions));
    onStep('batch:position');
    await forMany(batches, async ({ name }) => {
      await state.drop(name);
      state.remove(name);
    });
    onStep('batch:dropped');
    for (const { name } of batches) state.forget(name);
  }

  /**
   * Deletes obsolete rows of control tables. Each DELETE is billed at least 10 MB, so one worker deletes for all workers, when
   * there are many such rows.
   */
  async #prune(): Promise<void> {
    const { jobs, state, gate } = this.#parts;
    if (!this.#options.owns(deliveries.name)) return;
    if (state.forgotten.size >= FORGOTTEN_AT_ONCE) {
      const names = [...state.forgotten];
      await gate.ready([{ quota: 'tableDml', table: 'aorta_merged' }]);
      await jobs.bookkeep('deleting merge records', forgetMergedStatement(jobs.client, names));
      state.deleted(names);
    }
    if (state.needlessPositions < NEEDLESS_POSITIONS || jobs.now() - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = jobs.now();
    await gate.ready([{ quota: 'tableDml', table: 'aorta_positions' }]);
    await jobs.bookkeep('deleting superseded positions', prunePositionsStatement(jobs.client, jobs.now()));
  }
}
