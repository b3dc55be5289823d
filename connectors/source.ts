import type { AortaError, ErrorCatalogue, Logger, MetricCatalogue, Metrics, Progress } from '@aorta/runtime';
import type { DeadLetter } from '@aorta/schemas';
import type { z } from 'zod';
import type { AdapterSettings, Finding } from './adapter.ts';
import type { GroupMember } from './ownership.ts';
import type { FoundReceipts, ReceiptPlace } from './stream-log.ts';

/** One delivery, as the source received it. Code that processes deliveries is the same for all types of sources. */
export interface Delivery {
  /** Configured name of the source. */
  readonly source: string;
  /** Partition of the source, as a string. */
  readonly partition: string;
  /** Offset in the partition: a whole number from 0. */
  readonly offset: number;
  /** Time of receipt, in microseconds since 1970. It is part of the delivery's identity, so a redelivery must not change it. */
  readonly receivedAt: number;
  /** When the delivery arrived at this process or its intake log, in microseconds since 1970. Absent if only the broker knows. */
  readonly arrivedAt?: number;
  /** Headers by lower-case name. A value is a Buffer if the source does not provide it as text. See `readHeaders`. */
  readonly headers: ReadonlyMap<string, string | Buffer>;
  readonly key: Buffer | null;
  readonly body: Buffer;
  /** Whether a file contains the body as JSON, not as base64. Such a body is never compressed, whatever the headers say. */
  readonly inline: boolean;
  /** Position in a file. Only file sources set it. */
  readonly found?: FoundAt;
  /**
   * Set if the input is not a valid delivery. `body` then holds the raw input, which becomes a dead letter. `tombstone`: the
   * record of a broker has no value, so `body` is empty.
   */
  readonly malformed?: true | 'tombstone';
}

export interface FoundAt {
  /** Path of the file as given, or `standard input`. */
  readonly file: string;
  /** First line of the delivery, from 1. */
  readonly line: number;
}

/** A batch of deliveries from one source. Deliveries of the same partition are in order. */
export interface DeliveryBatch<Position> {
  readonly deliveries: readonly Delivery[];
  /** Position of the source after the batch. It holds no bodies, so keeping it until the commit needs little memory. */
  readonly position: Position;
  /**
   * Set if the deliveries precede the position at which the source resumed. A worker has already emitted them, so they
   * only fill the redelivery window.
   */
  readonly before?: true;
  /** Set if the source waits until everything up to this batch is durable and committed. Ingestion then flushes at once. */
  readonly awaited?: true;
}

export interface Source<Position = unknown> {
  readonly name: string;
  /** Yields batches until the source is drained or the signal aborts. Throws an AortaError if it cannot continue. Call it once. */
  batches(signal: AbortSignal): AsyncIterable<DeliveryBatch<Position>>;
  /** Called in batch order, once everything in the batches with these positions is durable downstream. */
  commit(positions: readonly Position[]): Promise<void>;
  /** Called when a delivery, or a part of it, has become a dead letter. The delivery's position is committed later. */
  onDeadLetter?(delivery: Delivery, letter: DeadLetter): void;
  /**
   * Closes the source's connections, leaves its consumer groups and releases its claims. Called once, after the last
   * commit. Never rejects, and sets its own deadline.
   */
  close?(): Promise<void>;
}

export interface SourceSettings {
  readonly type: string;
  /** Name of the source, as recorded in receipts. It must be unique, because positions are stored under this name. */
  readonly name: string;
}

/**
 * One type of source, as listed in the registry. Every command loads the adapter, so the adapter must not import a
 * client library. Code that needs a client library belongs in the adapter's module, which is loaded only if a source of
 * this type is configured.
 */
export interface SourceAdapter<Settings extends SourceSettings = SourceSettings> {
  readonly type: Settings['type'];
  /** All error codes that the adapter defines (see `errorsOf`). */
  readonly errors?: ErrorCatalogue;
  /** All metrics that the adapter defines. The adapter's code may report only these metrics; see `Metrics`. */
  readonly metrics?: MetricCatalogue;
  /** Schema of the options in the configuration: a strict object with the literal `type` above. */
  readonly options: SourceOptions<Settings>;
  /** Name of the member that contains {@link places} in the JSON output of `run --dry-run`: `paths`, `hubs` or `topics`. */
  readonly placesName: string;
  /** Returns the paths, hubs or topics that the source reads, for display. */
  places(settings: Settings): readonly string[];
  /** Resolves relative paths in the settings against the configuration file's folder. Absent if the settings have no paths. */
  resolvePaths?(settings: Settings, folder: string): Settings;
  /**
   * Fills in settings that default to those of the streams, such as a cluster. Called after the configuration was read. Absent if the
   * source does not depend on the streams.
   */
  withStreams?(settings: Settings, streams: AdapterSettings): Settings;
  /** Whether the partitions of the source are divided among workers. Each partition then has its own position. */
  readonly partitioned: boolean;
  /** Milliseconds between two scans in a continuous run. Absent if the source's input never ends. */
  restMs?(settings: Settings): number;
  /** Returns the name under which a worker connects to the broker. Absent or undefined if workers have no individual names. */
  clientName?(settings: Settings, worker: string): string | undefined;
  /** Whether the claims of a crashed worker block other workers. If so, {@link SourceModule.release} removes the claims. */
  leavesClaims?(settings: Settings): boolean;
  /** Whether the module can list the workers that read the source: {@link SourceModule.members}. */
  readonly knowsMembers?: true;
  /** Name of the check that `doctor` reports as failed if this adapter's checks take too long. */
  readonly check: string;
  load(): Promise<SourceModule<Settings>>;
}

