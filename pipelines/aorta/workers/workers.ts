import type { MemberPartition } from '@aorta/connectors';
import { GROUP, mergerId } from '@aorta/loading';
import type { GroupPart, WorkingMember } from './group-members.ts';
import { INGESTION } from './ingestion-group.ts';
import type { WorkerState } from './read-reports.ts';
import type { WorkerReport } from './worker-report.ts';

/** A process that uses these streams, known from its report, from the brokers, or from both. */
export interface Worker {
  readonly pid: number | null;
  /** Host name. If only the brokers know the worker, its network address. */
  readonly host: string;
  /** Client id that the brokers report; null if they do not know the worker. */
  readonly client: string | null;
  readonly parts: readonly GroupPart[];
  /** `member`: only the brokers know the worker, because it uses a different data folder. */
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
  /** Name of the source, or of the group that reads streams. */
  readonly group: string;
  /** A string if the source does not use numbers for its partitions. */
  readonly partition: number | string;
}

export interface JudgedReport {
  readonly report: WorkerReport;
  readonly state: WorkerState;
  /** Whether the process's supervisor is running. */
  readonly supervised: boolean;
}

/**
 * Returns the workers with a report, each with what the brokers know about it, and then the group members without a report.
 * Leaves out processes that ended normally, unless `ended` returns true for their report.
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

/** Returns the client id without the suffix that a loading process adds to its client id in the group for merges. */
function workerOfClient(client: string): string {
  const suffix = mergerId('');
  return client.endsWith(suffix) ? client.slice(0, -suffix.length) : client;
}

const order: readonly GroupPart[] = ['ingestion', 'enrichment', 'loading', 'merging'];
const partsOf = (parts: readonly GroupPart[]): GroupPart[] => order.filter((part) => parts.includes(part));

const partitionsOf = ({ part, group, partitions }: WorkingMember): WorkerPartition[] =>
  partitions.map((partition) => ({ part, group, ...partition }));

/** Returns the partitions in the process's report, except those of groups for which the brokers report partitions. */
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
