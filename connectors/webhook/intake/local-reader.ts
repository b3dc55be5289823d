import type { Logger } from '@aorta/runtime';
import type { LocalPosition } from './checkpoint.ts';
import { type PlacedMessage, readFrames, type Segment } from './segment.ts';

/** Messages of the log in order, and the position after them. */
export interface ReadMessages {
  readonly messages: readonly PlacedMessage[];
  readonly position: LocalPosition;
  /** Whether the messages precede the committed position. */
  readonly before: boolean;
}

interface LocalReaderOptions {
  /** The segments of the log. The array and the ends of the segments grow while messages are appended. */
  readonly segments: readonly Segment[];
  readonly committed: LocalPosition | undefined;
  /** Size of the redelivery window in offsets of a partition. */
  readonly window: number;
  readonly logger: Logger;
  /** Called if more acknowledged messages of a segment are missing, with their number. They are not committed. */
  onMissing(segment: Segment, messages: number): Promise<void>;
}

/** Reads a local intake log, starting at the redelivery window before the committed position. */
export class LocalReader {
  readonly #segments: readonly Segment[];
  readonly #committed: LocalPosition;
  readonly #windowStart: readonly number[];
  readonly #logger: Logger;
  readonly #onMissing: LocalReaderOptions['onMissing'];
  /** By partition: the next offset. */
  readonly #next: number[];
  /** Number of missing messages in the segment. */
  #missing = 0;
  #number: number;
  #byte: number;

  /** `partitions`: the number of partitions. */
  constructor({ segments, committed, window, logger, onMissing }: LocalReaderOptions, partitions: number) {
    this.#segments = segments;
    this.#logger = logger;
    this.#onMissing = onMissing;
    const oldest = segments[0];
    const none = Array.from({ length: partitions }, () => 0);
    this.#committed = committed ?? { segment: oldest?.number ?? 0, byte: oldest?.start ?? 0, next: oldest?.first ?? none };
    this.#windowStart = this.#committed.next.map((next) => Math.max(0, next - window));
    const from = window > 0 ? this.#segmentWithWindow() : undefined;
    this.#number = from?.number ?? this.#committed.segment;
    this.#byte = from?.start ?? this.#committed.byte;
    this.#next = [...this.#committed.next];
  }

  /** By partition: the offset up to which everything was read, or is missing. */
  get next(): readonly number[] {
    return this.#next;
  }

  /** The position before which messages only fill the redelivery window. */
  get committed(): LocalPosition {
    return this.#committed;
  }

  /** Whether everything in the segment has been read. */
  hasRead({ number, end }: Segment): boolean {
    return number < this.#number || (number === this.#number && this.#byte >= end);
  }

  /** Reads up to the current end of the log. Rejects with AORTA-FILE-UNREADABLE. */
  async *toEnd(): AsyncGenerator<ReadMessages> {
    for (;;) {
      const segment = this.#segments.find(({ number }) => number >= this.#number);
      if (segment === undefined) return;
      // If the log was empty when it was opened, its first segment did not exist yet.
      this.#byte = segment.number > this.#number ? segment.start : Math.max(this.#byte, segment.start);
      this.#number = segment.number;
      // A segment with a successor no longer grows. So look for the successor before reading up to the end.
      const later = this.#segments.find(({ number }) => number > segment.number);
      yield* this.#read(segment);
      if (later === undefined) return;
      this.#number = later.number;
      this.#byte = later.start;
      this.#missing = 0;
    }
  }

  async *#read(segment: Segment): AsyncGenerator<ReadMessages> {
    const { number, path, end, next = [] } = segment;
    const hasUncommitted = number >= this.#committed.segment;
    // A failed append uses up its offsets. They lie between two segments.
    if (hasUncommitted) this.#pass(segment.first);
    const before = this.#missing;
    for await (const { messages, to, damaged, torn } of readFrames(path, this.#byte, end)) {
      this.#byte = to;
      if (damaged !== undefined && !torn)
        this.#logger.warn('intake log damaged', { file: path, byte: to - damaged, bytes: damaged });
      // In the log, every message before the committed position precedes every message after it.
      const split = messages.findIndex(({ partition, offset }) => offset >= this.#committed.next[partition]!);
      const border = split === -1 ? messages.length : split;
      const known = messages.slice(0, border).filter(({ partition, offset }) => offset >= this.#windowStart[partition]!);
      if (known.length > 0) yield { messages: known, position: this.#committed, before: true };
      const fresh: PlacedMessage[] = [];
      for (const message of messages.slice(border)) {
        const { partition, offset } = message;
        // Damage may have repeated a part of the segment.
        if (offset < this.#next[partition]!) continue;
        this.#missing += Math.max(0, Math.min(offset, next[partition] ?? 0) - this.#next[partition]!);
        this.#next[partition] = offset + 1;
        fresh.push(message);
      }
      if (fresh.length > 0)
        yield { messages: fresh, position: { segment: number, byte: to, next: [...this.#next] }, before: false };
    }
    if (!hasUncommitted) return;
    this.#missing += this.#pass(next);
    if (this.#missing > before) await this.#onMissing(segment, this.#missing);
  }

  /** Passes over the offsets before `next`, by partition. Returns their number. */
  #pass(next: readonly number[]): number {
    let passed = 0;
    for (const [partition, offset] of next.entries()) {
      const before = this.#next[partition]!;
      passed += Math.max(0, offset - before);
      this.#next[partition] = Math.max(before, offset);
    }
    return passed;
  }

  /** Returns the latest segment that begins before the redelivery window of every partition, or the oldest segment. */
  #segmentWithWindow(): Segment | undefined {
    const beginsBefore = ({ number, first }: Segment): boolean =>
      number <= this.#committed.segment && first.every((offset, partition) => offset <= this.#windowStart[partition]!);
    return this.#segments.findLast(beginsBefore) ?? this.#segments[0];
  }
}
