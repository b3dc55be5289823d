import type { MemberPartition } from '@aorta/connectors';
import { GROUP, mergerId } from '@aorta/loading';
import type { GroupPart, WorkingMember } from './group-members.ts';
import { INGESTION } from './ingestion-group.ts';
import type { WorkerState } from './read-reports.ts';
import type { WorkerReport } from './worker-report.ts';

/** A process that works on this pipeline, as it reports itself and as brokers describe it. */
export interface Worker {
  readonly pid: number | null;
  /** Its host; of a worker that only the brokers tell of, the address that it speaks from. */
  readonly host: string;
  /** The name that brokers know; null if none does. */
  readonly client: string | null;
  readonly parts: readonly GroupPart[];
  /** `member`: only the brokers tell of it, since it runs with another data folder. */
  readonly state: WorkerState | 'member';
  /** Why it is not ready. */
  readonly not_ready: readonly string[];
  /** Code of the error that ended it. */
  readonly error: string | null;
  /** The process that starts it again, if that one still runs. */
  readonly supervisor: number | null;
  readonly started_at: string | null;
  /** When it was last heard of. */
  readonly as_of: string | null;
  readonly ended_at: string | null;
  readonly sources: readonly string[];
  readonly partitions: readonly WorkerPartition[];
  readonly waits: WorkerReport['waits'];
}

export interface WorkerPartition extends Omit<MemberPartition, 'partition'> {
  readonly part: GroupPart;
  /** Group of the streams, or the source. */
  readonly group: string;
  /** Of a source that names its partitions otherwise: as it names them. */
  readonly partition: number | string;
}

/** A report, judged. */
export interface JudgedReport {
  readonly report: WorkerReport;
  readonly state: WorkerState;
  /** Whether its supervisor still runs. */
  readonly supervised: boolean;
}

/**
 * All workers: those that reported, with what the brokers say of them, and members of the groups that only the brokers
 * know. Of a process that ended in order nothing is told, unless `ended` finds something in it that still matters.
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

/** Whether the worker does something now, as far as anybody knows. */
export const isRunning = ({ state }: Pick<Worker, 'state'>): boolean => state !== 'died' && state !== 'ended';

/** A process that loads takes part in the merges under a name of its own. */
function workerOfClient(client: string): string {
  const suffix = mergerId('');
  return client.endsWith(suffix) ? client.slice(0, -suffix.length) : client;
}

const order: readonly GroupPart[] = ['ingestion', 'enrichment', 'loading', 'merging'];
const partsOf = (parts: readonly GroupPart[]): GroupPart[] => order.filter((part) => parts.includes(part));

const partitionsOf = ({ part, group, partitions }: WorkingMember): WorkerPartition[] =>
  partitions.map((partition) => ({ part, group, ...partition }));

/** What the process says that it reads, of those sources and streams of which no group tells. */
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

/** Streams are named `sleep` or `sleep/3`, partitions of a source as the source has it. */
function named(kind: 'partition' | 'stream', of: string): Pick<WorkerPartition, 'of' | 'partition'> {
  const slash = of.lastIndexOf('/');
  const number = Number(of.slice(slash + 1));
  if (slash > 0 && Number.isInteger(number)) return { of: of.slice(0, slash), partition: number };
  return kind === 'stream' ? { of, partition: 0 } : { of: '', partition: of };
}
