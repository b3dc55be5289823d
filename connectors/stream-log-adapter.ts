import type { AortaError, ErrorCatalogue, Logger, MetricCatalogue, Metrics, ProgressReports, StepObserver } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type { AdapterOptions, AdapterSettings } from './adapter-options.ts';
import type { Finding } from './finding.ts';
import type { GroupMember } from './group-member.ts';
import type { KeptEntries } from './kept-entries.ts';
import type { Ownership, OwnershipOptions } from './ownership.ts';
import type { FollowableLog, ReadableLog, StreamLog, StreamNews, StreamPartition } from './stream-log.ts';
import type { Landed } from './warehouse.ts';

/**
 * A type of stream log: what the program asks of it before, or without, opening one. It is loaded with every command, so
 * it imports no client library; {@link StreamLogAdapter.load} does.
 */
export interface StreamLogAdapter<S extends AdapterSettings = AdapterSettings> {
  /** Value of `type` in the configuration. */
  readonly type: S['type'];
  /** What can go wrong with it: every error code that it makes itself, see `errorsOf`. */
  readonly errors?: ErrorCatalogue;
  /** Every metric that it counts itself. Its code takes the program's metrics as those of this catalogue, see `Metrics`. */
  readonly metrics?: MetricCatalogue;
  /** Schema of its settings: structured-cloneable values, since the loader's thread gets them. */
  readonly options: AdapterOptions<S>;
  /** `import.meta.url` of the file that exports this adapter by the name `streamLog`. The loader's thread imports it from there. */
  readonly address: string;
  load(): Promise<StreamLogModule<S>>;

  /** The configured folder of the streams. Absent or undefined: beside the warehouse, or in its data folder. */
  folderOf?(settings: S): string | undefined;
  /** Where the streams are. `folder` is the absolute path of {@link folderOf}. */
  describe(settings: S, folder: string): StreamLogPlace;
  /**
   * Whether workers on several machines share the partitions. Then each process is known to the log by a client name and
   * reads as a member of groups, the module has `own`, `openKept`, `openGroupReader` and `release`, and the folder holds
   * what one process remembers. If not, one process owns the folder and everything in it, and the log takes the folder's
   * lock.
   */
  readonly isShared?: true;
  /** Whether it has {@link StreamLogModule.plan} and `apply`: without them opening it makes its streams. */
  readonly isPlanned?: true;
}

/** Where a stream log is, for people and programs. */
export interface StreamLogPlace {
  readonly text: string;
  /** The folder that holds the records; null if they are elsewhere. */
  readonly folder: string | null;
  /** What `aorta validate --json` says of it, beside its type. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A stream log, and as whom a process uses it. */
export interface StreamLogAt<S extends AdapterSettings = AdapterSettings> {
  readonly settings: S;
  /** Folder of the streams, absolute. */
  readonly folder: string;
  /** Name by which others see this process, if the log is shared. */
  readonly clientId: string;
}

/** How far the streams are in the published tables, by the partition's name. */
export type Reach = ReadonlyMap<string, Landed>;

/** How far the records are loaded: by the loader's group, or by what the tables hold. */
export interface LoadedRecords {
  /** The loader's group. */
  readonly group: string;
  /** Asks the published tables. */
  reach(): Promise<Reach>;
}

/** What works with a stream log, and its client library. */
export interface StreamLogModule<S extends AdapterSettings = AdapterSettings> {
  /** Opens it for appending. Unless it is shared, this takes the lock of the folder. */
  open(opening: StreamLogOpening<S>): Promise<OpenStreamLog>;
  /** Opens it as the loader reads it, in another thread than the one that appends. */
  openReader(opening: StreamReaderOpening<S>): Promise<LogOfLoader>;
  /** Opens it for looking, beside the processes that use it. Rejects with AORTA-STREAMS-MISSING while there are no streams. */
  openView(at: StreamLogAt<S>, look?: LookAtStreams): Promise<StreamsView>;

  /** Records of each stream that holds some, and who works on them. Rejects if the log cannot be asked. */
  state<Part extends string>(
    at: StreamLogAt<S>,
    loaded: LoadedRecords,
    groups: WorkingGroups<Part>,
  ): Promise<StreamLogState<Part>>;
  /** What `aorta streams` prints. */
  list(at: StreamLogAt<S>, loaded: Pick<LoadedRecords, 'group'>, now: number): Promise<StreamListing>;
  /** Records that are not in tables of that reach. Absent: only the loader's group knows. */
  behind?(at: StreamLogAt<S>, reach: Reach): Promise<number>;
  /** What `doctor` finds. A check that cannot be made is a finding, never an error. */
  probe(at: StreamLogAt<S>, loaded: LoadedRecords, how: ProbeOfStreams): Promise<Finding>;

  /** What differs between the declarations and what is there. Changes nothing. */
  plan?(at: StreamLogAt<S>): Promise<readonly TopicDifference[]>;
  /** Makes what is missing. Partitions are added only if `grow` says so. */
  apply?(at: StreamLogAt<S>, how: { readonly grow: boolean }): Promise<AppliedTopics>;

  /** The error of an `apply` that leaves this topic unmade. */
  unmade?(topic: string): AortaError;

