import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AortaError,
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
import { type IntakeLog, type Message, partitionByUser } from '../message.ts';
import { Checkpoint, type LocalPosition } from './checkpoint.ts';
import { DamagedSegments } from './damaged-segments.ts';
import { type FoundSegments, findSegments } from './found-segments.ts';
import { GroupWriter } from './group-writer.ts';
import { LocalReader } from './local-reader.ts';
import type { PlacedMessage, Segment } from './segment.ts';
import { SegmentEnds } from './segment-ends.ts';

export interface LocalIntakeOptions {
  /** Name of the source in receipts. */
  readonly source: string;
  /** Folder of the log. One process at a time uses it; the lock of the streams' folder ensures this. */
  readonly folder: string;
  /** Size of the redelivery window in offsets of a partition. */
  readonly window: number;
  /** Milliseconds for which a message is kept after its commit. */
  readonly keepMs: number;
  /** Whether reading stops where the log ended when it was opened. */
  readonly once: boolean;
  readonly logger: Logger;
  readonly progress: Pick<Progress, 'lane' | 'outage'>;
  /** Called for each segment with missing messages. */
  onProblem(error: AortaError): void;
  /** Default: 64 MiB. */
  readonly segmentBytes?: number;
  readonly operations?: FileOperations;
  /** Returns the partition of a message, below 8. Default: by user. Only tests set this. */
  readonly partitionOf?: (message: Message) => number;
}

/** Number of partitions: low enough to report each one, and high enough for a redelivery window that many users share. */
const PARTITIONS = 8;
const SEGMENT_BYTES = 64 * 1024 * 1024;
/** Milliseconds between two searches for old segments while nothing is committed. */
const REMOVE_EVERY_MS = 600_000;

interface OpenedFiles extends FoundSegments {
  readonly checkpoint: Checkpoint;
  readonly ends: SegmentEnds;
  readonly damaged: DamagedSegments;
}

/**
 * An intake log in a folder: segments with messages, their ends, and a checkpoint. All partitions share the segments, so that one fsync
 * makes messages of all partitions durable.
 */
export class LocalIntake implements IntakeLog<LocalPosition> {
  readonly #options: LocalIntakeOptions;
  readonly #segments: Segment[];
  readonly #checkpoint: Checkpoint;
  readonly #segmentEnds: SegmentEnds;
  readonly #damaged: DamagedSegments;
  readonly #writer: GroupWriter;
  readonly #reader: LocalReader;
  readonly #lanes: readonly Lane[];
  /** By partition: the offset after the last durable message. */
  readonly #ends: number[];
  #wake: () => void = () => {};
  readonly #timer: NodeJS.Timeout | undefined;

  private constructor(options: LocalIntakeOptions, { checkpoint, ends, damaged, segments, offsets }: OpenedFiles) {
    const { source, folder, window, logger, progress, segmentBytes = SEGMENT_BYTES, operations = diskOperations } = options;
    this.#options = options;
    this.#segments = segments;
    this.#checkpoint = checkpoint;
    this.#segmentEnds = ends;
    this.#damaged = damaged;
    this.#ends = [...offsets];
    this.#lanes = offsets.map((end, partition) => {
      const lane = progress.lane({ kind: 'partition', reader: source, of: String(partition) }, { part: consumerPart(source) });
      lane.report({ position: checkpoint.position?.next[partition] ?? 0, end, state: 'reading' });
      return lane;
    });
    if (!options.once) this.#timer = setInterval(() => void this.#removeOld().catch(() => {}), REMOVE_EVERY_MS).unref();
    const onMissing = (segment: Segment, messages: number): Promise<void> => this.#missing(segment, messages);
    this.#reader = new LocalReader({ segments, committed: checkpoint.position, window, logger, onMissing }, PARTITIONS);
    this.#writer = new GroupWriter({
      folder,
      ends,
      // A number is never used again, even if the segments were deleted: positions contain it.
      next: Math.max(segments.at(-1)?.number ?? -1, checkpoint.position?.segment ?? -1, ends.last) + 1,
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
    const { folder, logger } = options;
    await makeFolder(folder);
    const checkpoint = await Checkpoint.open(join(folder, 'checkpoint.json'), logger);
    const ends = await SegmentEnds.open(folder);
    if (ends.damage !== undefined) logger.warn('intake log damaged', errorFields(ends.damage));
    const { segments, offsets } = await findSegments(folder, ends, PARTITIONS);
    // If every segment was removed, the checkpoint still has the offsets.
    const next = offsets.map((offset, partition) => Math.max(offset, checkpoint.position?.next[partition] ?? 0));
    const damaged = await DamagedSegments.open(options);
    return new LocalIntake(options, { checkpoint, ends, damaged, segments, offsets: next });
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
      // The reader has also passed over missing messages.
      for (const [partition, position] of this.#reader.next.entries()) this.#lanes[partition]!.report({ position });
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
    await this.#segmentEnds.close();
    this.#damaged.close();
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

  async #missing(segment: Segment, messages: number): Promise<void> {
    const { number, path, first, next } = segment;
    const lost = this.#segmentEnds.of(number)?.lost ?? 0;
    // After a restart, the reader may find the same messages missing again.
    if (next === undefined || messages <= lost) return;
    await this.#damaged.report(path, messages);
    await this.#segmentEnds.write(number, { first, next, lost: messages });
  }

  /** Removes segments that are durably committed, and are either outside the redelivery window or old. */
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
      await this.#segmentEnds.forget(oldest.number);
      await rm(oldest.path, { force: true });
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
