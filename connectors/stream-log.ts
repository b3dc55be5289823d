import {
  AortaError,
  type ErrorCatalogue,
  isAortaError,
  type Logger,
  type MetricCatalogue,
  type Metrics,
  type ProgressReports,
  type StepObserver,
} from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import type { AdapterOptions, AdapterSettings, Finding } from './adapter.ts';
import type { GroupMember, KeptEntries, Ownership, OwnershipOptions } from './ownership.ts';
import type { Landed } from './warehouse.ts';

/**
 * A partition of a stream. One reader reads it from start to end. A local stream has only partition 0. On Kafka, a stream
 * has the partitions of its topic, and the workers divide them among themselves. All records of a user are in one
 * partition.
 */
export interface StreamPartition<S extends StreamName = StreamName> {
  readonly stream: S;
  readonly partition: number;
}

/**
 * The stream log. Producers append records to the log, and the loader and the enrichment workers read them. It has two
 * implementations, `local` (Avro container segments in a folder) and `kafka` (topics). Both pass the same conformance
 * tests.
 *
 * A position identifies a record in a partition and increases with each record. In local streams it is the
 * record's index from 0, never a byte offset, since erasure rewrites segments. On Kafka it is the offset. Offsets can have
 * gaps, so never use positions to calculate the number of records. Reading from position p starts with the first record
 * at or after p.
 */
export interface StreamLog extends AppendableLog, ReadableLog {
  /** Returns the position that the group last committed, or undefined if it has not committed any. */
  committed(group: string, of: StreamPartition): number | undefined;

  /** Returns the names of the groups that have committed a position in the partition. */
  groups(of: StreamPartition): readonly string[];

  /**
   * Calls `listener` after every flush, once readers can see the flushed records. This wakes a loader in the same
   * process. Returns a function that unsubscribes.
   */
  onDurable(listener: () => void): () => void;

  /** Returns an error for each loss of records that has not been settled yet. Absent if the log cannot notice a loss. */
  losses?(): readonly AortaError[];
}

/**
 * A log that one thread appends to and another thread reads. The appending thread tells the reading thread which streams
 * have grown.
 */
export interface FollowableLog {
  /** Returns, as plain data, the streams that have grown beyond the ends given in `beyond`. */
  views(beyond: ReadonlyMap<StreamName, number>): readonly StreamNews[];
  /**
   * Called when the reading thread finds that the records at a position are damaged. Replaces the damaged part with its
   * readable records. The reading thread must then receive the whole view of the stream before it reads again.
   */
  replaceDamaged(of: StreamPartition, position: number): Promise<void>;
  /** Gives a stream a new incarnation, so that every reader reads it from its start. */
  renew(of: StreamPartition): Promise<void>;
}

/** A stream that has grown, and the position after its last durable record. An implementation may add fields that its reader needs. */
export interface StreamNews {
  readonly name: StreamName;
  readonly end: number;
}

/** The part of a log that producers use. */
export interface AppendableLog {
  /**
   * Encodes and buffers a record. It is neither durable nor visible to readers until {@link flush} has completed. If the
   * record does not fit the schema, throws NotEncodable and does not change the log.
   */
  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void;

  /** Returns the number of encoded bytes, in all streams, that are buffered or being flushed. They are not durable yet. */
  pendingBytes(): number;

  /**
   * Writes the buffered records of all streams and waits until they are durable and visible to readers. Rejects with
   * AORTA-DATA-UNWRITABLE, or on Kafka with an AORTA-STREAM-… or AORTA-KAFKA-… error. After a failure the log is unusable
   * and must be reopened.
   */
  flush(): Promise<void>;

  /** Drops records that were not flushed, so call {@link flush} first. Waits for running flushes and commits. Further calls do nothing. */
  close(): Promise<void>;
}

/** The part of a log that readers use. */
export interface ReadableLog {
  /**
   * Returns the partitions assigned to this reader, including empty ones. A lost partition disappears from the list. If
   * it is assigned again, a new object represents it, and the caller must drop the state that it kept for the old object.
   * All local streams are always assigned.
   */
  assigned(): readonly StreamPartition[];

  /**
   * Returns the identity of the partition's contents. It changes if the stream is created again, so that old positions
   * are not applied to the new stream.
   */
  incarnation(of: StreamPartition): string;

  /** Returns the first position that the log still has. A new group starts reading there. */
  start(of: StreamPartition): number;

  /** Returns the position after the last durable record that this reader knows of. */
  end(of: StreamPartition): number;

  /** Fetches the current ends of the partitions. Undefined if the reader always knows them. */
  look?(): Promise<void>;

  /**
   * Returns up to `limit.records` records, starting at `from`. Stops earlier if the records reach `limit.bytes` encoded
   * bytes, but returns at least one record if any is available. Returns none if `from` is the end, if this reader has not
   * received any record yet, or if the partition was lost. Decodes records to the current schema, even if a different
   * version of Aorta wrote them. Rejects with AORTA-BUG if `from` is beyond the end. If data is damaged, returns the
   * intact records before the damage first. The next read begins after the lost records in a local log that can be written.
   * Otherwise it rejects with AORTA-SEGMENT-CORRUPT, or on Kafka with AORTA-STREAM-UNREADABLE.
   */
  read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>>;

  /**
   * Durably commits that the group no longer needs records before `position`. A position lower than the committed one
   * is a rewind. Does nothing if the partition was lost. Rejects with AORTA-BUG if `position` is beyond the end, and
   * with AORTA-DATA-UNWRITABLE if a local log cannot store the position.
   */
  commit(group: string, of: StreamPartition, position: number): Promise<void>;
}

export interface ReadLimit {
  readonly records: number;
  readonly bytes: number;
}

