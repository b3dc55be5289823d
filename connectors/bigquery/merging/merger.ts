import { AortaError } from '@aorta/runtime';
import { deliveries, type TableDeclaration } from '@aorta/schemas';
import type { MergeReport } from '../../warehouse.ts';
import { halvesOf, rowsOf } from '../../warehouses/merging/pending-merge.ts';
import { type MergeRules, planMerges } from '../../warehouses/merging/plan.ts';
import type { SetAside } from '../../warehouses/merging/set-aside.ts';
import type { JobState } from '../client/client.ts';
import type { JobRunner } from '../client/jobs.ts';
import { forMany } from '../concurrency.ts';
import { mostBilled, spentBy } from '../cost/price.ts';
import type { SpendingLog } from '../cost/spending-log.ts';
import type { DatasetState } from '../dataset-state.ts';
import { CallFailed, wordsOf } from '../errors/call-failed.ts';
import { actionFor } from '../errors/reasons.ts';
import { refusal } from '../errors/retries.ts';
import { BigQueryError } from '../errors.ts';
import { hashOf } from '../landing/land-batch.ts';
import type { LandedBatch } from '../landing/landed-batch.ts';
import { addFields, lackingFields } from '../layout.ts';
import type { ResolvedOptions } from '../options.ts';
import type { QuotaGate } from '../quotas/quotas.ts';
import { followedTables } from '../sql/changed-days.ts';
import { CHANGED_DAYS } from '../sql/control.ts';
import { landedFields } from '../sql/landed-rows.ts';
import { lackingColumns, type Merge, mergeStatement } from '../sql/merge.ts';
import type { WantedTable } from '../tables/declared.ts';
import type { TableMerge } from './merge-rules.ts';
import type { TablePace } from './table-pace.ts';

const TARGETS_AT_ONCE = 4;

/** Maximum size of a statement in bytes. BigQuery's limit is one mebibyte. */
const LONGEST_STATEMENT = 1_000_000;

/** Number of tables billed in a statement besides the landing tables: the target, its fence or the changed days, and the suppression list. */
const NAMED_BESIDE = 3;

type MergedTarget = MergeReport['targets'][number];

export interface MergerParts {
  readonly jobs: JobRunner;
  readonly state: DatasetState;
  readonly rules: MergeRules<TableDeclaration, LandedBatch>;
  readonly setAside: SetAside;
  readonly gate: QuotaGate;
  readonly pace: TablePace;
  readonly spending: SpendingLog;
}

export interface MergeOutcome extends MergeReport {
  /** Why a table cannot be merged now, or AORTA-BIGQUERY-BATCH-ASIDE if a batch was just set aside. */
  readonly problem: AortaError | undefined;
}

/** Result of a merge that needs more resources than one statement may use, with BigQuery's reason. */
class TooMuch {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

const isTooMuch = ({ reason }: CallFailed): boolean => actionFor(reason, 1) === 'split';

/** Merges landed batches into the tables that this worker owns. */
export class BigQueryMerger {
  readonly #options: ResolvedOptions;
  readonly #parts: MergerParts;
  readonly #wanted: ReadonlyMap<string, WantedTable>;
  /** For each table that cannot be merged now, the code of the error. */
  readonly #held = new Map<string, string>();

  constructor(options: ResolvedOptions, wanted: ReadonlyMap<string, WantedTable>, parts: MergerParts) {
    this.#options = options;
    this.#wanted = wanted;
    this.#parts = parts;
  }

  /** Tables that cannot be merged now, with the code of the error. */
  held(): ReadonlyMap<string, string> {
    return this.#held;
  }

  /**
   * Runs the merges that are due, or all of them, one statement at a time per target. Resolves with undefined if no merge is
   * pending.
   */
  async run(extent: 'due' | 'all'): Promise<MergeOutcome | undefined> {
    const { state, rules, setAside } = this.#parts;
    const { clock, onStep } = this.#options;
    const pending = planMerges(state.batches(), rules, { extent, now: clock() });
    if (pending.length === 0) return undefined;
    const byTarget = Map.groupBy(pending, ({ target }) => target.name);
    const targets: MergedTarget[] = [];
    const batches = new Set<string>();
    const held: AortaError[] = [];
    const aside: AortaError[] = [];
    const done = ({ range, parts }: TableMerge, outcome: MergedTarget): void => {
      this.#held.delete(outcome.table);
      for (const { batch, days } of parts) {
        state.merged.add(batch.name, outcome.table, days);
        batches.add(batch.name);
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
          held.push(failure);
          this.#hold(name, failure.code);
          // Later merges of this table would probably fail for the same reason until the operator acts.
          break;
        }
      },
      TARGETS_AT_ONCE,
    );
    return { targets, batches: batches.size, problem: [...held, ...aside][0] };
  }

