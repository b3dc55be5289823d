import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { AortaError, type Logger, type StepObserver } from '@aorta/telemetry';
import type { MergeReport } from '../../warehouse.ts';
import type { Jobs } from '../client/jobs.ts';
import { mostBilled } from '../cost/price.ts';
import { CallFailed } from '../errors/call-failed.ts';
import { refusal } from '../errors/persisting.ts';
import { hashOf } from '../landing/land-batch.ts';
import type { LandedAgain } from '../landing/landed-again.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import { forMany, shapeOf } from '../layout.ts';
import type { QuotaUse } from '../quotas/quotas.ts';
import { type Dataset, lackingColumns, landedFields, type Merge, mergeStatement } from '../sql/index.ts';
import type { WantedTable } from '../tables/declared.ts';
import { cutMerge, isDue, type MergedRecord, type MergePace, type PendingMerge, pendingMerges } from './pending.ts';

export type MergedTarget = MergeReport['targets'][number];

/** What the merger asks of the cost: whether a merge may be done now, and what it came to. */
interface Purse {
  /** Bytes that may be billed now. */
  left(): number;
  reserve(estimate: number): { settle(billed: number): void };
}

export interface MergerOptions {
  readonly jobs: Jobs;
  readonly dataset: Dataset;
  /** The declarations with their landed columns. */
  readonly tables: readonly TableDeclaration[];
  /** Every table as it ought to be, by name. */
  readonly wanted: ReadonlyMap<string, WantedTable>;
  readonly addColumns: boolean;
  /** Streams that an upgrade lands again. */
  readonly again: LandedAgain;
  readonly owns: (target: string) => boolean;
  readonly pace: MergePace;
  readonly purse: Purse;
  /** Waits for a quota. */
  readonly ready: (uses: readonly QuotaUse[]) => Promise<void>;
  readonly now: () => number;
  readonly logger: Logger;
  readonly onStep: StepObserver;
  /** Hears what a table weighs, before it is merged into. */
  readonly onBytes: (target: string, bytes: number) => void;
  readonly onMerged: (target: string, estimated: number, billed: number) => void;
  /** Hears that merges of a table cannot go on, and why; undefined: they can again. */
  readonly onHeld: (target: string, reason: string | undefined) => void;
}

export interface MergeOutcome {
  readonly targets: readonly MergedTarget[];
  /** Batches that were folded into something. */
  readonly folded: ReadonlySet<string>;
  /** Tables that could not be merged into, with the reason. */
  readonly held: ReadonlyMap<string, AortaError>;
}

/** Tables that are merged into at the same time: each has jobs of its own. */
const TARGETS_AT_ONCE = 4;

/** Bytes of a statement's text: the service takes a mebibyte. */
const LONGEST_STATEMENT = 1_000_000;

/** Tables that a merge names beside the landed batches: the target, its fence, the record, the suppression list and its key. */
const NAMED_BESIDE = 5;

export class Merger {
  readonly #options: MergerOptions;

  constructor(options: MergerOptions) {
    this.#options = options;
  }

  /** What has come due of the targets that this worker owns; everything of them where the extent is `all`. */
  due(batches: readonly LandedBatch[], merged: MergedRecord, extent: 'due' | 'all'): PendingMerge[] {
    const { tables, owns, pace, now } = this.#options;
    const at = now();
    return pendingMerges(batches, merged, tables).filter(
      (pending) => owns(pending.target.name) && (extent === 'all' || isDue(pending, pace, at)),
    );
  }

  /** Merges: one statement at a time for each target. What was merged goes into `merged`, as it is done. */
  async run(pending: readonly PendingMerge[], merged: MergedRecord): Promise<MergeOutcome> {
    const byTarget = Map.groupBy(pending, ({ target }) => target.name);
    const targets: MergedTarget[] = [];
    const folded = new Set<string>();
    const held = new Map<string, AortaError>();
    await forMany(
      [...byTarget],
      async ([name, merges]) => {
        for (const merge of merges.flatMap(cutMerge)) {
          const outcome = await this.#mergeOne(merge);
          if (outcome instanceof AortaError) {
            held.set(name, outcome);
            this.#options.onHeld(name, outcome.code);
            // What comes after it is newer, and may well be merged; but not before somebody has done something.
            break;
          }
          this.#options.onHeld(name, undefined);
          for (const { batch, days } of merge.parts) {
            merged.add(batch.name, name, days);
            folded.add(batch.name);
          }
          targets.push(outcome);
          this.#options.onStep('merge:durable');
        }
      },
      TARGETS_AT_ONCE,
    );
    return { targets, folded, held };
  }

