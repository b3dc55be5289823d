import { randomUUID } from 'node:crypto';
import type { Logger, StepObserver } from '@aorta/runtime';
import type { SummaryOrder, TableDeclaration } from '@aorta/schemas';
import { warnOfGoneRecords } from '../merging/gone-records.ts';
import type { JobRunner } from './client/jobs.ts';
import { look, readPositions } from './discovery.ts';
import { CallFailed } from './errors/call-failed.ts';
import { refusal } from './errors/persisting.ts';
import type { LandedAgain } from './landing/landed-again.ts';
import { type Coverage, partitionKey, type WrittenPosition } from './landing/positions.ts';
import { forMany } from './layout.ts';
import type { QuotaUse } from './quotas/quotas.ts';
import {
  countFirstVersions,
  countNotConfirmed,
  type Dataset,
  FACTS,
  factStatement,
  formatUpdate,
  landedAgainFact,
  rewriteBatch,
  rewriteRows,
} from './sql/index.ts';

interface FirstVersionUpgrade {
  readonly jobs: JobRunner;
  readonly dataset: Dataset;
  readonly tables: readonly TableDeclaration[];
  readonly order: SummaryOrder;
  readonly again: LandedAgain;
  readonly ready: (uses: readonly QuotaUse[]) => Promise<void>;
  readonly logger: Logger;
  readonly onStep: StepObserver;
}

const step = 'upgrading first versions';
/** There is no limit on billed bytes, because the upgrade must read and rewrite whole tables. */
const mostBytes = Number.POSITIVE_INFINITY;

const summaries = (tables: readonly TableDeclaration[]): TableDeclaration[] => tables.filter(({ shape }) => shape === 'summary');

/**
 * Orders first versions without `updated_at` before all other versions, both in the tables and in landed batches. If such a first
 * version has replaced a newer version, the newer one exists only in the stream. The streams of affected tables are therefore
 * landed again from their beginning.
 *
 * The format is raised first, so that older versions of Aorta refuse the dataset. It is safe to repeat every step, even on a
 * different worker. The last step records that the upgrade is complete. A worker that does not find this record starts the
 * upgrade again.
 */
export async function orderFirstVersions(upgrade: FirstVersionUpgrade): Promise<void> {
  const { jobs, dataset, order, again, ready, logger, onStep } = upgrade;
  await jobs.bookkeep(step, formatUpdate(dataset));
  onStep('upgrade:begun');
  // If the order is `received`, versions are ordered only by their time of receipt and need no upgrade.
  if (order === 'updated_at') {
    const tables = summaries(upgrade.tables);
    // The count uses only columns that the rewrite does not change, so a repeated run finds the same streams.
    const counts = tables.length === 0 ? [] : await jobs.rows(step, countFirstVersions(dataset, tables), { mostBytes });
    const wrong = new Set(counts.filter(([, count]) => Number(count) > 0).map(([stream]) => String(stream)));
    for (const stream of wrong) await jobs.bookkeep(step, factStatement(dataset, landedAgainFact(stream), 'yes'));
    again.add(wrong);
    onStep('upgrade:rows');
    const { discovery } = await look(jobs, dataset, new Map(), again);
    const landed = discovery.batches.filter(({ stream }) => tables.some((table) => table.stream === stream));
    await forMany(landed, async ({ name, fields }) => {
      await rewriteLanded(jobs, name, rewriteBatch(dataset, name, fields));
      onStep('upgrade:rows');
    });
    for (const table of tables.filter(({ stream }) => wrong.has(stream))) {
      await ready([{ quota: 'tableDml', table: table.name }]);
      await jobs.query(step, `aorta_upgrade_${randomUUID()}`, { sql: rewriteRows(dataset, table) });
      onStep('upgrade:rows');
    }
    if (wrong.size > 0)
      logger.info('reordering summaries without updated_at and landing their streams again', {
        streams: [...wrong].sort().join(', '),
        rows: counts.reduce((sum, [, count]) => sum + Number(count), 0),
      });
  }
  await jobs.bookkeep(step, factStatement(dataset, FACTS.firstVersions, 'ordered'));
  onStep('upgrade:durable');
}

/** Rewrites a landed batch. If the table is gone, another worker has already rewritten, merged and dropped it. */
async function rewriteLanded(jobs: JobRunner, name: string, sql: string): Promise<void> {
  try {
    await jobs.query(step, `aorta_upgrade_${randomUUID()}`, { sql }, { pass: ['notFound'] });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const table = await jobs.ifThere(step, () => jobs.client.getTable(name), name);
    if (table !== undefined) throw refusal(step, error, name);
  }
}

/**
 * Whether the workers have landed every partition again, up to the position that it had reached before the upgrade. If the stream
 * has a new incarnation since then, its partitions need not be landed again.
 */
export function isLandedAgain(positions: readonly WrittenPosition[], landed: Coverage['landed'], again: LandedAgain): boolean {
  const before = new Map<string, WrittenPosition>();
  for (const position of positions) {
    const { stream, incarnation } = position;
    if (!again.has(stream) || again.counts(stream, incarnation)) continue;
    const key = partitionKey(position);
    const other = before.get(key);
    if (other === undefined || position.writtenAt > other.writtenAt) before.set(key, position);
  }
  return [...before].every(([key, { stream, incarnation, position }]) => {
    const now = landed.get(key);
    if (now === undefined) return false;
    return now.incarnation !== again.written(stream, incarnation) || now.position >= position;
  });
}

interface UpgradeReport extends Pick<FirstVersionUpgrade, 'jobs' | 'dataset' | 'tables' | 'again' | 'logger'> {
  readonly beside: boolean;
}

/**
 * Warns about rewritten rows whose records have not been merged again. Returns false if other workers have not landed all
 * affected streams again yet.
 */
export async function reportNotConfirmed({ jobs, dataset, tables, again, beside, logger }: UpgradeReport): Promise<boolean> {
  if (beside) {
    const { landed } = await look(jobs, dataset, new Map(), again);
    const { found } = await readPositions(jobs, dataset);
    if (!isLandedAgain(found, landed, again)) return false;
  }
  const counted = tables.filter(({ stream }) => again.has(stream));
  const counts = await jobs.rows('counting unconfirmed rows', countNotConfirmed(dataset, counted), { mostBytes });
  const left = counts.filter(([, count]) => Number(count) > 0);
  for (const [name, count] of left) warnOfGoneRecords(logger, String(name), Number(count));
  if (left.length === 0) await jobs.bookkeep(step, factStatement(dataset, FACTS.confirmed, 'yes'));
  return true;
}
