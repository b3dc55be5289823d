import type { WarehouseReader } from '@aorta/connectors';
import { mergeReportOf, type WaitingMergeReport, type WorkerReport } from './worker-report.ts';
import type { JudgedReport } from './workers.ts';

/** What is landed and not in the tables yet, and what else the loader waits for. */
export interface Waiting {
  /** When this was so. */
  readonly as_of: string;
  readonly landings: NonNullable<WorkerReport['loader']>['landings'];
  /** By table and range of dates, the earliest due first. */
  readonly merges: readonly WaitingMergeReport[];
  readonly publication_due_at: string | null;
}

/** What tables tell of their landed batches. */
export interface WaitingInTables {
  readonly merges: Awaited<ReturnType<WarehouseReader['waitingMerges']>>;
  /** When the copy was published; undefined if the warehouse itself was read. */
  readonly publishedAt: string | undefined;
}

/**
 * What waits, by the newest word: a loader's report, or the tables. A loader has landed what its published copy does not
 * know; a copy of a later process knows better than the last report of an earlier one.
 */
export function waitingOf(reports: readonly JudgedReport[], tables: WaitingInTables | undefined, now: number): Waiting | null {
  const loaders = reports.map(({ report }) => report).filter((report) => report.loader !== null);
  const live = reports.filter(({ state }) => state !== 'died' && state !== 'ended').map(({ report }) => report);
  const publicationDueAt = live.map(({ loader }) => loader?.publication_due_at ?? null).find((due) => due !== null) ?? null;
  const landings = live.flatMap(({ loader }) => loader?.landings ?? []);
  const beside = { landings, publication_due_at: publicationDueAt };
  const told = tables === undefined ? undefined : { as_of: tables.publishedAt ?? new Date(now).toISOString() };
  const [latest] = loaders.toSorted((a, b) => (a.as_of < b.as_of ? 1 : -1));
  if (latest === undefined || (told !== undefined && told.as_of >= latest.as_of)) {
    if (told === undefined || tables === undefined) return null;
    const merges = tables.merges.map((merge) => laterOf(mergeReportOf(merge), live));
    return { as_of: told.as_of, ...beside, merges };
  }
  return { as_of: latest.as_of, ...beside, merges: latest.loader!.merges };
}

/** What a loader that runs says of a merge which the tables tell of: it knows its pace, and what holds it up. */
function laterOf(merge: WaitingMergeReport, live: readonly WorkerReport[]): WaitingMergeReport {
  for (const { loader } of live) {
    const own = loader?.merges.find(({ table, range }) => table === merge.table && range === merge.range);
    if (own !== undefined) return { ...merge, due_at: own.due_at, held_by: own.held_by };
  }
  return merge;
}
