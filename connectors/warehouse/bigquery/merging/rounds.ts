import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { AortaError, type StepObserver } from '@aorta/telemetry';
import type { MergeReport } from '../../warehouse.ts';
import type { Jobs } from '../client/jobs.ts';
import { readPositions } from '../discovery.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import { forMany } from '../layout.ts';
import type { QuotaUse } from '../quotas/quotas.ts';
import { type Dataset, forgetMergedStatement, positionsStatement, prunePositionsStatement } from '../sql/index.ts';
import type { Standing } from '../standing.ts';
import { droppable } from './dropping.ts';
import { LandingGone, type MergedTarget, type Merger } from './merger.ts';
import { isMerged } from './pending.ts';

export interface MergeRoundsOptions {
  readonly jobs: Jobs;
  readonly dataset: Dataset;
  /** The declarations with their landed columns. */
  readonly tables: readonly TableDeclaration[];
  readonly merger: Merger;
  readonly standing: Standing;
  readonly owns: (target: string) => boolean;
  /** Whether others land into the dataset, too. */
  readonly beside: boolean;
  /** How often merges come due at most, in milliseconds. */
  readonly everyMs: number;
  /** Waits for a quota. */
  readonly ready: (uses: readonly QuotaUse[]) => Promise<void>;
  readonly now: () => number;
  readonly onStep: StepObserver;
  /** A round has ended: what it came to may be written down. */
  readonly onRound: () => Promise<void>;
}

/** For merges that have come due a look is good for so long: every look is two statements, each billed for 10 MB at least. */
const LOOK_EVERY_MS = 60_000;

/** Positions that are needless are deleted so often. */
const PRUNE_EVERY_MS = 86_400_000;

/** Rounds of merges: what has come due is merged, and what every table has is dropped. One at a time. */
export class MergeRounds {
  readonly #options: MergeRoundsOptions;
  /** The merges under way. */
  #round: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** What was merged since somebody last asked. */
  #report: { targets: MergedTarget[]; folded: Set<string> } = { targets: [], folded: new Set() };
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: MergeRoundsOptions) {
    this.#options = options;
  }

  /** Begins a round of what is due, and tells of what has ended since the last call, or throws why it failed. */
  due(): MergeReport {
    this.#throwFailure();
    // Landing goes on meanwhile: a merge takes its time in the service, and has none of ours.
    this.#round ??= this.#run('due').finally(() => {
      this.#round = undefined;
    });
    // What fails is thrown the next time; nothing is due so often that somebody would wait for it.
    this.#round.catch((error: unknown) => {
      this.#failure = { error };
    });
    return this.#reported();
  }

  /** Merges everything that is landed. Rejects where some of it cannot be merged now. */
  async all(): Promise<MergeReport> {
    await this.settled();
    this.#throwFailure();
    await this.#run('all');
    return this.#reported();
  }

  /** Resolves when no round is under way. */
  async settled(): Promise<void> {
    await this.#round?.catch(() => {});
  }

  /** Whether a round has failed that nobody has heard of. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  #reported(): MergeReport {
    const { targets, folded } = this.#report;
    this.#report = { targets: [], folded: new Set() };
    return { targets, batches: folded.size };
  }

  #throwFailure(): void {
    const { error } = this.#failure ?? {};
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    throw error;
  }

  async #run(extent: 'due' | 'all'): Promise<void> {
    const { merger, standing, beside, everyMs, onRound } = this.#options;
    // Twice as often as there may be merges of what others have landed.
    const looks = extent === 'all' || standing.age() >= Math.min(LOOK_EVERY_MS, everyMs / 2);
    if (beside && looks) await standing.see();
    for (;;) {
      const due = merger.due(standing.batches(), standing.merged, extent);
      if (due.length === 0) break;
      try {
        const { targets, folded, held } = await merger.run(due, standing.merged);
        this.#report.targets.push(...targets);
        for (const name of folded) this.#report.folded.add(name);
        const [reason] = held.values();
        // Whoever wants everything merged has to hear what cannot be.
        if (reason !== undefined && extent === 'all') throw reason;
        break;
      } catch (error) {
        if (!(error instanceof LandingGone)) throw error;
        await this.#lookForGone(error.batches);
      }
    }
    await this.#dropMerged();
    await this.#prune();
    await onRound();
  }

  /** Which of these landing tables are gone, and whether they may be: another worker drops what everybody has. */
  async #lookForGone(names: readonly string[]): Promise<void> {
    const { jobs, dataset, tables, standing } = this.#options;
    const there = await forMany(names, async (name) => {
      const table = await jobs.ifThere('looking for a landing table', () => jobs.client.getTable(name), name);
      return table !== undefined;
    });
    await standing.readMerged();
    for (const [index, name] of names.entries()) {
      const batch = standing.batch(name);
      if (there[index] || batch === undefined) continue;
      if (!isMerged(batch, standing.merged, tables) && !(await this.#isDropped(batch)))
        throw new AortaError('AORTA-BIGQUERY-BATCH-GONE', { batch: name, dataset: dataset.dataset });
      standing.remove(name);
    }
    if (there.every(Boolean))
      throw new AortaError('AORTA-BIGQUERY-MISSING', { step: 'a merge', of: `${dataset.dataset} (a table of it)` });
  }

  /** The written position is behind the batch: it was merged, its record forgotten and its table dropped. */
  async #isDropped({ stream, partition, incarnation, to }: LandedBatch): Promise<boolean> {
    const positions = await readPositions(this.#options.jobs, this.#options.dataset);
    return positions.some(
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
    await ready([{ quota: 'tableDml', table: 'aorta_merged' }]);
    const names = batches.map(({ name }) => name);
    await jobs.bookkeep('forgetting merged batches', forgetMergedStatement(dataset, names));
    for (const name of names) standing.merged.forget(name);
  }

  async #prune(): Promise<void> {
    const { jobs, dataset, owns, ready, now } = this.#options;
    if (!owns(deliveries.name) || now() - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now();
    await ready([{ quota: 'tableDml', table: 'aorta_positions' }]);
    await jobs.bookkeep('deleting needless positions', prunePositionsStatement(dataset, now()));
  }
}
