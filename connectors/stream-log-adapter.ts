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
 * Describes a type of stream log: everything that the program needs before it opens a log. Every command loads the
 * adapter, so only {@link StreamLogAdapter.load} may import a client library.
 */
export interface StreamLogAdapter<S extends AdapterSettings = AdapterSettings> {
  readonly type: S['type'];
  /** All error codes that the adapter defines (see `errorsOf`). */
  readonly errors?: ErrorCatalogue;
  /** All metrics that the adapter defines. The adapter's code may report only these metrics (see `Metrics`). */
  readonly metrics?: MetricCatalogue;
  /** Schema of the settings. Values must be structured-cloneable, because they are passed to the loader's thread. */
  readonly options: AdapterOptions<S>;
  /** `import.meta.url` of the file that exports this adapter as `streamLog`. The loader's thread imports it from there. */
  readonly address: string;
  load(): Promise<StreamLogModule<S>>;

  /**
   * Returns the configured folder of the streams. If this function is absent or returns undefined, the streams are next
   * to the warehouse or in its data folder.
   */
  folderOf?(settings: S): string | undefined;
  /** Describes where the streams are. `folder` is the absolute path of the streams folder. */
  describe(settings: S, folder: string): StreamLogLocation;
  /**
   * Whether workers on several machines share the partitions. In a shared log, each process has a client name and reads
   * as a member of groups. The module then has `own`, `openKept`, `openGroupReader` and `release`, and the folder holds
   * the state of one process. In a log that is not shared, one process owns the folder, and the log locks the folder.
   */
  readonly isShared?: true;
  /** Whether the module has {@link StreamLogModule.plan} and `apply`. Without them, opening the log creates the streams. */
  readonly isPlanned?: true;
}

/** The location of a stream log, as text and as JSON. */
export interface StreamLogLocation {
  readonly text: string;
  /** The folder that holds the records; null if the records are elsewhere. */
  readonly folder: string | null;
  /** What `aorta validate --json` prints about the location, in addition to the log's type. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A stream log, and the folder and client name with which a process uses it. */
export interface StreamLogAt<S extends AdapterSettings = AdapterSettings> {
  readonly settings: S;
  /** Absolute path of the folder with the streams. */
  readonly folder: string;
  /** Client name of this process in a shared log. */
  readonly clientId: string;
}

/** Maps the name of each partition to the position up to which the published tables contain its records. */
export type Reach = ReadonlyMap<string, Landed>;

/** How much of each partition is loaded, according to the loader's group or to the tables. */
export interface LoadedRecords {
  readonly group: string;
  reach(): Promise<Reach>;
}

/** The part of a stream log adapter that needs its client library. */
export interface StreamLogModule<S extends AdapterSettings = AdapterSettings> {
  /** Opens the log for appending. Locks the folder of a log that is not shared. */
  open(opening: StreamLogOpening<S>): Promise<OpenStreamLog>;
  /** Opens the log for the loader, which does not run in the thread that appends. */
  openReader(opening: StreamReaderOpening<S>): Promise<LogOfLoader>;
  /** Opens the log for inspection while other processes use it. Rejects with AORTA-STREAMS-MISSING if there are no streams yet. */
  openView(at: StreamLogAt<S>, look?: LookAtStreams): Promise<StreamsView>;

  /** Returns the record counts of each non-empty stream, and the members of the groups. Rejects if the log does not answer. */
  state<Part extends string>(
    at: StreamLogAt<S>,
    loaded: LoadedRecords,
    groups: WorkingGroups<Part>,
  ): Promise<StreamLogState<Part>>;
  /** Returns what `aorta streams` prints. */
  list(at: StreamLogAt<S>, loaded: Pick<LoadedRecords, 'group'>, now: number): Promise<StreamListing>;
  /** Counts the records beyond `reach`, which are not in the tables yet. Not implemented if this number can be determined only from the loader's commits. */
  behind?(at: StreamLogAt<S>, reach: Reach): Promise<number>;
  /** Runs the `doctor` check. If the check cannot run, returns a finding and does not reject. */
  probe(at: StreamLogAt<S>, loaded: LoadedRecords, how: ProbeOfStreams): Promise<Finding>;

  /** Compares the declared topics with the existing ones. Changes nothing. */
  plan?(at: StreamLogAt<S>): Promise<readonly TopicDifference[]>;
  /** Creates missing topics. Adds partitions only if `grow` is set. */
  apply?(at: StreamLogAt<S>, how: { readonly grow: boolean }): Promise<AppliedTopics>;

  /** Returns the error for a topic that `apply` did not create. */
  unmade?(topic: string): AortaError;

