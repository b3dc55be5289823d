import type { DeadLetter } from '@aorta/schemas';

/** What a source hands over: one delivery, as it came. Sources differ only up to here. */
export interface Delivery {
  /** Configured name of the source. */
  readonly source: string;
  /** Partition of the source, as text. */
  readonly partition: string;
  /** Offset in the partition: a whole number from 0. */
  readonly offset: number;
  /** Receipt time in microseconds since 1970. */
  readonly receivedAt: number;
  /** Headers by name in lower case; bytes where the source does not know a text. */
  readonly headers: ReadonlyMap<string, string | Buffer>;
  readonly key: Buffer | null;
  readonly body: Buffer;
  /** The body stands as JSON in a file: a gzip mark in the headers is then history. */
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
