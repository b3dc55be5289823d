import { errorFields, isAortaError, whereaboutsOf } from '@aorta/runtime';
import type { Setting } from '../configuration/configuration.ts';
import { sourcesOf } from '../configuration/configured-source.ts';
import type { WorkingMember } from './group-members.ts';
import { readReports, stateOf } from './read-reports.ts';
import type { JudgedReport } from './workers.ts';

/** Reads the worker reports of this place with the state of each process, the latest first. */
export async function judgedReports(setting: Pick<Setting, 'place'>, now: number): Promise<readonly JudgedReport[]> {
  return (await readReports(setting.place)).map((report) => ({
    report,
    state: stateOf(report, now),
    supervised: report.supervisor !== null && isAlive(report, report.supervisor),
  }));
}

/** Returns whether a supervisor runs. It is on the same machine and boot as the process that it started. */
function isAlive({ process }: JudgedReport['report'], pid: number): boolean {
  return whereaboutsOf({ ...process, pid, started: null }) === 'alive';
}

/** Members of the sources' consumer groups, and the sources whose cluster did not answer, with the error code. */
export interface SourceMembers {
  readonly members: readonly WorkingMember[];
  readonly unanswered: readonly { readonly source: string; readonly code: string }[];
}

/** Deadlines for the brokers, short because a person is waiting. */
const PATIENCE = { connectMs: 5_000, requestMs: 10_000 };

/** Asks the brokers of each source who reads it, if they can tell. A cluster that does not answer does not affect the others. */
export async function sourceMembers(setting: Pick<Setting, 'configuration' | 'registry'>): Promise<SourceMembers> {
  const members: WorkingMember[] = [];
  const unanswered: { source: string; code: string }[] = [];
  await Promise.all(
    sourcesOf(setting).map(async ({ settings, adapter }) => {
      if (adapter.knowsMembers !== true) return;
      const { name } = settings;
      try {
        const found = (await (await adapter.load()).members?.(settings, PATIENCE)) ?? [];
        members.push(...found.map((member): WorkingMember => ({ part: 'ingestion', group: name, ...member })));
      } catch (error) {
        if (!isAortaError(error)) throw error;
        unanswered.push({ source: name, code: String(errorFields(error).code ?? error.code) });
      }
    }),
  );
  return { members, unanswered };
}