export interface ReadBatch<S extends StreamName> {
  readonly stream: S;
  /** Position at which the read started: the first record's position, or a lower one. */
  readonly from: number;
  /** Position after the last record, where the next batch starts. */
  readonly to: number;
  readonly records: readonly StreamRecords[S][];
  /** Size of the encoded records, in bytes. */
  readonly bytes: number;
}

const firsts = new Map<StreamName, StreamPartition>();

/** Returns the partition with this number. Partition 0 of a stream is always the same object. Local streams use only partition 0. */
export function partitionOf<S extends StreamName>(stream: S, partition = 0): StreamPartition<S> {
  if (partition !== 0) return { stream, partition };
  let first = firsts.get(stream);
  if (first === undefined) {
    first = Object.freeze({ stream, partition });
    firsts.set(stream, first);
  }
  return first as StreamPartition<S>;
}

/** Returns the name of a partition, such as `timeseries/3`. */
export function partitionName({ stream, partition }: StreamPartition): string {
  return `${stream}/${partition}`;
}

/** Returns the assigned partitions that contain or have contained records, sorted by name. */
export function inUse(log: Pick<ReadableLog, 'assigned' | 'end'>): readonly StreamPartition[] {
  return log
    .assigned()
    .filter((of) => log.end(of) > 0)
    .sort((a, b) => (a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.partition - b.partition));
}

/** Codes of errors that make one partition unreadable but do not affect the others. */
const damages: ReadonlySet<string> = new Set([
  'AORTA-SEGMENT-CORRUPT',
  'AORTA-STREAM-SHORTER',
  'AORTA-STREAM-TOPIC-SHORTER',
  'AORTA-STREAM-OVERTAKEN',
  'AORTA-STREAM-UNREADABLE',
]);

/** Returns the error if it makes only one partition unreadable, else undefined. */
export function damageOf(error: unknown): AortaError | undefined {
  return isAortaError(error) && damages.has(error.code) ? error : undefined;
}

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
   * The field of the settings that contains the folder of the streams. If the adapter or the settings have no such field,
   * the streams are next to the warehouse or in its data folder.
   */
  readonly folderField?: string;
  /** Describes where the streams are. `folder` is the absolute path of the streams folder. */
  describe(settings: S, folder: string): StreamLogLocation;
  /**
   * Whether workers on several machines share the partitions. In a shared log, each process has a client name and reads
   * as a member of groups. The module then has `own`, `openGroupReader` and `release`, and the folder holds
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
  /**
   * Looks for the receipts of deliveries that sources have committed, from the newest records back. Without `deep`, it reads only
   * some of the records if there are many. Never rejects because of a damaged stream. Absent if the log is shared.
   */
  receipts?(at: StreamLogAt<S>, wanted: readonly ReceiptPlace[], how: Pick<ProbeOfStreams, 'deep'>): Promise<FoundReceipts>;
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
   * work (letters, digits and dashes).
   */
  openKept(at: StreamLogAt<S>, owner: string): Promise<KeptEntries>;
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
  /** Has the appending thread replace a damaged part of a log; see {@link FollowableLog}. */
  replaceDamaged(of: StreamPartition, position: number): Promise<void>;
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
  /** An error for each loss of records whose damaged file has not been deleted. */
  readonly losses: readonly AortaError[];
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
  /** An error for each loss of records whose damaged file has not been deleted. */
  readonly losses: readonly AortaError[];
  readonly columns: readonly { readonly name: string; readonly align?: 'right' }[];
  readonly rows: readonly (readonly string[])[];
}

export interface ProbeOfStreams {
  /** Whether a process is writing now. If so, it is normal that the tables lag behind. */
  isWritten(): boolean;
  /** Maximum times to wait for a connection and for an answer, in milliseconds. They are short because a user is waiting. */
  readonly connectMs: number;
  readonly requestMs: number;
  /** Whether to read every record. */
  readonly deep: boolean;
  /** Whether to replace damaged files. */
  readonly repair: boolean;
}

/** The place of a delivery in its source, as in its receipt. */
export interface ReceiptPlace {
  readonly source: string;
  readonly partition: string;
  readonly offset: number;
}

export interface FoundReceipts {
  /** For each wanted receipt, the highest offset of its partition in the records that were read; undefined if they have none. */
  readonly highest: readonly (number | undefined)[];
  /** Whether every record was read. If a receipt is missing, this shows whether it may be in another record. */
  readonly isComplete: boolean;
}

/** Work that several workers share. All workers that share the work must use the same name. */
interface WorkToOwn extends OwnershipOptions {
  readonly work: string;
}

export interface Membership {
  readonly group: string;
  /** Client id under which the worker joined the group. */
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

/** Creates an AORTA-BUG error: a caller violated the stream log's interface contract, or the log broke one of its own invariants. */
export function streamsBug(problem: string): AortaError {
  return new AortaError('AORTA-BUG', { place: 'streams', problem });
}

/**
 * Thrown if a record does not match the schema of its stream. The log stays unchanged.
 *
 * The error contains neither the value nor the codec's own error, because the codec's error quotes the value.
 */
export class NotEncodable extends Error {
  readonly stream: StreamName;

  constructor(stream: StreamName) {
    super(`a record does not fit the schema of stream ${stream}`);
    this.name = 'NotEncodable';
    this.stream = stream;
  }
}

/** Notifies the listeners of a stream log when records become durable. */
export class DurableSignal {
  readonly #listeners = new Set<() => void>();

  /** Adds a listener and returns a function that removes it. */
  on(listener: () => void): () => void {
    // A set would store two subscriptions of the same function only once, so each subscription gets its own wrapper.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Calls every listener. Each flush calls this method once, when readers can see the flushed records. */
  announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
