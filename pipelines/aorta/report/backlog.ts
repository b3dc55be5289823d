import type { WarehouseReader } from '@aorta/connectors';
import { mergeReportOf, type WaitingMergeReport, type WorkerReport } from './worker-report.ts';
import type { JudgedReport } from './workers.ts';

/** Batches that are waiting to be landed, merged or published. */
export interface Waiting {
  /** Time of the information about the waiting batches. */
  readonly as_of: string;
  readonly landings: NonNullable<WorkerReport['loader']>['landings'];
  /** One entry per table and range of dates, sorted by the time at which the merge is due. */
  readonly merges: readonly WaitingMergeReport[];
  readonly publication_due_at: string | null;
}

/** Landed batches that are waiting to be merged, read from the tables. */
export interface WaitingInTables {
  readonly merges: Awaited<ReturnType<WarehouseReader['waitingMerges']>>;
  /** Time at which the published copy was written; undefined if the warehouse itself was read. */
  readonly publishedAt: string | undefined;
}

/**
 * Returns the waiting batches from the latest report of a loader or from the tables, whichever is newer. The report of a
 * running loader includes batches that are missing from the published copy of the warehouse. If a loader has ended, a copy
 * that was published after its last report is more complete than that report. A copy with a future time was published before
 * the clock was set back.
 */
export function waitingOf(reports: readonly JudgedReport[], tables: WaitingInTables | undefined, now: number): Waiting | null {
  const loaders = reports.map(({ report }) => report).filter((report) => report.loader !== null);
  const live = reports.filter(({ state }) => state !== 'died' && state !== 'ended').map(({ report }) => report);
  const publicationDueAt = live.map(({ loader }) => loader?.publication_due_at ?? null).find((due) => due !== null) ?? null;
  const landings = live.flatMap(({ loader }) => loader?.landings ?? []);
  const beside = { landings, publication_due_at: publicationDueAt };
  const told = tables === undefined ? undefined : { as_of: tables.publishedAt ?? new Date(now).toISOString() };
  const [latest] = loaders.toSorted((a, b) => (a.as_of < b.as_of ? 1 : -1));
  if (latest === undefined || (told !== undefined && told.as_of >= latest.as_of && Date.parse(told.as_of) <= now)) {
    if (told === undefined || tables === undefined) return null;
    const merges = tables.merges.map((merge) => laterOf(mergeReportOf(merge), live));
    return { as_of: told.as_of, ...beside, merges };
  }
  return { as_of: latest.as_of, ...beside, merges: latest.loader!.merges };
}

/** Copies `due_at` and `held_by` of a merge from the report of a running loader to the same merge listed in the tables. */
function laterOf(merge: WaitingMergeReport, live: readonly WorkerReport[]): WaitingMergeReport {
  for (const { loader } of live) {
    const own = loader?.merges.find(({ table, range }) => table === merge.table && range === merge.range);
    if (own !== undefined) return { ...merge, due_at: own.due_at, held_by: own.held_by };
  }
  return merge;
}
