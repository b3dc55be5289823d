import type { Logger, StepObserver } from '@aorta/runtime';
import type { StreamName, SummaryOrder, TableDeclaration } from '@aorta/schemas';
import { eventsView, type LandedBatch } from './batches.ts';
import type { Database } from './database.ts';
import { FORMAT } from './sql/create.ts';
import { countNotConfirmed, forgetPositions, holdsFirstVersions, rewriteRows, rewrittenBatch } from './sql/first-versions.ts';
import { replaceInView } from './view-definition.ts';

interface FirstVersionUpgrade {
  readonly tables: readonly TableDeclaration[];
  readonly batches: readonly LandedBatch[];
  readonly order: SummaryOrder;
  readonly logger: Logger;
  readonly onStep: StepObserver;
}

const step = 'upgrading first versions';

const summaries = (tables: readonly TableDeclaration[]): TableDeclaration[] => tables.filter(({ shape }) => shape === 'summary');

/**
 * Orders first versions without `updated_at` before all other versions, in the tables and in landed batches. If such a first
 * version has already replaced a newer one, only the stream still contains the newer version. The streams of affected tables
 * are therefore landed again from the beginning. The upgrade, including the new format number, is one transaction, so a crash
 * leaves either all of it or nothing.
 */
export async function orderFirstVersions(
  database: Database,
  { tables, batches, order, logger, onStep }: FirstVersionUpgrade,
): Promise<void> {
  let rows = 0;
  const again: StreamName[] = [];
  await database.transaction(step, async () => {
    onStep('upgrade:begun');
    // If `order` is `received`, every event's version is its time of receipt, so no row needs a new version.
    for (const table of order === 'received' ? [] : summaries(tables)) {
      const stream = table.stream as StreamName;
      const landed = batches.filter((batch) => batch.stream === stream);
      for (const batch of landed) await replaceInView(database, eventsView(batch), [rewrittenBatch(table)]);
      const [holds] = await database.rows(step, holdsFirstVersions(table));
      if (holds![0] !== true) continue;
      rows += await database.run(step, rewriteRows(table));
      again.push(stream);
    }
    if (again.length > 0) await database.run(step, forgetPositions(again));
    await database.run(step, `update control.format set format = ${FORMAT}`);
    onStep('upgrade:rows');
  });
  onStep('upgrade:durable');
  if (again.length > 0)
    logger.info('reordering summaries without updated_at and landing their streams again', {
      streams: again.join(', '),
      rows,
    });
}

/**
 * Returns the number of unconfirmed rows in each table, and omits tables without any. A row is unconfirmed if the upgrade
 * rewrote it and none of its records has been merged since.
 */
export async function notConfirmed(
  database: Database,
  tables: readonly TableDeclaration[],
): Promise<ReadonlyMap<TableDeclaration, number>> {
  const all = summaries(tables);
  if (all.length === 0) return new Map();
  const [counts] = await database.rows(
    'counting unconfirmed rows',
    `select ${all.map((table) => `(${countNotConfirmed(table)})`).join(', ')}`,
  );
  return new Map(all.map((table, index) => [table, Number(counts![index])] as const).filter(([, count]) => count > 0));
}
