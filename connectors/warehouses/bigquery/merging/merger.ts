import { AortaError, type Logger, type StepObserver } from '@aorta/runtime';
import { deliveries, type TableDeclaration } from '@aorta/schemas';
import type { MergeReport } from '../../../warehouse.ts';
import { halvesOf, rowsOf } from '../../merging/pending-merge.ts';
import { type MergeRules, planMerges } from '../../merging/plan.ts';
import type { SetAside } from '../../merging/set-aside.ts';
import type { JobState } from '../client/client.ts';
import type { JobRunner } from '../client/jobs.ts';
import { mostBilled } from '../cost/price.ts';
import { CallFailed, wordsOf } from '../errors/call-failed.ts';
import { actionFor } from '../errors/reasons.ts';
import { refusal } from '../errors/retries.ts';
import { BigQueryError } from '../errors.ts';
import { hashOf } from '../landing/land-batch.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import { addFields, forMany, lackingFields } from '../layout.ts';
import type { QuotaUse } from '../quotas/quotas.ts';
import { landedFields } from '../sql/landed-rows.ts';
import { lackingColumns, type Merge, mergeStatement } from '../sql/merge.ts';
import type { Dataset } from '../sql/types.ts';
import type { WantedTable } from '../tables/declared.ts';
import type { TableMerge } from './merge-rules.ts';
import type { MergedRecord } from './merged-record.ts';

export type MergedTarget = MergeReport['targets'][number];

/** Budget for merges: decides whether a merge may run now, and records its cost. */
interface MergeBudget {
  /** Expected cost of a merge that reads this many bytes. */
  estimate(target: string, bytes: number): number;
  left(): number;
  reserve(estimate: number): { settle(spent: number): void };
  /** Maximum bytes billed beyond a reserved estimate; undefined if unlimited. */
  mostBytesBeyond(): number | undefined;
  costOf(job: JobState): number;
}

export interface MergerOptions {
  readonly jobs: JobRunner;
  readonly dataset: Dataset;
  readonly tables: readonly TableDeclaration[];
  readonly wanted: ReadonlyMap<string, WantedTable>;
  readonly addColumns: boolean;
  readonly rules: MergeRules<TableDeclaration, LandedBatch>;
  readonly budget: MergeBudget;
  readonly ready: (uses: readonly QuotaUse[]) => Promise<void>;
  readonly now: () => number;
  readonly logger: Logger;
  readonly onStep: StepObserver;
  /** Receives the size of a table before each merge. */
  readonly onBytes: (target: string, bytes: number) => void;
  readonly onMerged: (target: string, estimatedBytes: number, job: JobState) => void;
  /** Batches that cannot be merged into a table, even one at a time. */
  readonly setAside: SetAside;
  /** Receives the error code that blocks merges into a table, or undefined once merges are possible again. */
  readonly onHeld: (target: string, reason: string | undefined) => void;
}

export interface MergeOutcome {
  readonly targets: readonly MergedTarget[];
  /** Batches that were merged into at least one table. */
  readonly folded: ReadonlySet<string>;
  readonly held: ReadonlyMap<string, AortaError>;
  /** AORTA-BIGQUERY-BATCH-ASIDE for each batch that was just set aside. */
  readonly aside: readonly AortaError[];
}

/** Result of a merge that needs more resources than one statement may use, with BigQuery's reason. */
class TooMuch {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

const TARGETS_AT_ONCE = 4;

/** Maximum size of a statement in bytes. BigQuery's limit is one mebibyte. */
const LONGEST_STATEMENT = 1_000_000;

/** Number of tables billed in each merge in addition to the landing tables: the target, its fence and the suppression list. */
const NAMED_BESIDE = 3;

const isTooMuch = ({ reason }: CallFailed): boolean => actionFor(reason, 1) === 'split';

export class Merger {
  readonly #options: MergerOptions;

  constructor(options: MergerOptions) {
    this.#options = options;
  }

  /** Returns the pending merges into tables that this worker owns: either only those that are due, or all of them. */
  due(batches: readonly LandedBatch[], extent: 'due' | 'all'): TableMerge[] {
    const { rules, now } = this.#options;
    return planMerges(batches, rules, { extent, now: now() });
  }

