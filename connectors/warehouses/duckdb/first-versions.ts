import type { Logger, StepObserver } from '@aorta/runtime';
import type { StreamName, SummaryOrder, TableDeclaration } from '@aorta/schemas';
import { eventsView, type LandedBatch } from './batches.ts';
import type { Database } from './database.ts';
import { FORMAT } from './sql/create.ts';
import { countNotConfirmed, forgetPositions, holdsFirstVersions, rewriteRows, rewrittenBatch } from './sql/first-versions.ts';
import { replaceInView } from './view-definition.ts';

/** What the upgrade to the present format needs. */
interface FirstVersionUpgrade {
  /** The declarations with their landed columns: the tables have these. */
  readonly tables: readonly TableDeclaration[];
  readonly batches: readonly LandedBatch[];
  readonly order: SummaryOrder;
  readonly logger: Logger;
  readonly onStep: StepObserver;
}

const step = 'putting first versions in order';

const summaries = (tables: readonly TableDeclaration[]): TableDeclaration[] => tables.filter(({ shape }) => shape === 'summary');

/**
 * Gives first versions without `updated_at` their place before all others, in the tables and in landed batches. A newer
 * version that such a row has replaced is only in the stream, so the streams of tables with such rows are landed again
 * from their beginning. One transaction, the format included: after a crash it has happened or has not.
 */
export async function orderFirstVersions(
  database: Database,
  { tables, batches, order, logger, onStep }: FirstVersionUpgrade,
): Promise<void> {
  let rows = 0;
  const again: StreamName[] = [];
  await database.transaction(step, async () => {
    onStep('upgrade:begun');
    // Under the order of receipt the time of receipt is the version of every event.
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
    await database.run(step, `update aorta.format set format = ${FORMAT}`);
    onStep('upgrade:rows');
  });
  onStep('upgrade:durable');
  if (again.length > 0)
    logger.info('summaries without updated_at are put in order, and their streams are landed again', {
      streams: again.join(', '),
      rows,
    });
}

/** Rewritten rows that no record has confirmed yet, by table; tables without any are left out. */
export async function notConfirmed(
  database: Database,
  tables: readonly TableDeclaration[],
): Promise<ReadonlyMap<TableDeclaration, number>> {
  const all = summaries(tables);
  if (all.length === 0) return new Map();
  const [counts] = await database.rows(
    'counting rows that are not confirmed',
    `select ${all.map((table) => `(${countNotConfirmed(table)})`).join(', ')}`,
  );
  return new Map(all.map((table, index) => [table, Number(counts![index])] as const).filter(([, count]) => count > 0));
}
