import { unlink } from 'node:fs/promises';
import { whereaboutsOf } from '@aorta/runtime';
import type { Place } from '../configuration/place.ts';
import { reportsIn } from '../reports-in-folder.ts';
import { reportsFolder, SILENT_MS, type WorkerReport, workerReport } from './worker-report.ts';

/**
 * What is known of a process that has reported: `starting`, `ready` or `not_ready` by its own word; `silent` if it has
 * told nothing for {@link SILENT_MS}; `died` if it is gone without a word; `ended` if it ended in order.
 */
export type WorkerState = 'starting' | 'ready' | 'not_ready' | 'silent' | 'died' | 'ended';

interface FoundReport {
  readonly path: string;
  readonly report: WorkerReport;
}

/** The reports of all processes that have worked with these streams, the latest first. A file of another form is left out: another version may have written it. */
export async function readReports(place: Pick<Place, 'streams'>): Promise<readonly WorkerReport[]> {
  const reports = (await findReports(place)).map(({ report }) => report);
  return reports.sort((a, b) => (a.as_of < b.as_of ? 1 : -1));
}

/** Judges a report. `whereabouts` is where its process is, as far as this machine knows. */
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
 * Removes `own`, and the reports of this machine's processes that one with these parts takes over from: of what died, all
 * its parts; of what ended in order, only what it has landed still matters. Never rejects.
 */
export async function sweepReports(place: Pick<Place, 'streams'>, parts: WorkerReport['parts'], own?: string): Promise<void> {
  for (const { path, report } of await findReports(place).catch(() => [])) {
    const matter = report.ended_at === null ? report.parts : report.parts.filter((part) => part === 'loading');
    const replaced = matter.every((part) => parts.includes(part));
    if (path === own || (replaced && whereaboutsOf(report.process) === 'gone')) await unlink(path).catch(() => {});
  }
}

const findReports = (place: Pick<Place, 'streams'>): Promise<FoundReport[]> => reportsIn(reportsFolder(place), workerReport);
