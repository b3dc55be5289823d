import type { AortaError, ErrorCatalogue, Logger, MetricCatalogue, Metrics, Progress } from '@aorta/runtime';
import type { DeadLetter } from '@aorta/schemas';
import type { z } from 'zod';
import type { Finding } from './finding.ts';
import type { GroupMember } from './group-member.ts';

/** One delivery, as the source received it. Everything downstream of this type is the same for all sources. */
export interface Delivery {
  /** Configured name of the source. */
  readonly source: string;
  /** Partition of the source, as a string. */
  readonly partition: string;
  /** Offset in the partition: a whole number from 0. */
  readonly offset: number;
  /** Receipt time in microseconds since 1970. It must not change on redelivery, since it identifies the receipt. */
  readonly receivedAt: number;
  /** Headers by lower-case name. A value is a Buffer if the source does not provide it as text. See `readHeaders`. */
  readonly headers: ReadonlyMap<string, string | Buffer>;
  readonly key: Buffer | null;
  readonly body: Buffer;
  /** Whether the body is JSON inside a file. Such a body is never compressed, whatever the headers say. */
  readonly inline: boolean;
  /** Position in a file. Only file sources set it. */
  readonly found?: FoundAt;
  /** Set if the input was not a delivery. `body` then holds the input's bytes, which become a dead letter. */
  readonly malformed?: true;
  /**
   * Set if the source assumed that the body extends to the end of its line. If the body is not JSON, the caller must
   * call this function, which finds the real end of the body. The returned delivery is corrected or malformed, and does
   * not have this member.
   */
  readonly remeasure?: () => Delivery;
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
  /** Set if the deliveries precede the source's position. A worker has already emitted them, so they only fill the redelivery window. */
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
  /** Called when a delivery, or a part of it, has become a dead letter. The position after the delivery is committed later. */
  onDeadLetter?(delivery: Delivery, letter: DeadLetter): void;
  /** Releases the source's connections, memberships and claims. Called once, after the last commit. Never rejects, and has its own deadline. */
  close?(): Promise<void>;
}

export interface SourceSettings {
  readonly type: string;
  /** Name of the source in receipts. Must be unique, since positions are stored under this name. */
  readonly name: string;
}

/**
 * One type of source, as listed in the registry. Every command loads the adapter, so the adapter must not import a
 * client library. Code that needs a client library belongs in the adapter's module, which is loaded only if a source of
 * this type is configured.
 */
export interface SourceAdapter<Settings extends SourceSettings = SourceSettings> {
  readonly type: Settings['type'];
  /** All error codes that the adapter defines, see `errorsOf`. */
  readonly errors?: ErrorCatalogue;
  /** All metrics that the adapter defines. The adapter's code may report only these metrics; see `Metrics`. */
  readonly metrics?: MetricCatalogue;
  /** Schema of the options in the configuration: a strict object with the literal `type` above. */
  readonly options: SourceOptions<Settings>;
  /** Name of the member in the JSON of `run --dry-run` that lists what the source reads: `paths`, `hubs` or `topics`. */
  readonly placesName: string;
  /** Returns the paths, hubs or topics that the source reads, for display. */
  places(settings: Settings): readonly string[];
  /** Resolves relative paths in the settings against the folder of the configuration. Absent if there are no paths. */
  resolvePaths?(settings: Settings, folder: string): Settings;
  /** Whether workers own partitions of the source, with a position in each partition. */
  readonly partitioned: boolean;
  /** Milliseconds between two scans in a continuous run. Absent if the source never drains. */
  restMs?(settings: Settings): number;
  /** Returns a worker's client name at the broker. Absent or undefined if the broker does not distinguish workers. */
  clientName?(settings: Settings, worker: string): string | undefined;
  /** Whether the claims of a crashed worker block other workers. If so, {@link SourceModule.release} removes the claims. */
  leavesClaims?(settings: Settings): boolean;
  /** Whether the module can list the workers that read the source: {@link SourceModule.members}. */
  readonly knowsMembers?: true;
  /** Name of the check under which `doctor` reports that this adapter's checks took too long. */
  readonly check: string;
  load(): Promise<SourceModule<Settings>>;
}

/** Schema of a source's options. The configuration parser selects the schema by `type`. */
export type SourceOptions<Settings extends SourceSettings = SourceSettings> = z.ZodType<Settings> & z.core.$ZodTypeDiscriminable;

/** The part of a source adapter that needs its client library. */
export interface SourceModule<Settings extends SourceSettings = SourceSettings> {
  /** Opens the source for one pass over its deliveries. Rejects with an AortaError if the source cannot be read. */
  open(settings: Settings, surroundings: SourceSurroundings): Promise<Source>;
  /** Runs the `doctor` checks for all configured sources of this type. A check that cannot run is a finding, not an error. */
  probe(sources: readonly Settings[], surroundings: ProbeSurroundings): Promise<readonly Finding[]>;
  /** Releases the claims of a crashed worker, so that other workers need not wait until the claims expire. Rejects if the peer cannot be reached. */
  release?(settings: Settings, claims: ClaimsOfWorker): Promise<void>;
  /** Returns the workers that read the source now, with their lag. Rejects with an AortaError if the broker does not answer. */
  members?(settings: Settings, patience: Patience): Promise<readonly GroupMember[]>;
}

export interface SourceSurroundings {
  /** Path in the data folder for the state of this source; no other source uses it. The adapter appends a suffix. */
  readonly state: string;
  /** Size of the redelivery window in offsets; 0 if the window is off. */
  readonly window: number;
  /** Maximum size, in bytes, of a document that the source may hold in memory. */
  readonly documentBytes: number;
  /** Whether the run ends when everything that existed at the start of the run has been read. */
  readonly once: boolean;
  /** Name of this process among the workers that share the partitions. */
  readonly worker: string;
  /** Set if an earlier process of this run crashed. If that process's connections still block this process, the source waits. */
  readonly patient?: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: Progress;
  /** Called for a problem with one part of the source, such as a file. The source continues with the other parts. */
  onProblem(error: AortaError): void;
}

export interface ProbeSurroundings {
  /** Returns the {@link SourceSurroundings.state} of the source with this name. */
  stateOf(name: string): string;
  readonly patience: Patience;
}

export interface ClaimsOfWorker {
  readonly worker: string;
  readonly state: string;
}

/** Maximum times to wait for a peer, in milliseconds. They are short because a user is waiting for the answer. */
export interface Patience {
  /** Maximum time for the peer to accept a connection. */
  readonly connectMs: number;
  /** Maximum time for the peer to answer a request. */
  readonly requestMs: number;
}