  #hold(table: string, code: string): void {
    const isCap = code === 'AORTA-BIGQUERY-CAP';
    const reason = isCap ? 'merges blocked by the daily cap (`most_per_day`)' : `blocked merges of a table (${code})`;
    this.#parts.spending.waited(reason, 0, table);
    if (this.#held.get(table) === code) return;
    this.#held.set(table, code);
    this.#options.logger.warn('merges of a table are blocked', { table, code });
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
    const { clock, logger } = this.#options;
    this.#parts.setAside.add(name, target.name, range, clock());
    logger.warn('a landed batch is set aside', { batch: name, table: target.name, code: error.code });
    aside.push(error);
    return undefined;
  }

  /** Runs one statement. Returns its result, or the reason why it cannot run now. */
  async #mergeOne({ target, range, parts }: TableMerge): Promise<MergedTarget | AortaError | TooMuch> {
    const { clock, logger, metrics } = this.#options;
    const { jobs, pace, spending } = this.#parts;
    const dataset = jobs.client;
    const begun = clock();
    const step = `a merge into ${target.name}`;
    const batches = parts.map(({ batch, days }) => ({
      table: batch.name,
      stream: batch.stream,
      fields: landedFields(batch.fields, target),
      days,
    }));
    const columns = await this.#columnsOf(target, { dataset, target, extent: range, batches });
    if (columns instanceof AortaError) return columns;
    pace.weigh(target.name, columns.bytes);
    const { fields } = columns;
    const { sql, merge, noted } = mergeStatement({ dataset, target, extent: range, batches, fields });
    if (Buffer.byteLength(sql) > LONGEST_STATEMENT) return new TooMuch('resourcesExceeded');
    let estimated = 0;
    for (const statement of [merge, ...noted]) {
      const processed = await this.#estimate(target.name, parts, statement, step);
      if (typeof processed !== 'number') return processed;
      estimated += mostBilled(processed, parts.length + NAMED_BESIDE);
    }
    const state = await this.#execute({ target, range, parts }, sql, estimated, step);
    if (state instanceof AortaError || state instanceof TooMuch) return state;
    spending.merged(target.name, estimated, state);
    const { billedBytes, slotMs } = spentBy(state);
    metrics.count('aorta_warehouse_billed_bytes_total', { table: target.name }, billedBytes);
    if (slotMs > 0) metrics.count('aorta_warehouse_slot_seconds_total', { table: target.name }, slotMs / 1000);
    const rows = rowsOf({ parts });
    logger.debug('merged', { table: target.name, range, batches: parts.length, rows, billed_bytes: state.billedBytes });
    return { table: target.name, range, rows, milliseconds: clock() - begun };
  }

  async #estimate(target: string, parts: TableMerge['parts'], merge: string, step: string): Promise<number | TooMuch> {
    const { jobs } = this.#parts;
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

  /** Runs a merge if its estimated cost fits the spending. */
  async #execute(
    { target, range, parts }: TableMerge,
    sql: string,
    estimated: number,
    step: string,
  ): Promise<JobState | AortaError | TooMuch> {
    const { onStep } = this.#options;
    const { jobs, spending, gate } = this.#parts;
    const price = spending.estimate(target.name, estimated);
    if (price > spending.left()) return new BigQueryError('AORTA-BIGQUERY-CAP', { step });
    const reserved = spending.reserve(price);
    let state: JobState | undefined;
    try {
      // Every merge also writes to the table of merge records, and often to that of changed days, so their quotas count, too.
      await gate.ready(
        [target.name, 'aorta_merged', ...(followedTables.includes(target.name) ? [CHANGED_DAYS] : [])].map((table) => ({
          quota: 'tableDml',
          table,
        })),
      );
      // The estimate is already reserved, so it is no longer part of the remaining spending.
      const beyond = spending.mostBytesBeyond();
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
      reserved.settle(state === undefined ? 0 : spending.costOf(state));
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
    const { add_columns: addColumns } = this.#options;
    const { jobs, gate } = this.#parts;
    const { name } = target;
    let table = await jobs.table(name);
    if (table === undefined) return new BigQueryError('AORTA-BIGQUERY-MISSING', { step: `a merge into ${name}`, of: name });
    // Checks the declared columns first, then additional columns in batches that a newer version of Aorta has landed.
    const all = lackingFields(jobs, this.#wanted.get(name)!, table);
    if (all instanceof AortaError) return all;
    if (all !== undefined && addColumns) {
      await gate.ready([{ quota: 'tableUpdates', table: name }]);
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
