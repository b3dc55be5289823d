import { unlink } from 'node:fs/promises';
import { type FileOperations, steadyNow, unwritable, type WritableFile, writeFully } from '@aorta/runtime';
import type { Message } from '../message.ts';
import { encodeFrame, encodeHeader, type PlacedMessage, type Segment, segmentPath } from './segment.ts';
import type { SegmentEnds } from './segment-ends.ts';

export interface GroupWriterOptions {
  readonly folder: string;
  readonly ends: Pick<SegmentEnds, 'write'>;
  /** Number of the next segment. A writer never appends to the segment of an earlier process. */
  readonly next: number;
  /** By partition: the next offset. The writer advances it. */
  readonly offsets: number[];
  readonly segmentBytes: number;
  readonly operations: FileOperations;
  partitionOf(message: Message): number;
  /** Called when a segment was begun, before its first message is durable. */
  onSegment(segment: Segment): void;
  /** Called when a group of messages has become durable. */
  onDurable(group: readonly PlacedMessage[]): void;
}

interface Waiting {
  readonly message: Message;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum bytes of bodies that one write and one fsync make durable. */
const GROUP_BYTES = 8 * 1024 * 1024;

/**
 * Appends messages in groups: all messages that arrive while a group is being synced form the next group. If a group fails,
 * this process can read none of it, its messages are refused, and the next group begins a new segment. The offsets of a
 * failed group are not used again, because a later process may find its frames on the disk.
 */
export class GroupWriter {
  readonly #options: GroupWriterOptions;
  #nextNumber: number;
  #waiting: Waiting[] = [];
  #open: { readonly segment: Segment; readonly file: WritableFile } | undefined;
  #running: Promise<void> | undefined;

  constructor(options: GroupWriterOptions) {
    this.#options = options;
    this.#nextNumber = options.next;
  }

  /** Resolves when the message is durable. Rejects with AORTA-DATA-UNWRITABLE. */
  append(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Closes the segment if nothing is being appended. The next append then begins a new one. Returns whether the segment is closed. */
  async retire(segment: Segment): Promise<boolean> {
    if (this.#running !== undefined) return false;
    if (this.#open?.segment === segment) await this.#abandon();
    return true;
  }

  /** Waits for running appends, and closes the file. Never rejects. */
  async close(): Promise<void> {
    await this.#running;
    await this.#abandon();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#take();
      try {
        await this.#write(group);
        for (const { resolve } of group) resolve();
      } catch (error) {
        await this.#abandon();
        for (const { reject } of group) reject(error);
      }
    }
    this.#running = undefined;
  }

  #take(): Waiting[] {
    let bytes = 0;
    const more = this.#waiting.findIndex(({ message }) => {
      bytes += message.body.length;
      return bytes > GROUP_BYTES;
    });
    return this.#waiting.splice(0, more === -1 ? this.#waiting.length : Math.max(more, 1));
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    const { offsets, ends, partitionOf, onDurable } = this.#options;
    const { segment, file } = await this.#segment();
    const placed = group.map(({ message }) => {
      const partition = partitionOf(message);
      const offset = offsets[partition]!;
      offsets[partition] = offset + 1;
      return { ...message, partition, offset };
    });
    const frames = placed.map(encodeFrame);
    const bytes = frames.length === 1 ? frames[0]! : Buffer.concat(frames);
    try {
      await writeFully(file, bytes, segment.end);
      await file.datasync();
    } catch (error) {
      throw unwritable(segment.path, error);
    }
    const next = [...offsets];
    await ends.write(segment.number, { first: segment.first, next });
    segment.end += bytes.length;
    segment.next = next;
    segment.lastAt = steadyNow();
    onDurable(placed);
  }

  async #segment(): Promise<{ readonly segment: Segment; readonly file: WritableFile }> {
    if (this.#open !== undefined && this.#open.segment.end < this.#options.segmentBytes) return this.#open;
    await this.#abandon();
    const { folder, operations, offsets, onSegment } = this.#options;
    const number = this.#nextNumber;
    const path = segmentPath(folder, number);
    const first = [...offsets];
    const header = encodeHeader(first);
    const at = header.length;
    const segment: Segment = { number, path, first, next: first, start: at, end: at, lastAt: steadyNow() };
    let file: WritableFile | undefined;
    try {
      file = await operations.openSegment(path, 'wx');
      await writeFully(file, header, 0);
      await file.datasync();
      await operations.syncFolder(folder);
    } catch (error) {
      if (file !== undefined) {
        await file.close().catch(() => {});
        // Otherwise the next attempt would find a file with this name.
        await unlink(path).catch(() => {});
      }
      throw unwritable(path, error);
    }
    this.#open = { segment, file };
    this.#nextNumber = number + 1;
    onSegment(segment);
    return this.#open;
  }

  /** Closes the segment. Tries to cut off frames that are not durable. If that fails, a later process may find them. */
  async #abandon(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.file.truncate(open.segment.end).catch(() => {});
    await open?.file.close().catch(() => {});
  }
}
