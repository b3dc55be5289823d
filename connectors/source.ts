import type { AortaError, ErrorCatalogue, Logger, MetricCatalogue, Metrics, Progress } from '@aorta/runtime';
import type { DeadLetter } from '@aorta/schemas';
import type { z } from 'zod';
import type { Finding } from './finding.ts';
import type { GroupMember } from './group-member.ts';

/** What a source hands over: one delivery, as it came. Sources differ only up to here. */
export interface Delivery {
  /** Configured name of the source. */
  readonly source: string;
  /** Partition of the source, as text. */
  readonly partition: string;
  /** Offset in the partition: a whole number from 0. */
  readonly offset: number;
  /** Receipt time in microseconds since 1970. The same whenever the delivery is read: it is part of the receipt's identity. */
  readonly receivedAt: number;
  /** Headers by name in lower case; bytes where the source does not know a text. `readHeaders` says which ones are read. */
  readonly headers: ReadonlyMap<string, string | Buffer>;
  readonly key: Buffer | null;
  readonly body: Buffer;
  /** The body stands as JSON in a file. It is not compressed, whatever the headers say. */
  readonly inline: boolean;
  /** Where a source of files found it. */
  readonly found?: FoundAt;
  /** What stood here is not a delivery: `body` holds its bytes as found, and it becomes a dead letter. */
  readonly malformed?: true;
  /**
   * Present where the extent of the body was taken on trust (the rest of its line). If that turns out not to be JSON,
   * this gives the delivery with its extent measured; it is then either right or malformed, and never has this member.
   */
  readonly remeasure?: () => Delivery;
}

/** A place in a file. */
export interface FoundAt {
  /** Path of the file, as it was given; `standard input` if it was that. */
  readonly file: string;
  /** The line that the delivery begins on, from 1. */
  readonly line: number;
}

/** Some deliveries of a source, in the order in which each partition holds them. */
export interface DeliveryBatch<Position> {
  readonly deliveries: readonly Delivery[];
  /** Where the source stands after the batch. It holds no bodies, so it may wait for its commit. */
  readonly position: Position;
  /**
   * The deliveries stand before the source's position, and were taken before, by whomever: they are shown to the
   * redelivery window, which may not know them, and go nowhere else.
   */
  readonly before?: true;
  /** The source waits for everything up to here: it is made durable and committed at once. */
  readonly awaited?: true;
}

/** Where deliveries come from. */
export interface Source<Position = unknown> {
  /** Configured name. */
  readonly name: string;
  /** Batches until the source is drained or the signal aborts. Throws an AortaError where it cannot go on. Call once. */
  batches(signal: AbortSignal): AsyncIterable<DeliveryBatch<Position>>;
  /** Everything of the batches with these positions is durable further on. Called in the order of the batches. */
  commit(positions: readonly Position[]): Promise<void>;
  /** A delivery became a dead letter, whole or in parts; called before the position behind it is committed. */
  buried?(delivery: Delivery, letter: DeadLetter): void;
  /** Gives up what the source holds of its peer. Called once, after the last commit. Never rejects, and has a deadline of its own. */
  close?(): Promise<void>;
}

/** What the settings of every configured source have in common. */
export interface SourceSettings {
  readonly type: string;
  /** Name of the source in receipts. Positions are remembered by it, so every source has its own. */
  readonly name: string;
}

/**
 * One type of source, as the registry lists it. The adapter itself imports no client library: it is loaded with every
 * command. Everything that needs one is in its module, which is loaded only if a source of this type is configured.
 */