  /** Joins the workers that share this work. Absent unless the log is shared. */
  own?(at: StreamLogAt<S>, work: WorkToOwn): Promise<Ownership>;
  /**
   * Opens the store through which a worker passes its state to the worker that takes over. `owner` is the name of the
   * work (letters, digits and dashes). Absent unless the log is shared.
   */
  openKept?(at: StreamLogAt<S>, owner: string): Promise<KeptEntries>;
  /**
   * Opens a reader that is a member of a consumer group. If retention has deleted unread records, the reader skips
   * these records and logs a warning. Absent unless the log is shared.
   */
  openGroupReader?(opening: GroupReaderOpening<S>): Promise<ClosableReader>;
  /** Ends the memberships of a crashed worker, so that other workers need not wait until the memberships expire. */
  release?(at: StreamLogAt<S>, memberships: readonly Membership[]): Promise<void>;
}

interface StreamLogOpening<S extends AdapterSettings = AdapterSettings> extends StreamLogAt<S> {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Receives a report if the log does not answer. */
  readonly progress: ProgressReports;
  readonly onStep?: StepObserver;
}

interface StreamReaderOpening<S extends AdapterSettings = AdapterSettings> extends StreamLogOpening<S> {
  readonly group: string;
  /** Returns the position up to which a partition's records have landed in the tables. Reading starts there. */
  carried(of: StreamPartition): Landed | undefined | Promise<Landed | undefined>;
  /** Called when there is more to read, when partitions were assigned or lost, or when reading has ended. */
  onNews(): void;
  /** Commits a position in the thread that appends. A shared log does not use this function. */
  readonly commit: ReadableLog['commit'];
}

/** A log opened for appending. If the log is not shared, another thread can read the appended records. */
export type OpenStreamLog = StreamLog & Partial<FollowableLog>;

interface GroupReaderOpening<S extends AdapterSettings = AdapterSettings> extends StreamLogAt<S> {
  readonly group: string;
  readonly streams: readonly StreamName[];
  /** Returns the worker's position in a partition. After an assignment, reading starts there. */
  carried(of: StreamPartition): Landed | undefined;
  readonly logger: Logger;
}

interface ClosableReader extends ReadableLog {
  close(): Promise<void>;
}

export interface LogOfLoader extends ClosableReader {
  /** Receives the changes that the appending thread reports. Absent if the log is shared. */
  see?(news: readonly StreamNews[]): void;
}

interface LookAtStreams {
  /** The streams to open. Default: all. */
  readonly streams?: readonly StreamName[];
  /** Number of records at the end of each partition that the caller needs. Default: all. The view may contain more records. */
  readonly last?: number;
}

/**
 * A read-only view of streams, from start to end. A read waits until the requested records have arrived. The view
 * commits nothing. `await using` closes it.
 */
export interface StreamsView
  extends Pick<StreamLog, 'assigned' | 'start' | 'end' | 'read' | 'groups' | 'committed'>,
    AsyncDisposable {
  /** Asks for the current ends of the partitions. */
  look(): Promise<void>;
}

/** The part of the program that each consumer group belongs to. `loading` is the part that the loader's group belongs to. */
export interface WorkingGroups<Part extends string> {
  readonly loading: Part;
  readonly others: readonly { readonly group: string; readonly part: Part }[];
}

export interface StreamLogState<Part extends string> {
  readonly streams: readonly LoadedStream[];
  /** Members of all groups, as a shared log reports them. Empty unless the log is shared. */
  readonly members: readonly (GroupMember & { readonly part: Part; readonly group: string })[];
}

/**
 * A stream and how much of it is loaded. In a shared log, records count as loaded once the loader's group has committed
 * them; in other logs, once they are in the tables.
 */
export interface LoadedStream {
  readonly stream: StreamName;
  readonly records: number;
  readonly landed: number;
  readonly lag: number;
}

/** The streams as a table for display, and as JSON. */
export interface StreamListing {
  readonly facts: readonly object[];
  readonly columns: readonly { readonly name: string; readonly align?: 'right' }[];
  readonly rows: readonly (readonly string[])[];
}

export interface ProbeOfStreams {
  /** Whether a process is writing now. If so, it is normal that the tables lag behind. */
  isWritten(): boolean;
  /** Maximum times to wait for a connection and for an answer, in milliseconds. They are short because a user is waiting. */
  readonly connectMs: number;
  readonly requestMs: number;
}

/** Work that several workers share. All workers that share the work must use the same name. */
interface WorkToOwn extends OwnershipOptions {
  readonly work: string;
}

export interface Membership {
  readonly group: string;
  /** Client name that the worker sent to the log. */
  readonly member: string;
}

export type TopicDifference =
  | { readonly kind: 'missing'; readonly topic: string }
  /** Kafka can add partitions but not remove them, so having more partitions than declared is not a difference. */
  | { readonly kind: 'partitions'; readonly topic: string; readonly declared: number; readonly found: number }
  | {
      readonly kind: 'setting';
      readonly topic: string;
      readonly setting: string;
      readonly declared: string;
      readonly found: string | undefined;
    };

/** What `apply` created, and which differences remain. */
export interface AppliedTopics {
  readonly made: readonly string[];
  readonly grown: readonly string[];
  readonly left: readonly TopicDifference[];
}
