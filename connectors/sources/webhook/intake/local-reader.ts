import { errorFields, type Logger } from '@aorta/runtime';
import { WebhookError } from '../errors.ts';
import type { LocalPosition } from './checkpoint.ts';
import type { PlacedMessage } from './frame.ts';
import { readFrames, type Segment } from './segment.ts';

/** Messages of the log in order, and the position after them. */
export interface ReadMessages {
  readonly messages: readonly PlacedMessage[];
  readonly position: LocalPosition;
  /** Whether the messages precede the committed position. */
  readonly before: boolean;
}

export interface LocalReaderOptions {
  /** The segments of the log. The array and the ends of the segments grow while messages are appended. */
  readonly segments: readonly Segment[];
  readonly committed: LocalPosition | undefined;
  /** Size of the redelivery window in offsets of a partition. */
  readonly window: number;
  readonly logger: Logger;
}

/** Reads a local intake log from the redelivery window before the committed position on. */
export class LocalReader {
  readonly #segments: readonly Segment[];
  readonly #committed: LocalPosition;
  readonly #windowStart: readonly number[];
  readonly #logger: Logger;
  /** By partition: the next offset. */
  readonly #next: number[];
  #number: number;
  #byte: number;

  /** `partitions`: the number of partitions. */
  constructor({ segments, committed, window, logger }: LocalReaderOptions, partitions: number) {
    this.#segments = segments;
    this.#logger = logger;
    const oldest = segments[0];
    const none = Array.from({ length: partitions }, () => 0);
    this.#committed = committed ?? { segment: oldest?.number ?? 0, byte: oldest?.start ?? 0, next: oldest?.first ?? none };
    this.#windowStart = this.#committed.next.map((next) => Math.max(0, next - window));
    const from = window > 0 ? this.#segmentWithWindow() : undefined;
    this.#number = from?.number ?? this.#committed.segment;
    this.#byte = from?.start ?? this.#committed.byte;
    this.#next = [...this.#committed.next];
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
    }
  }

  async *#read(segment: Segment): AsyncGenerator<ReadMessages> {
    for await (const { messages, to, damaged } of readFrames(segment.path, this.#byte, segment.end)) {
      this.#byte = to;
      if (damaged !== undefined) this.#reportDamage(segment, to - damaged, damaged);
      // In the order of the log, all messages before the committed position precede all others.
      const split = messages.findIndex(({ partition, offset }) => offset >= this.#committed.next[partition]!);
      const border = split === -1 ? messages.length : split;
      const known = messages.slice(0, border).filter(({ partition, offset }) => offset >= this.#windowStart[partition]!);
      if (known.length > 0) yield { messages: known, position: this.#committed, before: true };
      const fresh = messages.slice(border);
      for (const { partition, offset } of fresh) this.#next[partition] = offset + 1;
      if (fresh.length > 0) {
        const position = { segment: segment.number, byte: to, next: [...this.#next] };
        yield { messages: fresh, position, before: false };
      }
    }
  }

  /** Returns the latest segment that begins before the redelivery window of every partition, or the oldest segment. */
  #segmentWithWindow(): Segment | undefined {
    const beginsBefore = ({ number, first }: Segment): boolean =>
      number <= this.#committed.segment && first.every((offset, partition) => offset <= this.#windowStart[partition]!);
    return this.#segments.findLast(beginsBefore) ?? this.#segments[0];
  }

  #reportDamage({ path }: Segment, byte: number, bytes: number): void {
    this.#logger.error(
      'intake log damaged',
      errorFields(new WebhookError('AORTA-WEBHOOK-INTAKE-DAMAGED', { file: path, byte, bytes })),
    );
  }
}
