import { unlink } from 'node:fs/promises';
import { whereaboutsOf } from '@aorta/runtime';
import type { DataLocation } from '../config/data-location.ts';
import { reportsIn } from './reports-in-folder.ts';
import { reportsFolder, SILENT_MS, type WorkerReport, workerReport } from './worker-report.ts';

/**
 * State of a process that has written a report. `starting`, `ready` and `not_ready` come from the report. `silent`: the
 * last report is older than {@link SILENT_MS}. `died`: the process no longer exists and wrote no final report. `ended`:
 * the process wrote its final report.
 */
export type WorkerState = 'starting' | 'ready' | 'not_ready' | 'silent' | 'died' | 'ended';

interface FoundReport {
  readonly path: string;
  readonly report: WorkerReport;
}

/** Reads the reports of all processes that have used these streams. The latest report comes first. */
export async function readReports(place: Pick<DataLocation, 'streams'>): Promise<readonly WorkerReport[]> {
  const reports = (await findReports(place)).map(({ report }) => report);
  return reports.sort((a, b) => (a.as_of < b.as_of ? 1 : -1));
}

/** Derives the state of a process from its report. `whereabouts` returns whether the process still exists, if this is known. */
export function stateOf(
  report: WorkerReport,
  now: number,
  whereabouts: (process: WorkerReport['process']) => ReturnType<typeof whereaboutsOf> = whereaboutsOf,
): WorkerState {
  if (report.ended_at !== null) return 'ended';
  if (whereabouts(report.process) === 'gone') return 'died';
  if (now - Date.parse(report.as_of) > SILENT_MS) return 'silent';
  if (report.starting) return 'starting';
  return report.not_ready.length === 0 ? 'ready' : 'not_ready';
}

/**
 * Removes the report at the path `own`. Also removes the reports of earlier processes on this machine whose work `parts`
 * takes over. The parts of a process that died must all be in `parts`. If a process wrote its final report, only its
 * loading must be taken over. Never rejects.
 */
export async function sweepReports(
  place: Pick<DataLocation, 'streams'>,
  parts: WorkerReport['parts'],
  own?: string,
): Promise<void> {
  for (const { path, report } of await findReports(place).catch(() => [])) {
    const matter = report.ended_at === null ? report.parts : report.parts.filter((part) => part === 'loading');
    const replaced = matter.every((part) => parts.includes(part));
    if (path === own || (replaced && whereaboutsOf(report.process) === 'gone')) await unlink(path).catch(() => {});
  }
}

const findReports = (place: Pick<DataLocation, 'streams'>): Promise<FoundReport[]> =>
  reportsIn(reportsFolder(place), workerReport);
