import { errorFields, isAortaError, whereaboutsOf } from '@aorta/runtime';
import type { Setting } from '../configuration/configuration.ts';
import { sourcesOf } from '../configuration/configured-source.ts';
import type { WorkingMember } from './group-members.ts';
import { readReports, stateOf } from './read-reports.ts';
import type { JudgedReport } from './workers.ts';

/** The reports of this place, judged, the latest first. */
export async function judgedReports(setting: Pick<Setting, 'place'>, now: number): Promise<readonly JudgedReport[]> {
  return (await readReports(setting.place)).map((report) => ({
    report,
    state: stateOf(report, now),
    supervised: report.supervisor !== null && isAlive(report, report.supervisor),
  }));
}

/** A supervisor is of the same machine and boot as the process that it started. */
function isAlive({ process }: JudgedReport['report'], pid: number): boolean {
  return whereaboutsOf({ ...process, pid, started: null }) === 'alive';
}

/** Members of the groups of the sources, and the sources whose cluster did not answer, with the code of the error. */
export interface SourceMembers {
  readonly members: readonly WorkingMember[];
  readonly unanswered: readonly { readonly source: string; readonly code: string }[];
}

/** A person waits: brokers have to answer within this time. */
const PATIENCE = { connectMs: 5_000, requestMs: 10_000 };

/** Asks for every source that can tell who reads it. A cluster that does not answer leaves the others as they are. */
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