  /** One statement. Gives what it came to, or why it cannot be done now although others can. */
  async #mergeOne({ target, extent, parts }: PendingMerge): Promise<MergedTarget | AortaError> {
    const { jobs, dataset, again, purse, ready, now, logger, onStep, onBytes, onMerged } = this.#options;
    const { client } = jobs;
    const begun = now();
    const step = `a merge into ${target.name}`;
    const batches = parts.map(({ batch, days }) => ({
      table: batch.name,
      stream: batch.stream,
      fields: landedFields(batch.fields, target),
      days,
    }));
    const columns = await this.#columnsOf(target, { dataset, target, extent, batches });
    if (columns instanceof AortaError) return columns;
    onBytes(target.name, columns.bytes);
    const { fields } = columns;
    const { sql, merge } = mergeStatement({ dataset, target, extent, batches, fields, confirming: again.has(target.stream) });
    if (Buffer.byteLength(sql) > LONGEST_STATEMENT && parts.length > 1) {
      const half = Math.ceil(parts.length / 2);
      const first = await this.#mergeOne({ target, extent, parts: parts.slice(0, half) });
      if (first instanceof AortaError) return first;
      const second = await this.#mergeOne({ target, extent, parts: parts.slice(half) });
      if (second instanceof AortaError) return second;
      return { ...second, rows: first.rows + second.rows, milliseconds: first.milliseconds + second.milliseconds };
    }
    const { bytes: processed } = await jobs
      .call('estimating a merge', () => client.estimate(merge), { of: target.name, except: ['missing'] })
      .catch((error: unknown) => {
        throw error instanceof CallFailed ? this.#gone(parts, error, step) : error;
      });
    const estimated = mostBilled(processed, parts.length + NAMED_BESIDE);
    if (estimated > purse.left()) return new AortaError('AORTA-BIGQUERY-CAP', { step });
    const reserved = purse.reserve(estimated);
    let billed = 0;
    try {
      // The record is a table, too, which every merge writes to; the fence is the target's own.
      await ready([
        { quota: 'tableDml', table: target.name },
        { quota: 'tableDml', table: 'aorta_merged' },
      ]);
      const left = purse.left();
      // What is left without it, which is kept back.
      const mostBytes = Number.isFinite(left) ? estimated + left : undefined;
      const parted = parts.map(({ batch, days }) => `${batch.name} ${days.join(' ')}`);
      const name = jobs.idOf(`merge_${target.name}_${extent}_${hashOf(parted)}`);
      const state = await jobs.query(
        step,
        name,
        { sql, mostBytes, labels: { aorta: 'merge', aorta_table: target.name } },
        { onSubmitted: () => onStep('merge:begun'), pass: ['notFound', 'bytesBilledLimitExceeded'] },
      );
      billed = state.billedBytes;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (error.reason === 'bytesBilledLimitExceeded') return new AortaError('AORTA-BIGQUERY-CAP', { step });
      throw this.#gone(parts, error, step);
    } finally {
      reserved.settle(billed);
    }
    onMerged(target.name, estimated, billed);
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    logger.debug('merged', { table: target.name, range: extent, batches: parts.length, rows, billed_bytes: billed });
    return { table: target.name, range: extent, rows, milliseconds: now() - begun };
  }

  /** A landing table, or the target, is not there. */
  #gone(parts: PendingMerge['parts'], failure: CallFailed, step: string): LandingGone | AortaError {
    if (failure.reason !== 'notFound') return refusal(step, failure);
    return new LandingGone(parts.map(({ batch }) => batch.name));
  }

  /** The columns that the target has; those that are missing are added where that is wanted. */
  async #columnsOf(
    target: TableDeclaration,
    merge: Merge,
  ): Promise<{ readonly fields: Merge['fields'] & object; readonly bytes: number } | AortaError> {
    const { jobs, wanted, addColumns, ready } = this.#options;
    const { client } = jobs;
    const { name } = target;
    let table = await jobs.ifThere('looking at a table', () => client.getTable(name), name);
    if (table === undefined) return new AortaError('AORTA-BIGQUERY-MISSING', { step: `a merge into ${name}`, of: name });
    // What the declaration has and the table lacks; then what batches of a newer version have, and this one does not know.
    const { refused, fields: all } = shapeOf(client, wanted.get(name)!, table);
    if (refused !== undefined) return new AortaError('AORTA-BIGQUERY-TABLE', { table: name, problem: refused.what });
    if (all !== undefined && addColumns) {
      await ready([{ quota: 'tableUpdates', table: name }]);
      table = await jobs.call('adding columns', () => client.patchTable(name, { schema: { fields: all } }), { of: name });
    }
    const fields = table.schema?.fields ?? [];
    const lacking = all !== undefined && !addColumns ? ['declared columns'] : lackingColumns({ ...merge, fields });
    if (lacking.length > 0)
      return new AortaError('AORTA-BIGQUERY-TABLE', { table: name, problem: `it lacks ${lacking.join(', ')}` });
    return { fields, bytes: Number(table.numBytes ?? 0) };
  }
}

/** Landing tables that a merge named were not there: another worker has dropped them, or they are lost. */
export class LandingGone extends Error {
  readonly batches: readonly string[];

  constructor(batches: readonly string[]) {
    super('a landing table is gone');
    this.name = 'LandingGone';
    this.batches = batches;
  }
}

export const allTargets = (tables: readonly TableDeclaration[]): readonly TableDeclaration[] => [...tables, deliveries];