export interface SourceAdapter<Settings extends SourceSettings = SourceSettings> {
  /** Name of the type in the configuration. */
  readonly type: Settings['type'];
  /** What can go wrong with it: every error code that it makes itself, see `errorsOf`. */
  readonly errors?: ErrorCatalogue;
  /** Every metric that it counts itself. Its code takes the program's metrics as those of this catalogue, see `Metrics`. */
  readonly metrics?: MetricCatalogue;
  /** Options in the configuration: a strict object whose `type` is the literal above. */
  readonly options: SourceOptions<Settings>;
  /** Member of the JSON of `run --dry-run` that lists the places: `paths`, `hubs`, `topics`. */
  readonly placesName: string;
  /** Where a source reads, as people are told: paths, hubs, topics. */
  places(settings: Settings): readonly string[];
  /** The settings with their relative paths resolved against the configuration's folder. Absent if there are none. */
  resolvePaths?(settings: Settings, folder: string): Settings;
  /** Whether a running process has partitions of the source, with a position in each. */
  readonly partitioned: boolean;
  /** Milliseconds from the end of one look to the next in a run that goes on. Absent if such a source never drains. */
  restMs?(settings: Settings): number;
  /** Name by which the broker knows a worker. Absent, or undefined, if it cannot tell this worker from others. */
  clientName?(settings: Settings, worker: string): string | undefined;
  /** Whether a worker that crashed leaves claims for which the others wait, so that {@link SourceModule.release} is worth a call. */
  leavesClaims?(settings: Settings): boolean;
  /** Whether the module can ask who reads the source: {@link SourceModule.members}. */
  readonly knowsMembers?: true;
  /** Name of the check of `doctor` as a whole, where it takes too long to tell more. */
  readonly check: string;
  load(): Promise<SourceModule<Settings>>;
}

/** Options of a source in the configuration, which a union can tell from others by their `type`. */
export type SourceOptions<Settings extends SourceSettings = SourceSettings> = z.ZodType<Settings> & z.core.$ZodTypeDiscriminable;

/** What a source of one type does, with its client library. */
export interface SourceModule<Settings extends SourceSettings = SourceSettings> {
  /** Opens the source for one look at it. Rejects with an AortaError if it cannot be read. */
  open(settings: Settings, surroundings: SourceSurroundings): Promise<Source>;
  /** What `doctor` finds about all configured sources of this type. A check that cannot be made is a finding, never an error. */
  probe(sources: readonly Settings[], surroundings: ProbeSurroundings): Promise<readonly Finding[]>;
  /** Releases the claims of a worker that crashed, so that others need not wait for their expiry. Rejects if the peer cannot be reached. */
  release?(settings: Settings, claims: ClaimsOfWorker): Promise<void>;
  /** The workers that read the source now, with their lag. Rejects with an AortaError if the broker does not answer. */
  members?(settings: Settings, patience: Patience): Promise<readonly GroupMember[]>;
}

/** What an open source works with. */
export interface SourceSurroundings {
  /** Path in the data folder for what the source keeps there. It is this source's alone; the adapter adds an ending. */
  readonly state: string;
  /** Offsets that the redelivery window reaches back; 0 if it is off. */
  readonly window: number;
  /** Most bytes of one document that the source holds whole. */
  readonly documentBytes: number;
  /** The run ends when everything that was there at the start has been taken. */
  readonly once: boolean;
  /** Name of this process among the workers that share the partitions. */
  readonly worker: string;
  /** An earlier process of the same run crashed: if its connections still keep this one out, it waits. */
  readonly patient?: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: Progress;
  /** Hears what is wrong with one part of the source, such as a file. The other parts are read. */
  onProblem(error: AortaError): void;
}

/** What a look by `doctor` works with. */
export interface ProbeSurroundings {
  /** {@link SourceSurroundings.state} of the source with this name. */
  stateOf(name: string): string;
  readonly patience: Patience;
}

/** The crashed worker, and {@link SourceSurroundings.state} of the source. */
export interface ClaimsOfWorker {
  readonly worker: string;
  readonly state: string;
}

/** Milliseconds that a peer may take while a person waits for the answer. */
export interface Patience {
  /** To accept a connection. */
  readonly connectMs: number;
  /** To answer a request. */
  readonly requestMs: number;
}
