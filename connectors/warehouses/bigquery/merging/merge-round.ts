import type { AortaError } from '@aorta/runtime';
import { deliveries } from '@aorta/schemas';
import type { MergeReport } from '../../../warehouse.ts';
import type { SetAside } from '../../merging/set-aside.ts';
import { FORGOTTEN_AT_ONCE } from '../cost/price.ts';
import { LOOKS_FOR_MISSING, readPositions } from '../discovery.ts';
import { BigQueryError } from '../errors.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import { forMany } from '../layout.ts';
import { forgetMergedStatement, positionsStatement, prunePositionsStatement } from '../sql/index.ts';
import type { Standing } from '../standing.ts';
import { droppable } from './dropping.ts';
import { isMerged } from './merged-record.ts';
import { LandingGone, type Merger, type MergerOptions } from './merger.ts';

export interface MergeRoundOptions extends Pick<MergerOptions, 'jobs' | 'dataset' | 'tables' | 'ready' | 'now' | 'onStep'> {
  /** Whether this worker merges into a table. */
  readonly owns: (target: string) => boolean;
  readonly merger: Merger;
  readonly standing: Standing;
  readonly setAside: SetAside;
  /** Whether others land into the dataset, too. */
  readonly beside: boolean;
  /** How often merges come due at most, in milliseconds. */
  readonly everyMs: number;
  /** A round has ended: what it came to may be written down. */
  readonly onRound: () => Promise<void>;
}

/** For merges that have come due a look is good for so long: every look lists all tables and reads two of them. */
const LOOK_EVERY_MS = 60_000;

/** Positions that are needless are deleted so often at most, and when there are so many. */
const PRUNE_EVERY_MS = 86_400_000;
const NEEDLESS_POSITIONS = 1_000;

/** A round of merges: what has come due is merged, and what every table has is dropped. */
export class DatasetMergeRound {
  readonly #options: MergeRoundOptions;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: MergeRoundOptions) {
    this.#options = options;
  }

  async run(extent: 'due' | 'all', tell: (merged: MergeReport) => void): Promise<void> {
    const { merger, standing, beside, everyMs, setAside, onRound } = this.#options;
    // Twice as often as there may be merges of what others have landed.
    const looks = extent === 'all' || standing.age() >= Math.min(LOOK_EVERY_MS, everyMs / 2);
    if (beside && looks) await standing.see();
    let problem: AortaError | undefined;
    for (;;) {
      const due = merger.due(standing.batches(), extent);
      if (due.length === 0) break;
      try {
        const { targets, folded, held, aside } = await merger.run(due, standing.merged);
        tell({ targets, batches: folded.size });
        [problem] = [...held.values(), ...aside];
        break;
      } catch (error) {
        if (!(error instanceof LandingGone)) throw error;
        await this.#lookForGone(error.batches);
      }
    }
    await this.#dropMerged();
    setAside.keep((name) => standing.batch(name) !== undefined);
    await this.#prune();
    await onRound();
    // The caller that wants everything merged has to hear what cannot be.
    if (problem !== undefined && extent === 'all') throw problem;
  }

  /**
   * Which of these landing tables are gone, and whether they may be: another worker drops what every table has. One that
   * nothing accounts for is asked for again, with patience, before it counts as gone.
   */
  async #lookForGone(names: readonly string[]): Promise<void> {
    const { jobs, dataset, standing } = this.#options;
    let left = names;
    for (let looks = 1; ; looks++) {
      const gone = await this.#goneOf(left);
      if (gone.length === 0) break;
      await standing.readMerged();
      const lost = await this.#lostOf(gone);
      if (lost.length === 0) return;
      if (looks >= LOOKS_FOR_MISSING)
        throw new BigQueryError('AORTA-BIGQUERY-BATCH-GONE', { batch: lost[0]!, dataset: dataset.dataset });
      await jobs.rest(looks);
      left = lost;
    }
    // If all of them were there at once, it is the target that is not.
    if (left === names)
      throw new BigQueryError('AORTA-BIGQUERY-MISSING', { step: 'a merge', of: `${dataset.dataset} (a table of it)` });
  }

  /** Which of these landing tables are not there. */
  async #goneOf(names: readonly string[]): Promise<string[]> {
    const { jobs } = this.#options;
    const there = await forMany(names, async (name) => {
      const table = await jobs.ifThere('looking for a landing table', () => jobs.client.getTable(name), name);
      return table !== undefined;
    });
    return names.filter((_, index) => !there[index]);
  }

  /** Removes batches that may be gone, and gives those that nothing accounts for. */
  async #lostOf(gone: readonly string[]): Promise<string[]> {
    const { tables, standing } = this.#options;
    const lost: string[] = [];
    for (const name of gone) {
      const batch = standing.batch(name);
      if (batch === undefined) continue;
      if (isMerged(batch, standing.merged, tables) || (await this.#isDropped(batch))) standing.remove(name);
      else lost.push(name);
    }
    return lost;
  }

  /** The written position is behind the batch: it was merged, its record forgotten and its table dropped. */
  async #isDropped({ stream, partition, incarnation, to }: LandedBatch): Promise<boolean> {
    const { found } = await readPositions(this.#options.jobs, this.#options.dataset);
    return found.some(
      (one) => one.stream === stream && one.partition === partition && one.incarnation === incarnation && one.position >= to,
    );
  }

  async #dropMerged(): Promise<void> {
    const { jobs, dataset, tables, standing, owns, ready, onStep } = this.#options;
    const { batches, positions } = droppable(standing.batches(), standing.merged, tables, owns);
    if (batches.length === 0) return;
    await ready([{ quota: 'tableDml', table: 'aorta_positions' }]);
    await jobs.bookkeep('writing positions', positionsStatement(dataset, positions));
    onStep('batch:position');
    await forMany(batches, async ({ name }) => {
      await standing.drop(name);
      standing.remove(name);
    });
    onStep('batch:dropped');
    for (const { name } of batches) standing.forget(name);
  }

  /**
   * Deletes rows of control tables that nobody needs any more. A statement that deletes is billed for 10 MB at least, so
   * it waits until many have gathered; and one worker does it for all.
   */
  async #prune(): Promise<void> {
    const { jobs, dataset, standing, owns, ready, now } = this.#options;
    if (!owns(deliveries.name)) return;
    if (standing.forgotten.size >= FORGOTTEN_AT_ONCE) {
      const names = [...standing.forgotten];
      await ready([{ quota: 'tableDml', table: 'aorta_merged' }]);
      await jobs.bookkeep('forgetting merged batches', forgetMergedStatement(dataset, names));
      standing.deleted(names);
    }
    if (standing.needlessPositions < NEEDLESS_POSITIONS || now() - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now();
    await ready([{ quota: 'tableDml', table: 'aorta_positions' }]);
    await jobs.bookkeep('deleting needless positions', prunePositionsStatement(dataset, now()));
  }
}