  /** Takes part in a work that workers share out. Absent unless the log is shared. */
  own?(at: StreamLogAt<S>, work: WorkToOwn): Promise<Ownership>;
  /** Opens what a work keeps for the worker that continues it. `owner`: its name, of letters, digits and dashes. Absent unless the log is shared. */
  openKept?(at: StreamLogAt<S>, owner: string): Promise<KeptEntries>;
  /**
   * Opens some streams as a member of a group. The reader skips records that retention dropped unread, and logs a warning.
   * Absent unless the log is shared.
   */
  openGroupReader?(opening: GroupReaderOpening<S>): Promise<ClosableReader>;
  /** Ends memberships that a crashed worker left, so that the others need not wait for their expiry. */
  release?(at: StreamLogAt<S>, memberships: readonly Membership[]): Promise<void>;
}

/** What a stream log is opened with for appending. */
interface StreamLogOpening<S extends AdapterSettings = AdapterSettings> extends StreamLogAt<S> {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Hears when the log does not answer. */
  readonly progress: ProgressReports;
  readonly onStep?: StepObserver;
}

/** What the loader's reader is opened with. */
interface StreamReaderOpening<S extends AdapterSettings = AdapterSettings> extends StreamLogOpening<S> {
  readonly group: string;
  /** How far a partition is in the tables: reading begins there. */
  carried(of: StreamPartition): Landed | undefined | Promise<Landed | undefined>;
  /** Hears that there is more to read, that partitions came or went, or that reading has ended. */
  onNews(): void;
  /** Commits in the thread that appends. Of use unless the log is shared. */
  readonly commit: ReadableLog['commit'];
}

/** A log that can be appended to. One that is not shared can be followed from another thread. */
export type OpenStreamLog = StreamLog & Partial<FollowableLog>;

/** What a worker reads some streams with, as a member of a group. */
interface GroupReaderOpening<S extends AdapterSettings = AdapterSettings> extends StreamLogAt<S> {
  readonly group: string;
  readonly streams: readonly StreamName[];
  /** How far the worker is in a partition: one that is assigned is read from there. */
  carried(of: StreamPartition): Landed | undefined;
  readonly logger: Logger;
}

interface ClosableReader extends ReadableLog {
  close(): Promise<void>;
}

/** The log in the loader's thread. */
export interface LogOfLoader extends ClosableReader {
  /** Takes in what the thread that appends tells. Absent if the log is shared. */
  see?(news: readonly StreamNews[]): void;
}

interface LookAtStreams {
  /** Default: all. */
  readonly streams?: readonly StreamName[];
  /** How many of the last records of each partition are of interest; default: all. More may be there. */
  readonly last?: number;
}

/**
 * Streams to look into, from end to end: a read waits for what it asks for. Nothing is committed. `await using` closes
 * them.
 */
export interface StreamsView
  extends Pick<StreamLog, 'assigned' | 'start' | 'end' | 'read' | 'groups' | 'committed'>,
    AsyncDisposable {
  /** Learns where the partitions end now. */
  look(): Promise<void>;
}

/** Groups of workers beside the loader's, and what they do. */
export interface WorkingGroups<Part extends string> {
  readonly loading: Part;
  readonly others: readonly { readonly group: string; readonly part: Part }[];
}

export interface StreamLogState<Part extends string> {
  readonly streams: readonly LoadedStream[];
  /** Of a shared log: the members of all groups, as the log knows them. */
  readonly members: readonly (GroupMember & { readonly part: Part; readonly group: string })[];
}

/** A stream, and how much of it is loaded: in the tables, or by a shared log committed. */
export interface LoadedStream {
  readonly stream: StreamName;
  readonly records: number;
  readonly landed: number;
  readonly lag: number;
}

/** A table for people, and the same as JSON. */
export interface StreamListing {
  readonly facts: readonly object[];
  readonly columns: readonly { readonly name: string; readonly align?: 'right' }[];
  readonly rows: readonly (readonly string[])[];
}

export interface ProbeOfStreams {
  /** Whether a process writes now: then tables may be behind. */
  isWritten(): boolean;
  /** Milliseconds that a connection and an answer may take: a person waits. */
  readonly connectMs: number;
  readonly requestMs: number;
}

/** Shares of a work, and what it is called. Workers of different kinds of work do not share. */
interface WorkToOwn extends OwnershipOptions {
  readonly work: string;
}

/** A worker's place in a group. */
export interface Membership {
  readonly group: string;
  /** Name that it gave the log. */
  readonly member: string;
}

/** What a topic is and what it ought to be. */
export type TopicDifference =
  | { readonly kind: 'missing'; readonly topic: string }
  /** Partitions can be added, and never taken away: more than declared are no problem. */
  | { readonly kind: 'partitions'; readonly topic: string; readonly declared: number; readonly found: number }
  | {
      readonly kind: 'setting';
      readonly topic: string;
      readonly setting: string;
      readonly declared: string;
      readonly found: string | undefined;
    };

/** What was made, and what differs still. */
export interface AppliedTopics {
  readonly made: readonly string[];
  readonly grown: readonly string[];
  readonly left: readonly TopicDifference[];
}