/** Schema of a source's options. The configuration parser selects the schema by `type`. */
export type SourceOptions<Settings extends SourceSettings = SourceSettings> = z.ZodType<Settings> & z.core.$ZodTypeDiscriminable;

/** The part of a source adapter that needs the client library. */
export interface SourceModule<Settings extends SourceSettings = SourceSettings> {
  /** Opens the source for one pass over its deliveries. Rejects with an AortaError if the source cannot be read. */
  open(settings: Settings, surroundings: SourceSurroundings): Promise<Source>;
  /**
   * Answers senders in place of the source while a full disk keeps it closed. The source may be opened again before the stand-in
   * is closed. Never rejects.
   */
  standIn?(settings: Settings, surroundings: StandInSurroundings): Promise<StandIn>;
  /** Runs the `doctor` checks for all configured sources of this type. A check that cannot run is a finding, not an error. */
  probe(sources: readonly Settings[], surroundings: ProbeSurroundings): Promise<readonly Finding[]>;
  /**
   * Releases the claims of a crashed worker, so that other workers need not wait until the claims expire. Rejects if the
   * broker or store that holds the claims cannot be reached.
   */
  release?(settings: Settings, claims: ClaimsOfWorker): Promise<void>;
  /**
   * Returns the lasting problems with single parts of the source, which the source does not report again. `state` is
   * {@link SourceSurroundings.state}. Absent if the source reports every problem as long as it lasts.
   */
  problems?(settings: Settings, state: string): Promise<readonly AortaError[]>;
  /** Returns the workers that read the source now, with their lag. Rejects with an AortaError if the broker does not answer. */
  members?(settings: Settings, patience: Patience): Promise<readonly GroupMember[]>;
}

/** The outputs of a process, which are not its input. */
export interface Outputs {
  /** Maps the absolute path of a file or folder, which may not exist yet, to what it is. The text completes `FILE is …`. */
  readonly paths: ReadonlyMap<string, string>;
  /** File descriptors, such as that of the standard output, and the name of each output. */
  readonly descriptors: ReadonlyMap<number, string>;
}

export interface SourceSurroundings {
  /** Path for the state of this source, in the data folder. Each source has its own path. The adapter appends a suffix. */
  readonly state: string;
  /** Size of the redelivery window in offsets; 0 if the window is off. */
  readonly window: number;
  /** Maximum size, in bytes, of a document that the source may hold in memory. */
  readonly documentBytes: number;
  /** Whether the run ends when everything that existed at the start of the run has been read. */
  readonly once: boolean;
  /** Name of this process among the workers that share the partitions. */
  readonly worker: string;
  /**
   * Set if an earlier process of this run crashed. The connections of the crashed process may block this process for a
   * while, so the source waits and retries instead of failing.
   */
  readonly patient?: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: Progress;
  /** Returns the time at which a delivery arrives, in milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number;
  /** The outputs of this process, which are not input. Default: nothing. */
  readonly outputs?: Outputs;
  /** Called for a problem with one part of the source, such as a file. The source continues with the other parts. */
  onProblem(error: AortaError): void;
}

export interface StandInSurroundings extends Pick<SourceSurroundings, 'logger' | 'metrics' | 'progress'> {
  /** Why the source is closed. */
  readonly error: AortaError;
  /** Aborts when the source may be opened again. */
  readonly signal: AbortSignal;
}

export interface StandIn {
  /** Never rejects, and sets its own deadline. */
  close(): Promise<void>;
}

export interface ProbeSurroundings {
  /** Returns the {@link SourceSurroundings.state} of the source with this name. */
  stateOf(name: string): string;
  readonly patience: Patience;
  /**
   * Looks in the streams for receipts that the source has committed. The caller must know the committed offsets before the call,
   * because a running worker appends before it commits. Undefined if the streams are shared or cannot be determined.
   */
  receipts?(wanted: readonly ReceiptPlace[]): Promise<FoundReceipts | undefined>;
}

export interface ClaimsOfWorker {
  readonly worker: string;
  readonly state: string;
}

/** Maximum times to wait for a broker, in milliseconds. They are short because a user is waiting for the result. */
export interface Patience {
  /** Maximum time for the broker to accept a connection. */
  readonly connectMs: number;
  /** Maximum time for the broker to answer a request. */
  readonly requestMs: number;
}
