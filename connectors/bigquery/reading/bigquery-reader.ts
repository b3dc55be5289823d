import { randomUUID } from 'node:crypto';
import type { AortaError } from '@aorta/runtime';
import { type Column, deliveries, elementFields, type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import { WarehouseError } from '../../errors.ts';
import { landedTable, type Privacy, withheld } from '../../privacy.ts';
import type { QueryResult, QueryValue } from '../../query-values.ts';
import type {
  CostReport,
  Landed,
  LandedPartition,
  TableDifference,
  WaitingMerge,
  WarehouseReader,
  WithheldValues,
} from '../../warehouse.ts';
import type { ResultPage } from '../client/client.ts';
import type { JobRunner } from '../client/jobs.ts';
import { openJobs } from '../client/official-client.ts';
import { forMany } from '../concurrency.ts';
import { costStatement, waitsStatement } from '../cost/activity.ts';
import { costReport, type ReportedPrices } from '../cost/price.ts';
import { look } from '../discovery.ts';
import { CallFailed } from '../errors/call-failed.ts';
import { partitionKey } from '../landing/positions.ts';
import { checkDataset, countRows, mergeDifferences } from '../layout.ts';
import { mergeRules, waitingMerges } from '../merging/merge-rules.ts';
import { isMerged } from '../merging/merged-record.ts';
import { addressOf, type BigQuerySettings } from '../options.ts';
import { tableName, text } from '../sql/types.ts';
import { LABEL, type WantedTable, wantedTables } from '../tables/declared.ts';
import { changedFields } from '../tables/difference.ts';
import type { TableField } from '../tables/fields.ts';
import { queryValue } from './query-value.ts';

/** An operator is waiting for the result, so a query is retried for at most a minute, even if `patience_s` is longer. */
const PATIENCE_MS = 60_000;

/** Returns undefined if `sql` may be a single SELECT statement. Otherwise, returns what it is. Ignores comments and literals. */
function notReadOnly(sql: string): string | undefined {
  const bare = sql
    .replace(/'''[\s\S]*?'''|"""[\s\S]*?"""/g, "''")
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`[^`]*`/g, (text) => (text.startsWith('`') ? 'x' : "''"))
    .replace(/--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .trim()
    .replace(/;\s*$/, '');
  if (bare === '') return 'empty';
  const statements = bare.split(';').length;
  if (statements > 1) return `${statements} statements`;
  const first = /^[(\s]*([A-Za-z]+)/.exec(bare)?.[1]?.toUpperCase() ?? 'another statement';
  return first === 'SELECT' || first === 'WITH' ? undefined : first;
}

class BigQueryReader implements WarehouseReader {
  readonly publishedAt = undefined;
  readonly #jobs: JobRunner;
  readonly #tables: readonly TableDeclaration[];
  readonly #prices: ReportedPrices;
  readonly #settings: BigQuerySettings;

  constructor(jobs: JobRunner, declared: readonly TableDeclaration[], settings: BigQuerySettings) {
    this.#settings = settings;
    this.#prices = {
      pricePerTib: settings.price_per_tib,
      pricePerSlotHour: settings.price_per_slot_hour,
      mostPerDay: settings.most_per_day,
    };
    this.#jobs = jobs;
    this.#tables = declared;
  }

  async query(sql: string): Promise<QueryResult> {
    const statement = notReadOnly(sql);
    if (statement !== undefined) throw new WarehouseError('AORTA-QUERY-NOT-READ-ONLY', { statement });
    const { client } = this.#jobs;
    const step = 'a query';
    try {
      const { statementType } = await this.#jobs.call(step, () => client.estimate(sql), { except: ['bug', 'missing', 'split'] });
      // The dry run determines the statement type more reliably than the first keyword does.
      if (statementType !== undefined && statementType !== 'SELECT')
        throw new WarehouseError('AORTA-QUERY-NOT-READ-ONLY', { statement: statementType.replaceAll('_', ' ') });
      const { id } = await this.#jobs.query(
        step,
        `aorta_query_${randomUUID()}`,
        { sql },
        { pass: ['invalidQuery', 'notFound', 'resourcesExceeded'] },
      );
      const pages = this.#jobs.pages(step, id);
      const first = await pages.next();
      const page = first.value as ResultPage;
      return {
        columns: page.fields.map(({ name, type, mode }) => ({ name, type: mode === 'REPEATED' ? `ARRAY<${type}>` : type })),
        rows: rowsOf(page, pages),
      };
    } catch (error) {
      throw error instanceof CallFailed ? queryFailure(error) : error;
    }
  }

  literal(value: string): string {
    return text(value);
  }

  rows(): Promise<Record<string, number>> {
    return countRows(this.#jobs);
  }

  async withheldValues(privacy: Privacy): Promise<readonly WithheldValues[]> {
    const found = await forMany(this.#tables, async (table) => this.#withheldIn(table, privacy));
    return found.flat();
  }

  async #withheldIn(table: TableDeclaration, privacy: Privacy): Promise<WithheldValues[]> {
    const there = await this.#jobs.table(table.name);
    const known = new Map((there?.schema?.fields ?? []).map((field) => [field.name, field]));
    const counts = table.columns.flatMap((column) => {
      const field = known.get(column.name);
      return field === undefined ? [] : withheldCounts(table, column, field, privacy);
    });
    if (counts.length === 0) return [];
    const list = counts.map(({ expression }, index) => `${expression} AS n${index}`).join(', ');
    const [row = []] = await this.#jobs.rows(
      'looking for withheld values',
      `SELECT ${list} FROM ${tableName(this.#jobs.client, table.name)}`,
      { mostBytes: Number.POSITIVE_INFINITY },
    );
    return counts.flatMap(({ column }, index) => {
      const values = Number(row[index] ?? 0);
      return values > 0 ? [{ table: table.name, column, values }] : [];
    });
  }

  async tableDifferences(privacy: Privacy): Promise<readonly TableDifference[]> {
    const landed = this.#tables.map((table) => landedTable(table, privacy));
    const wanted = wantedTables(landed, this.#settings.team).filter(({ labels }) => labels[LABEL] !== 'bookkeeping');
    const found = await forMany(wanted, async (table) => this.#differencesOf(table));
    return found.flat();
  }

  async #differencesOf(wanted: WantedTable): Promise<TableDifference[]> {
    const table = wanted.name;
    const there = await this.#jobs.table(table);
    if (there === undefined) return [{ table, what: 'is missing', fixedBy: 'run' }];
    const fixedBy = this.#settings.add_columns ? 'run' : 'apply';
    return mergeDifferences(this.#jobs, wanted, there).flatMap((difference): TableDifference[] => {
      const { kind, what } = difference;
      if (kind === 'refused') return [{ table, what, fixedBy: 'person' }];
      // Merges do not depend on the other differences that `aorta plan` lists.
      return changedFields(difference) !== undefined ? [{ table, what, fixedBy }] : [];
    });
  }

  async merged(): Promise<readonly (LandedPartition & Landed)[]> {
    const { discovery, landed: all, merged } = await look(this.#jobs, new Map());
    const reached = new Map(all);
    for (const batch of discovery.batches) {
      const key = partitionKey(batch);
      const landed = reached.get(key);
      if (landed?.incarnation !== batch.incarnation || isMerged(batch, merged, this.#tables)) continue;
      if (batch.from < landed.position) reached.set(key, { ...landed, position: batch.from });
    }
    return [...reached].map(([key, landed]) => {
      const slash = key.lastIndexOf('/');
      const of = { stream: key.slice(0, slash) as StreamName, partition: Number(key.slice(slash + 1)) };
      return { ...of, ...landed };
    });
  }

  async waitingMerges(): Promise<readonly WaitingMerge[]> {
    const { discovery, merged } = await look(this.#jobs, new Map());
    // If `budget_per_day` is set, a loader merges large tables less often, so merges may be due later than reported here.
    const settings = this.#settings;
    const rules = mergeRules({ settings, tables: this.#tables, merged, everyMs: () => settings.merge_every_s * 1000 });
    return waitingMerges(discovery.batches, rules, () => undefined);
  }

  async costs(days: number): Promise<CostReport> {
    const now = Date.now();
    const [spent, waited] = await Promise.all([
      this.#jobs.rows('reading the cost of merges', costStatement(this.#jobs.client, now, days)),
      this.#jobs.rows('reading the recorded waits', waitsStatement(this.#jobs.client, now)),
    ]);
    return costReport(spent, waited, this.#prices);
  }

  async close(): Promise<void> {}

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Returns expressions that count withheld values in the column itself or in the fields of the objects in a list. */
function withheldCounts(
  table: TableDeclaration,
  column: Column,
  there: TableField,
  privacy: Privacy,
): { readonly column: string; readonly expression: string }[] {
  const { name } = column;
  const whole = withheld(table, column, privacy) !== undefined;
  const fields = elementFields(column.type);
  if (fields === undefined) return whole ? [{ column: name, expression: `COUNT(\`${name}\`)` }] : [];
  const standing = new Set((there.fields ?? []).map((field) => field.name));
  return fields
    .filter((one) => standing.has(one.name) && (whole || withheld(table, one as unknown as Column, privacy) !== undefined))
    .map((one) => ({
      column: `${name}[].${one.name}`,
      expression: `SUM((SELECT COUNT(e.\`${one.name}\`) FROM UNNEST(\`${name}\`) AS e))`,
    }));
}

async function* rowsOf(first: ResultPage, others: AsyncGenerator<ResultPage>): AsyncIterable<readonly (readonly QueryValue[])[]> {
  const { fields } = first;
  const values = (page: ResultPage): (readonly QueryValue[])[] =>
    page.rows.map(({ f }) => f.map(({ v }, index) => queryValue(fields[index]!, v)));
  if (first.rows.length > 0) yield values(first);
  for await (const page of others) if (page.rows.length > 0) yield values(page);
}

function queryFailure(failure: CallFailed): AortaError {
  const hint = 'Check the statement; the tables are listed by `aorta schema`.';
  if (failure.reason === 'notFound')
    return new WarehouseError('AORTA-QUERY-FAILED', { problem: 'a table in the statement does not exist', hint });
  if (failure.reason === 'resourcesExceeded')
    return new WarehouseError('AORTA-QUERY-FAILED', {
      problem: 'the statement needs more resources than BigQuery gives to one statement',
      hint: 'Query fewer days or columns, or leave out an ORDER BY over many rows.',
    });
  const { problem, hint: better } = failure.query ?? { problem: failure.reason, hint };
  return new WarehouseError('AORTA-QUERY-FAILED', { problem, hint: better });
}

export interface BigQueryReaderOptions extends BigQuerySettings {
  /** Default: the declarations of this version. */
  readonly declared?: readonly TableDeclaration[];
}

/** Opens a dataset for reading, even while a loader writes. Rejects with AORTA-WAREHOUSE-MISSING (no tables) or an AORTA-BIGQUERY-… error. */
export async function openBigQueryReader(options: BigQueryReaderOptions): Promise<WarehouseReader> {
  const jobs = openJobs(options, { patience: { forMs: Math.min(PATIENCE_MS, options.patience_s * 1000) } });
  await checkDataset(jobs, options.location);
  const there = await jobs.table(deliveries.name);
  if (there === undefined) throw new WarehouseError('AORTA-WAREHOUSE-MISSING', { path: addressOf(options) });
  return new BigQueryReader(jobs, options.declared ?? tables, options);
}