  /** Runs the merges, one statement at a time per target. Adds each completed merge to `merged`. */
  async run(pending: readonly TableMerge[], merged: MergedRecord): Promise<MergeOutcome> {
    const { onHeld, onStep, setAside } = this.#options;
    const byTarget = Map.groupBy(pending, ({ target }) => target.name);
    const targets: MergedTarget[] = [];
    const folded = new Set<string>();
    const held = new Map<string, AortaError>();
    const aside: AortaError[] = [];
    const done = ({ range, parts }: TableMerge, outcome: MergedTarget): void => {
      onHeld(outcome.table, undefined);
      for (const { batch, days } of parts) {
        merged.add(batch.name, outcome.table, days);
        folded.add(batch.name);
        setAside.remove(batch.name, outcome.table, range);
      }
      targets.push(outcome);
      onStep('merge:durable');
    };
    await forMany(
      [...byTarget],
      async ([name, merges]) => {
        for (const merge of merges) {
          const failure = await this.#mergeSet(merge, done, aside);
          if (failure === undefined) continue;
          held.set(name, failure);
          onHeld(name, failure.code);
          // Later merges of this table would probably fail for the same reason until the operator acts.
          break;
        }
      },
      TARGETS_AT_ONCE,
    );
    return { targets, folded, held, aside };
  }

  /**
   * Merges a set of batches. If it is too large for one statement, merges each half separately, down to single batches. A
   * single batch that is too large is set aside. Returns the error if the table cannot be merged now.
   */
  async #mergeSet(
    merge: TableMerge,
    done: (merge: TableMerge, outcome: MergedTarget) => void,
    aside: AortaError[],
  ): Promise<AortaError | undefined> {
    const outcome = await this.#mergeOne(merge);
    if (outcome instanceof AortaError) return outcome;
    if (!(outcome instanceof TooMuch)) {
      done(merge, outcome);
      return undefined;
    }
    const { target, range, parts } = merge;
    if (parts.length > 1) {
      for (const half of halvesOf(merge)) {
        const failure = await this.#mergeSet(half, done, aside);
        if (failure !== undefined) return failure;
      }
      return undefined;
    }
    const { name } = parts[0]!.batch;
    const error = new BigQueryError('AORTA-BIGQUERY-BATCH-ASIDE', {
      batch: name,
      table: target.name,
      reason: wordsOf(outcome.reason),
    });
    this.#options.setAside.add(name, target.name, range, this.#options.now());
    this.#options.logger.warn('a landed batch is set aside', { batch: name, table: target.name, code: error.code });
    aside.push(error);
    return undefined;
  }

