import type { GroupMember, MemberPartition } from '@aorta/connectors';
import { GROUP, mergerId } from '@aorta/loading/groups';
import { errorFields, isAortaError, whereaboutsOf } from '@aorta/runtime';
import { type SourcesSetting, sourcesOf } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import { INGESTION } from '../run/ingestion-group.ts';
import { readReports, stateOfWorker, type WorkerReport, type WorkerState } from './worker-report.ts';

/** Deadlines for answers from the brokers. They are short because a user is waiting for the result. */
const PATIENCE = { connectMs: 5_000, requestMs: 10_000 };

export type GroupPart = 'ingestion' | 'loading' | 'merging' | 'enrichment';

/** A member of one of Aorta's consumer groups. `part` is the part of Aorta that uses the group. */
export interface WorkingMember extends GroupMember {
  readonly part: GroupPart;
  /** Name of the source if the member reads a source. Otherwise, the name of the consumer group. */
  readonly group: string;
}

/** A process that uses the streams or reads a source. It is known from its report, from the brokers, or from both. */
export interface Worker {
  readonly pid: number | null;
  /** Host name, or the network address if the worker is known only from the brokers. */
  readonly host: string;
  /** Client id that the brokers report; null if they do not list the worker. */
  readonly client: string | null;
  readonly parts: readonly GroupPart[];
  /** `member`: the worker is known only from the brokers, because it uses a different data folder. */
  readonly state: WorkerState | 'member';
  readonly not_ready: readonly string[];
  readonly error: string | null;
  /** Process id of the worker's supervisor; null if the supervisor is not running. */
  readonly supervisor: number | null;
  readonly started_at: string | null;
  /** Time of the worker's latest report. */
  readonly as_of: string | null;
  readonly ended_at: string | null;
  readonly sources: readonly string[];
  readonly partitions: readonly WorkerPartition[];
  readonly waits: WorkerReport['waits'];
}

export interface WorkerPartition extends Omit<MemberPartition, 'partition'> {
  readonly part: GroupPart;
  /** Name of the source, or of the consumer group that reads the stream. */
  readonly group: string;
  /** A string if the source identifies its partitions by name. */
  readonly partition: number | string;
}

export interface JudgedReport {
  readonly report: WorkerReport;
  readonly state: WorkerState;
  /** Whether the process's supervisor is running. */
  readonly supervised: boolean;
}

/**
 * Returns the workers that have written a report, followed by the group members without a report. Each worker also contains
 * what the brokers report about it. Leaves out processes that wrote a final report, unless `ended` returns true for it.
 */
export function workersOf(
  reports: readonly JudgedReport[],
  members: readonly WorkingMember[],
  ended: (report: WorkerReport) => boolean,
): readonly Worker[] {
  const known = new Map<string, WorkingMember[]>();
  for (const member of members) {
    const name = workerOfClient(member.client);
    known.set(name, [...(known.get(name) ?? []), member]);
  }
  const reported = reports
    .filter(({ report, state }) => state !== 'ended' || ended(report))
    .map(({ report, state, supervised }): Worker => {
      const own = report.clients.flatMap((client) => {
        const found = known.get(client) ?? [];
        known.delete(client);
        return found;
      });
      return {
        pid: report.process.pid,
        host: report.process.host,
        client: own[0]?.client ?? null,
        parts: partsOf([...report.parts, ...own.map(({ part }) => part)]),
        state,
        not_ready: state === 'not_ready' ? report.not_ready : [],
        error: report.error,
        supervisor: supervised ? report.supervisor : null,
        started_at: report.started_at,
        as_of: report.as_of,
        ended_at: report.ended_at,
        sources: report.sources,
        partitions: [...ownPartitions(report, own), ...own.flatMap(partitionsOf)],
        waits: state === 'died' || state === 'ended' ? [] : report.waits,
      };
    });
  const others = [...known].map(([client, own]): Worker => {
    const [first] = own as [WorkingMember, ...WorkingMember[]];
    return {
      pid: null,
      host: first.host,
      client,
      parts: partsOf(own.map(({ part }) => part)),
      state: 'member',
      not_ready: [],
      error: null,
      supervisor: null,
      started_at: null,
      as_of: null,
      ended_at: null,
      sources: [
        ...new Set(own.filter(({ part, group }) => part === 'ingestion' && group !== INGESTION).map(({ group }) => group)),
      ],
      partitions: own.flatMap(partitionsOf),
      waits: [],
    };
  });
  return [...reported, ...others];
}

export const isRunning = ({ state }: Pick<Worker, 'state'>): boolean => state !== 'died' && state !== 'ended';

/** Returns the client id of a loading process without the suffix that it adds in the consumer group for merges. */
function workerOfClient(client: string): string {
  const suffix = mergerId('');
  return client.endsWith(suffix) ? client.slice(0, -suffix.length) : client;
}

const order: readonly GroupPart[] = ['ingestion', 'enrichment', 'loading', 'merging'];
const partsOf = (parts: readonly GroupPart[]): GroupPart[] => order.filter((part) => parts.includes(part));

const partitionsOf = ({ part, group, partitions }: WorkingMember): WorkerPartition[] =>
  partitions.map((partition) => ({ part, group, ...partition }));

/** Returns the partitions in the process's report. Leaves out a group if the brokers already report its partitions. */
function ownPartitions({ lanes }: WorkerReport, members: readonly WorkingMember[]): WorkerPartition[] {
  const told = new Set(members.filter(({ partitions }) => partitions.length > 0).map(({ group }) => group));
  return lanes
    .filter(({ reader }) => !told.has(reader))
    .map(({ kind, reader, of, lag }) => ({
      part: kind === 'partition' ? ('ingestion' as const) : readerPart(reader),
      group: reader,
      ...named(kind, of),
      lag,
    }));
}

const readerPart = (group: string): GroupPart => (group === GROUP ? 'loading' : 'enrichment');

/** Splits a name such as `sleep/3` into a stream and a partition. Partitions of sources can have any name. */
function named(kind: 'partition' | 'stream', of: string): Pick<WorkerPartition, 'of' | 'partition'> {
  const slash = of.lastIndexOf('/');
  const number = Number(of.slice(slash + 1));
  if (slash > 0 && Number.isInteger(number)) return { of: of.slice(0, slash), partition: number };
  return kind === 'stream' ? { of, partition: 0 } : { of: '', partition: of };
}

/** Reads the worker reports of this data folder, each with the state of its process. The latest report comes first. */
export async function judgedReports(setting: Pick<Setting<never>, 'place'>, now: number): Promise<readonly JudgedReport[]> {
  return (await readReports(setting.place)).map((report) => ({
    report,
    state: stateOfWorker(report, now),
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
