import { unlink } from 'node:fs/promises';
import { type FileOperations, unwritable, type WritableFile, writeFully } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type { Block } from './block-builder.ts';
import { SYNC_BYTES } from './container.ts';
import { headerFor, type PositionRange } from './salvage.ts';
import { type Landmark, Segment } from './segment.ts';

interface OpenSegment {
  readonly segment: Segment;
  readonly file: WritableFile;
  readonly sync: Buffer;
  readonly schema: string;
  /** Number of bytes written, including bytes that are not durable yet. */
  bytes: number;
}

/** The changes that one flush made to one segment. */
interface Change {
  readonly segment: Segment;
  /** Number of bytes that were durable before the flush; 0 for a new segment. */
  readonly before: number;
  readonly landmarks: Landmark[];
  bytes: number;
}

/**
 * Writes the blocks of one stream to its segments. A flush calls `write`, `sync` and `publish` in this order, and calls `undo` if
 * one of them fails. Flushes of one stream do not overlap.
 */
export class SegmentWriter {
  readonly #stream: StreamName;
  readonly #folder: string;
  readonly #schema: string;
  readonly #segmentBytes: number;
  readonly #operations: FileOperations;
  readonly #segments: Segment[];
  readonly #losses: readonly PositionRange[];
  #open: OpenSegment | undefined;
  #next: number;
  #changes: Change[] = [];
  #newInFolder = false;

  /**
   * Continues the last of `segments`, unless lost records follow it. `next` is the position of the next record. Publishing adds
   * new segments to the array.
   */
  constructor(
    place: { stream: StreamName; folder: string; schema: string; segmentBytes: number; operations: FileOperations },
    { segments, losses }: { readonly segments: Segment[]; readonly losses: readonly PositionRange[] },
    next: number,
  ) {
    this.#stream = place.stream;
    this.#folder = place.folder;
    this.#schema = place.schema;
    this.#segmentBytes = place.segmentBytes;
    this.#operations = place.operations;
    this.#segments = segments;
    this.#losses = losses;
    this.#next = next;
  }

  /** Size of the segment being written, in bytes; undefined if nothing was written since the log was opened. */
  get segmentSize(): number | undefined {
    return this.#open?.bytes;
  }

  /**
   * Writes blocks. Starts a new segment whenever the last one is full or has a different schema. The records stay invisible until
   * {@link publish} is called.
   */
  async write(blocks: readonly Block[]): Promise<void> {
    for (const block of blocks) {
      const open = await this.#segmentFor();
      open.sync.copy(block.buffer, block.end - SYNC_BYTES);
      const change = this.#changeOf(open);
      change.landmarks.push({ position: this.#next, offset: open.bytes });
      await this.#append(open, block.buffer, block.start, block.end);
      change.bytes = open.bytes;
      this.#next += block.count;
    }
  }

  /** Waits until all writes are on the disk, including the names of new files. */
  async sync(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    await this.#attempt(open.segment.path, () => open.file.datasync());
    if (this.#newInFolder) {
      await this.#attempt(this.#folder, () => this.#operations.syncFolder(this.#folder));
      this.#newInFolder = false;
    }
  }

  publish(): void {
    for (const change of this.#changes) {
      change.segment.bytes = change.bytes;
      for (const { position, offset } of change.landmarks) change.segment.note(position, offset);
      if (change.before === 0) this.#segments.push(change.segment);
    }
    this.#changes = [];
  }

  /**
   * After a failure, removes unpublished blocks from the files as far as the disk allows. If the blocks stayed there after a
   * failed sync, the next process might find blocks that are complete in the page cache but not on the disk.
   */
  async undo(): Promise<void> {
    for (const { segment, before } of this.#changes.reverse()) {
      try {
        if (before === 0) await unlink(segment.path);
        else if (this.#open?.segment === segment) await this.#open.file.truncate(before);
        else {
          await using file = await this.#operations.openSegment(segment.path, 'r+');
          await file.truncate(before);
        }
      } catch {
        // This error can be ignored, because the original failure is reported and recovery examines the files again.
      }
    }
    this.#changes = [];
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.file.close().catch(() => {});
  }

  async #segmentFor(): Promise<OpenSegment> {
    const open = this.#open ?? (await this.#resume());
    if (open !== undefined && open.bytes < this.#segmentBytes && open.schema === this.#schema) return open;
    // A finished segment is durable before the next one begins, so only the last one can be torn.
    await this.sync();
    await this.close();
    return this.#begin();
  }

  async #resume(): Promise<OpenSegment | undefined> {
    const segment = this.#segments.at(-1);
    if (segment?.header === undefined || segment.bytes === undefined) return undefined;
    // The positions of a segment have no gap.
    if (this.#losses.some(({ to }) => to === this.#next)) return undefined;
    const file = await this.#attempt(segment.path, () => this.#operations.openSegment(segment.path, 'r+'));
    this.#open = { segment, file, sync: segment.header.sync, schema: segment.header.schema, bytes: segment.bytes };
    return this.#open;
  }

  /**
   * Starts a segment. The same flush writes its first block, and opening a log removes segments without a block. Two segments
   * therefore never begin at the same record.
   */
  async #begin(): Promise<OpenSegment> {
    const segment = new Segment(this.#stream, this.#folder, this.#next);
    const header = headerFor(this.#stream, this.#next, this.#schema);
    const file = await this.#attempt(segment.path, () => this.#operations.openSegment(segment.path, 'wx'));
    this.#newInFolder = true;
    segment.header = { schema: this.#schema, sync: header.sync, bytes: header.bytes.length };
    const open: OpenSegment = { segment, file, sync: header.sync, schema: this.#schema, bytes: 0 };
    this.#open = open;
    this.#changeOf(open);
    await this.#append(open, header.bytes, 0, header.bytes.length);
    return open;
  }

  #changeOf(open: OpenSegment): Change {
    let change = this.#changes.at(-1);
    if (change?.segment !== open.segment) {
      change = { segment: open.segment, before: open.bytes, landmarks: [], bytes: open.bytes };
      this.#changes.push(change);
    }
    return change;
  }

  async #append(open: OpenSegment, buffer: Buffer, start: number, end: number): Promise<void> {
    await this.#attempt(open.segment.path, () => writeFully(open.file, buffer.subarray(start, end), open.bytes));
    open.bytes += end - start;
  }

  async #attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw unwritable(path, error);
    }
  }
}