  /** Runs one statement. Returns its result, or the reason why it cannot run now. */
  async #mergeOne({ target, range, parts }: TableMerge): Promise<MergedTarget | AortaError | TooMuch> {
    const { dataset, now, logger, onBytes, onMerged } = this.#options;
    const begun = now();
    const step = `a merge into ${target.name}`;
    const batches = parts.map(({ batch, days }) => ({
      table: batch.name,
      stream: batch.stream,
      fields: landedFields(batch.fields, target),
      days,
    }));
    const columns = await this.#columnsOf(target, { dataset, target, extent: range, batches });
    if (columns instanceof AortaError) return columns;
    onBytes(target.name, columns.bytes);
    const { fields } = columns;
    const { sql, merge } = mergeStatement({
      dataset,
      target,
      extent: range,
      batches,
      fields,
    });
    if (Buffer.byteLength(sql) > LONGEST_STATEMENT) return new TooMuch('resourcesExceeded');
    const processed = await this.#estimate(target.name, parts, merge, step);
    if (typeof processed !== 'number') return processed;
    const estimated = mostBilled(processed, parts.length + NAMED_BESIDE);
    const state = await this.#execute({ target, range, parts }, sql, estimated, step);
    if (state instanceof AortaError || state instanceof TooMuch) return state;
    onMerged(target.name, estimated, state);
    const rows = rowsOf({ parts });
    logger.debug('merged', { table: target.name, range, batches: parts.length, rows, billed_bytes: state.billedBytes });
    return { table: target.name, range, rows, milliseconds: now() - begun };
  }

  async #estimate(target: string, parts: TableMerge['parts'], merge: string, step: string): Promise<number | TooMuch> {
    const { jobs } = this.#options;
    try {
      const { bytes } = await jobs.call('estimating a merge', () => jobs.client.estimate(merge), {
        of: target,
        except: ['missing', 'split'],
      });
      return bytes;
    } catch (error) {
      return this.#tooMuch(parts, error, step);
    }
  }

  /** Runs a merge if its estimated cost fits the budget. */
  async #execute(
    { target, range, parts }: TableMerge,
    sql: string,
    estimated: number,
    step: string,
  ): Promise<JobState | AortaError | TooMuch> {
    const { jobs, budget, ready, onStep } = this.#options;
    const price = budget.estimate(target.name, estimated);
    if (price > budget.left()) return new BigQueryError('AORTA-BIGQUERY-CAP', { step });
    const reserved = budget.reserve(price);
    let state: JobState | undefined;
    try {
      // Every merge also writes to the table of merge records, so the quota of that table counts too.
      await ready([
        { quota: 'tableDml', table: target.name },
        { quota: 'tableDml', table: 'aorta_merged' },
      ]);
      // The estimate is already reserved, so it is no longer part of the remaining budget.
      const beyond = budget.mostBytesBeyond();
      const mostBytes = beyond === undefined ? undefined : estimated + beyond;
      const parted = parts.map(({ batch, days }) => `${batch.name} ${days.join(' ')}`);
      const name = jobs.idOf(`merge_${target.name}_${range}_${hashOf(parted)}`);
      state = await jobs.query(
        step,
        name,
        { sql, mostBytes, labels: { aorta: 'merge', aorta_table: target.name } },
        { onSubmitted: () => onStep('merge:begun'), pass: ['notFound', 'bytesBilledLimitExceeded', 'resourcesExceeded'] },
      );
      return state;
    } catch (error) {
      if (error instanceof CallFailed && error.reason === 'bytesBilledLimitExceeded')
        return new BigQueryError('AORTA-BIGQUERY-CAP', { step });
      return this.#tooMuch(parts, error, step);
    } finally {
      reserved.settle(state === undefined ? 0 : budget.costOf(state));
    }
  }

  /** Returns {@link TooMuch} if BigQuery refused a call because it needs too many resources. Otherwise, throws an error. */
  #tooMuch(parts: TableMerge['parts'], error: unknown, step: string): TooMuch {
    if (!(error instanceof CallFailed)) throw error;
    if (isTooMuch(error)) return new TooMuch(error.reason);
    throw this.#gone(parts, error, step);
  }

  #gone(parts: TableMerge['parts'], failure: CallFailed, step: string): LandingGone | AortaError {
    if (failure.reason !== 'notFound') return refusal(step, failure);
    return new LandingGone(parts.map(({ batch }) => batch.name));
  }

  /** Returns the columns of the target. First adds missing columns if the configuration allows it. */
  async #columnsOf(
    target: TableDeclaration,
    merge: Merge,
  ): Promise<{ readonly fields: Merge['fields'] & object; readonly bytes: number } | AortaError> {
    const { jobs, wanted, addColumns, ready } = this.#options;
    const { name } = target;
    let table = await jobs.table(name);
    if (table === undefined) return new BigQueryError('AORTA-BIGQUERY-MISSING', { step: `a merge into ${name}`, of: name });
    // Checks the declared columns first, then additional columns in batches that a newer version of Aorta has landed.
    const all = lackingFields(jobs, wanted.get(name)!, table);
    if (all instanceof AortaError) return all;
    if (all !== undefined && addColumns) {
      await ready([{ quota: 'tableUpdates', table: name }]);
      table = await addFields(jobs, name, all);
    }
    const fields = table.schema?.fields ?? [];
    const lacking = all !== undefined && !addColumns ? ['declared columns'] : lackingColumns({ ...merge, fields });
    if (lacking.length > 0)
      return new BigQueryError('AORTA-BIGQUERY-TABLE', { table: name, problem: `it lacks ${lacking.join(', ')}` });
    return { fields, bytes: Number(table.numBytes ?? 0) };
  }
}

/** Thrown if landing tables of a merge do not exist, because another worker dropped them or they are lost. */
export class LandingGone extends Error {
  readonly batches: readonly string[];

  constructor(batches: readonly string[]) {
    super('a landing table is gone');
    this.name = 'LandingGone';
    this.batches = batches;
  }
}

export const allTargets = (tables: readonly TableDeclaration[]): readonly TableDeclaration[] => [...tables, deliveries];

const wordsFor = (code: string): string =>
  code === 'AORTA-BIGQUERY-CAP' ? 'merges blocked by the daily cap (`most_per_day`)' : `blocked merges of a table (${code})`;

interface HeldTargetsOptions {
  readonly logger: Logger;
  /** Called whenever a merge cannot run until the operator acts or the next day begins. */
  readonly onHeld: (words: string, target: string) => void;
}

/** Tables that currently cannot be merged, and why. */
export class HeldTargets {
  readonly #options: HeldTargetsOptions;
  readonly #codes = new Map<string, string>();

  constructor(options: HeldTargetsOptions) {
    this.#options = options;
  }

  /** Records the error code that blocks merges of a table; undefined clears it. */
  hear(target: string, code: string | undefined): void {
    const { logger, onHeld } = this.#options;
    if (code === undefined) {
      this.#codes.delete(target);
      return;
    }
    onHeld(wordsFor(code), target);
    if (this.#codes.get(target) === code) return;
    this.#codes.set(target, code);
    logger.warn('merges of a table are blocked', { table: target, code });
  }

  codes(): ReadonlyMap<string, string> {
    return this.#codes;
  }
}
