import { errorFields, isAortaError, whereaboutsOf } from '@aorta/runtime';
import type { Setting } from '../../config/configuration.ts';
import { type SourcesSetting, sourcesOf } from '../../config/configured-adapters.ts';
import { readReports, stateOf } from './worker-report.ts';
import type { JudgedReport, WorkingMember } from './workers.ts';

/** Reads the worker reports of this data folder, each with the state of its process. The latest report comes first. */
export async function judgedReports(setting: Pick<Setting<never>, 'place'>, now: number): Promise<readonly JudgedReport[]> {
  return (await readReports(setting.place)).map((report) => ({
    report,
    state: stateOf(report, now),
    supervised: report.supervisor !== null && isAlive(report, report.supervisor),
  }));
}

/** Returns whether the supervisor of a process is running. The supervisor runs on the same machine as the process. */
function isAlive({ process }: JudgedReport['report'], pid: number): boolean {
  return whereaboutsOf({ ...process, pid, started: null }) === 'alive';
}

/**
 * Members of the sources' consumer groups. `unanswered`: sources whose cluster did not answer, or whose variables are not
 * set, with the error code.
 */
export interface SourceMembers {
  readonly members: readonly WorkingMember[];
  readonly unanswered: readonly { readonly source: string; readonly code: string }[];
}

/** Deadlines for answers from the brokers. They are short because a user is waiting for the result. */
const PATIENCE = { connectMs: 5_000, requestMs: 10_000 };

/**
 * Asks the brokers of each source for the members of its consumer group. If one cluster does not answer, the other sources
 * are still listed.
 */
export async function sourceMembers(setting: SourcesSetting & Pick<Setting, 'unread'>): Promise<SourceMembers> {
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
  return { members, unanswered: [...unanswered, ...unreadSources(setting)].map(({ source, code }) => ({ source, code })) };
}

/** Returns the sources whose variables are not set, each with the error for its first variable. */
export function unreadSources({ unread }: Pick<Setting, 'unread'>): { source: string; code: string; message: string }[] {
  return unread
    .filter(({ section }) => section === 'sources')
    .map(({ section, source = section, errors: [error] }) => ({ source, code: error!.code, message: error!.message }));
}
