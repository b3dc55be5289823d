import type { AortaError, ErrorCatalogue, Logger, MetricCatalogue, Metrics, Progress } from '@aorta/runtime';
import type { DeadLetter } from '@aorta/schemas';
import type { z } from 'zod';
import type { Finding } from './finding.ts';
import type { GroupMember } from './group-member.ts';

/** One delivery, as the source received it. Everything downstream of this type is the same for all sources. */
export interface Delivery {
  /** Configured name of the source. */
  readonly source: string;
  /** Partition of the source, as text. */
  readonly partition: string;
  /** Offset in the partition: a whole number from 0. */
  readonly offset: number;
  /** Receipt time in microseconds since 1970. It must not change on redelivery, since it identifies the receipt. */
  readonly receivedAt: number;
  /** Headers by lower-case name. A value is bytes if the source has no text for it. `readHeaders` reads them. */
  readonly headers: ReadonlyMap<string, string | Buffer>;
  readonly key: Buffer | null;
  readonly body: Buffer;
  /** The body is JSON inside a file, so it is not compressed, whatever the headers say. */
  readonly inline: boolean;
  /** Position in a file. Only sources of files set it. */
  readonly found?: FoundAt;
  /** The input was not a delivery. `body` holds its bytes as found, and it becomes a dead letter. */
  readonly malformed?: true;
  /**
   * Present if the source assumed that the body is the rest of its line. If that is not JSON, this returns the delivery
   * with its extent measured. The result is either correct or malformed, and never has this member.
   */
  readonly remeasure?: () => Delivery;
}

export interface FoundAt {
  /** Path of the file as given, or `standard input`. */
  readonly file: string;
  /** First line of the delivery, from 1. */
  readonly line: number;
}

/** Deliveries of a source, in the order of each partition. */
export interface DeliveryBatch<Position> {
  readonly deliveries: readonly Delivery[];
  /** Position of the source after the batch. It holds no bodies, so it can be kept until its commit. */
  readonly position: Position;
  /** The deliveries precede the source's position and were already emitted by this or another worker. They only fill the redelivery window. */
  readonly before?: true;
  /** The source waits until everything up to this batch is durable and committed, so ingestion flushes at once. */
  readonly awaited?: true;
}

export interface Source<Position = unknown> {
  readonly name: string;
  /** Yields batches until the source is drained or the signal aborts. Throws an AortaError if it cannot continue. Call it once. */
  batches(signal: AbortSignal): AsyncIterable<DeliveryBatch<Position>>;
  /** Called in batch order, once everything in the batches with these positions is durable downstream. */
  commit(positions: readonly Position[]): Promise<void>;
  /** Called when a delivery, or a part of it, became a dead letter, before the position after it is committed. */
  onDeadLetter?(delivery: Delivery, letter: DeadLetter): void;
  /** Releases the source's connections, memberships and claims. Called once, after the last commit. Never rejects, and has its own deadline. */
  close?(): Promise<void>;
}

export interface SourceSettings {
  readonly type: string;
  /** Name of the source in receipts. Must be unique, since positions are stored under it. */
  readonly name: string;
}

/**
 * One type of source, as listed in the registry. Every command loads the adapter, so it imports no client library. Code
 * that needs one belongs in its module, which is loaded only if a source of this type is configured.
 */
export interface SourceAdapter<Settings extends SourceSettings = SourceSettings> {
  readonly type: Settings['type'];
  /** All error codes that the adapter defines, see `errorsOf`. */
  readonly errors?: ErrorCatalogue;
  /** All metrics that the adapter defines. Its code uses the program's metrics typed by this catalogue, see `Metrics`. */
  readonly metrics?: MetricCatalogue;
  /** Schema of the options in the configuration: a strict object with the literal `type` above. */
  readonly options: SourceOptions<Settings>;
  /** Member in the JSON of `run --dry-run` that lists the places: `paths`, `hubs`, `topics`. */
  readonly placesName: string;
  /** Returns the paths, hubs or topics that the source reads, for display. */
  places(settings: Settings): readonly string[];
  /** Resolves relative paths in the settings against the folder of the configuration. Absent if there are no paths. */
  resolvePaths?(settings: Settings, folder: string): Settings;
  /** Whether a running process owns partitions of the source and has a position in each. */
  readonly partitioned: boolean;
  /** Milliseconds between two scans when a run continues. Absent if such a source never drains. */
  restMs?(settings: Settings): number;
  /** Returns a worker's client name at the broker. Absent, or undefined, if the broker cannot distinguish workers. */
  clientName?(settings: Settings, worker: string): string | undefined;
  /** Whether other workers must wait for the claims of a crashed worker, so that {@link SourceModule.release} helps. */
  leavesClaims?(settings: Settings): boolean;
  /** Whether the module can list the workers that read the source: {@link SourceModule.members}. */
  readonly knowsMembers?: true;
  /** Name that `doctor` reports if the checks of this adapter take too long. */
  readonly check: string;
  load(): Promise<SourceModule<Settings>>;
}

/** Schema of a source's options. A union distinguishes them by `type`. */
export type SourceOptions<Settings extends SourceSettings = SourceSettings> = z.ZodType<Settings> & z.core.$ZodTypeDiscriminable;

/** The part of a source adapter that needs its client library. */
export interface SourceModule<Settings extends SourceSettings = SourceSettings> {
  /** Opens the source for one pass over it. Rejects with an AortaError if it cannot be read. */
  open(settings: Settings, surroundings: SourceSurroundings): Promise<Source>;
  /** Runs the `doctor` checks for all configured sources of this type. A check that cannot run is a finding, not an error. */
  probe(sources: readonly Settings[], surroundings: ProbeSurroundings): Promise<readonly Finding[]>;
  /** Releases the claims of a crashed worker, so that others need not wait for their expiry. Rejects if the peer cannot be reached. */
  release?(settings: Settings, claims: ClaimsOfWorker): Promise<void>;
  /** Returns the workers that read the source now, with their lag. Rejects with an AortaError if the broker does not answer. */
  members?(settings: Settings, patience: Patience): Promise<readonly GroupMember[]>;
}

export interface SourceSurroundings {
  /** Path in the data folder for the source's own state. No other source uses it; the adapter appends a suffix. */
  readonly state: string;
  /** Size of the redelivery window in offsets; 0 if it is off. */
  readonly window: number;
  /** Maximum bytes of a document that the source holds in memory as a whole. */
  readonly documentBytes: number;
  /** The run ends when everything that existed at its start has been read. */
  readonly once: boolean;
  /** Name of this process among the workers that share the partitions. */
  readonly worker: string;
  /** An earlier process of this run crashed. If its connections still block this one, the source waits. */
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

/** Timeouts of a peer in milliseconds. They are short, since a person waits for the answer. */
export interface Patience {
  /** To accept a connection. */
  readonly connectMs: number;
  /** To answer a request. */
  readonly requestMs: number;
}
