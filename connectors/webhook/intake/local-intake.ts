import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  diskOperations,
  errorFields,
  type FileOperations,
  type Lane,
  type Logger,
  makeFolder,
  type Progress,
  steadyNow,
} from '@aorta/runtime';
import type { Delivery, DeliveryBatch } from '../../source.ts';
import { consumerPart } from '../../sources/partition.ts';
import { WebhookError } from '../errors.ts';
import { type IntakeLog, type Message, partitionByUser } from '../message.ts';
import { Checkpoint, type LocalPosition } from './checkpoint.ts';
import { GroupWriter } from './group-writer.ts';
import { openSegment, type PlacedMessage, readFrames, type Segment, segmentNumbers, segmentPath } from './segment.ts';

export interface LocalIntakeOptions {
  /** Name of the source in receipts. */
  readonly source: string;
  /** Folder of the log. One process at a time uses it; the lock of the streams' folder ensures this. */
  readonly folder: string;
  /** Size of the redelivery window in offsets of a partition. */
  readonly window: number;
  /** Milliseconds for which a message is kept after its commit. */
  readonly keepMs: number;
  /** Whether reading ends at the end that the log had when it was opened. */
  readonly once: boolean;
  readonly logger: Logger;
  readonly progress: Pick<Progress, 'lane'>;
  /** Default: 64 MiB. */
  readonly segmentBytes?: number;
  readonly operations?: FileOperations;
  /** Returns the partition of a message, below 8. Default: by user. Only tests set this. */
  readonly partitionOf?: (message: Message) => number;
}

/** Few enough to report each, and enough for a redelivery window that many users share. */
const PARTITIONS = 8;
const SEGMENT_BYTES = 64 * 1024 * 1024;
/** Milliseconds between two searches for old segments while nothing is committed. */
const REMOVE_EVERY_MS = 600_000;

interface RecoveredIntake {
  /** In order. The end of each segment is that of its last durable message. */
  readonly segments: Segment[];
  /** By partition: the next offset. */
  readonly offsets: number[];
}

/**
 * Reads what an earlier process left in the folder. A segment's durable end is in the header of its successor. The last segment
 * has no successor, so it is read: what a crash left incomplete at its end was never acknowledged. Removes a segment without a
 * complete header. Rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE.
 */
async function recoverIntake(folder: string, partitions: number): Promise<RecoveredIntake> {
  const segments: Segment[] = [];
  for (const number of await segmentNumbers(folder)) {
    const found = await openSegment(folder, number);
    if (found === undefined) {
      await unlink(segmentPath(folder, number));
      continue;
    }
    const { previous, ...segment } = found;
    const before = segments.at(-1);
    if (before !== undefined && previous !== null) before.end = Math.min(before.end, previous);
    segments.push(segment);
  }
  const offsets = Array.from({ length: partitions }, (_, partition) => segments.at(-1)?.first[partition] ?? 0);
  const last = segments.at(-1);
  if (last === undefined) return { segments, offsets };
  for await (const { messages, to, damaged, torn } of readFrames(last.path, last.start, last.end)) {
    for (const { partition, offset } of messages) offsets[partition] = offset + 1;
    if (torn) last.end = to - damaged!;
  }
  return { segments, offsets };
}

/** Messages of the log in order, and the position after them. */
interface ReadMessages {
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
}

/** Reads a local intake log from the redelivery window before the committed position on. */
class LocalReader {
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

/**
 * An intake log in a folder: segments with messages, and a checkpoint. All partitions share the segments, so that one fsync
 * makes messages of all partitions durable.
 */
export class LocalIntake implements IntakeLog<LocalPosition> {
  readonly #options: LocalIntakeOptions;
  readonly #segments: Segment[];
  readonly #checkpoint: Checkpoint;
  readonly #writer: GroupWriter;
  readonly #reader: LocalReader;
  readonly #lanes: readonly Lane[];
  /** By partition: the offset after the last durable message. */
  readonly #ends: number[];
  #wake: () => void = () => {};
  readonly #timer: NodeJS.Timeout | undefined;

  private constructor(options: LocalIntakeOptions, segments: Segment[], offsets: number[], checkpoint: Checkpoint) {
    const { source, folder, window, logger, progress, segmentBytes = SEGMENT_BYTES, operations = diskOperations } = options;
    this.#options = options;
    this.#segments = segments;
    this.#checkpoint = checkpoint;
    this.#ends = [...offsets];
    this.#lanes = offsets.map((end, partition) => {
      const lane = progress.lane({ kind: 'partition', reader: source, of: String(partition) }, { part: consumerPart(source) });
      lane.report({ position: checkpoint.position?.next[partition] ?? 0, end, state: 'reading' });
      return lane;
    });
    if (!options.once) this.#timer = setInterval(() => void this.#removeOld().catch(() => {}), REMOVE_EVERY_MS).unref();
    this.#reader = new LocalReader({ segments, committed: checkpoint.position, window, logger }, PARTITIONS);
    this.#writer = new GroupWriter({
      folder,
      last: segments.at(-1),
      // A number is never used again, even if the segments were deleted: positions contain it.
      next: Math.max(segments.at(-1)?.number ?? -1, checkpoint.position?.segment ?? -1) + 1,
      offsets,
      segmentBytes,
      operations,
      partitionOf: options.partitionOf ?? ((message) => partitionByUser(message, PARTITIONS)),
      onSegment: (segment) => void segments.push(segment),
      onDurable: (group) => this.#grow(group),
    });
  }

  /** Rejects with AORTA-DATA-UNWRITABLE, AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE. */
  static async open(options: LocalIntakeOptions): Promise<LocalIntake> {
    await makeFolder(options.folder);
    const checkpoint = await Checkpoint.open(join(options.folder, 'checkpoint.json'));
    const { segments, offsets } = await recoverIntake(options.folder, PARTITIONS);
    // If every segment was removed, the checkpoint still has the offsets.
    const next = offsets.map((offset, partition) => Math.max(offset, checkpoint.position?.next[partition] ?? 0));
    return new LocalIntake(options, segments, next, checkpoint);
  }

  append(message: Message): Promise<void> {
    return this.#writer.append(message);
  }

  backlogBytes(): number {
    const { segment: number, byte } = this.#checkpoint.position ?? { segment: 0, byte: 0 };
    return this.#segments
      .filter((segment) => segment.number >= number)
      .reduce((sum, { number: at, start, end }) => sum + end - (at === number ? Math.max(byte, start) : start), 0);
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<LocalPosition>> {
    const { source, once } = this.#options;
    const wake = (): void => this.#wake();
    signal.addEventListener('abort', wake, { once: true });
    for (;;) {
      const grown = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      for await (const { messages, position, before } of this.#reader.toEnd()) {
        if (signal.aborted) return;
        const deliveries = messages.map((message) => deliveryOf(source, message));
        if (!before) this.#report(messages);
        yield before ? { deliveries, position, before } : { deliveries, position };
      }
      if (once || signal.aborted) return;
      await grown;
    }
  }

  async commit(positions: readonly LocalPosition[]): Promise<void> {
    const position = positions.findLast((one) => one !== this.#reader.committed);
    if (position === undefined) return;
    await this.#checkpoint.move(position);
    await this.#removeOld();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writer.close();
    await this.#checkpoint.write().catch(() => {});
    await this.#removeOld().catch(() => {});
    for (const lane of this.#lanes) lane.end();
  }

  #grow(group: readonly PlacedMessage[]): void {
    for (const { partition, offset } of group) this.#ends[partition] = offset + 1;
    for (const partition of new Set(group.map((message) => message.partition))) {
      this.#lanes[partition]!.report({ end: this.#ends[partition]! });
    }
    this.#wake();
  }

  #report(taken: readonly PlacedMessage[]): void {
    const last = new Map(taken.map((message) => [message.partition, message]));
    for (const [partition, { offset, arrivedAt }] of last) {
      this.#lanes[partition]!.report({ position: offset + 1, receivedAt: arrivedAt / 1000 });
    }
  }

  /** Removes the segments that are committed durably, and that are outside the redelivery window or old. */
  async #removeOld(): Promise<void> {
    const committed = this.#checkpoint.written;
    if (committed === undefined) return;
    for (
      let oldest = this.#segments[0];
      oldest !== undefined && this.#isUnneeded(oldest, committed);
      oldest = this.#segments[0]
    ) {
      // Another call may have removed it meanwhile.
      if (!(await this.#writer.retire(oldest)) || this.#segments[0] !== oldest) return;
      this.#segments.shift();
      await unlink(oldest.path);
    }
  }

  #isUnneeded(oldest: Segment, { segment, byte, next }: LocalPosition): boolean {
    const { number, end, lastAt } = oldest;
    const isCommitted = number < segment || (number === segment && byte >= end);
    if (!isCommitted || !this.#reader.hasRead(oldest)) return false;
    const successor = this.#segments[1];
    const { window, keepMs } = this.#options;
    const isOutside = successor?.first.every((offset, partition) => offset <= next[partition]! - window) ?? false;
    return isOutside || steadyNow() - lastAt >= keepMs;
  }
}

function deliveryOf(source: string, { partition, offset, receivedAt, arrivedAt, user, headers, body }: PlacedMessage): Delivery {
  return {
    source,
    partition: String(partition),
    offset,
    receivedAt,
    arrivedAt,
    headers,
    key: user === null ? null : Buffer.from(user, 'utf8'),
    body,
    inline: false,
  };
}
