import type { AortaError } from '@aorta/runtime';
import { codecOf, type StreamName, type StreamRecords } from '@aorta/schemas';
import type { ReadBatch, ReadLimit } from '../stream-log.ts';
import {
  BLOCK_END_BYTES,
  BLOCK_START_BYTES,
  type ContainerHeader,
  decodeBlockStart,
  hasChecksum,
  SYNC_BYTES,
} from './container.ts';
import { SegmentError } from './errors.ts';
import { afterLoss, boundAfter, endOf, type ReadableStream, segmentIndex } from './readable-stream.ts';
import { Segment } from './segment.ts';
import { framedBlockAt, readHeader, readInto, type SegmentFiles, SegmentWindow } from './segment-file.ts';

/** Number of bytes to read at once, in addition to the partial block left over from the previous read. */
const PIECE_BYTES = 1024 * 1024;
/** Maximum number of cached cursors, and their maximum size in memory, in bytes. */
const MOST_CURSORS = 64;
const MOST_CURSOR_BYTES = 32 * 1024 * 1024;

/** A position in a stream, together with the bytes of the file that were already read beyond this position. */
interface Cursor {
  segment: Segment;
  /** Bytes of the file. They are never modified, so cursors may share them. */
  piece: Buffer;
  /** Byte offset in the file at which `piece` begins. */
  start: number;
  /** Offset in `piece` of the next record, or of the next block if no records are left in the current block. */
  at: number;
  /** Offset in `piece` at which the records of the block end. */
  recordsEnd: number;
  /** Number of records in the block that have not been decoded yet. */
  left: number;
  /** Position of the next record. */
  position: number;
}

/**
 * Reads records from the streams of a log. Bytes that were read but not decoded stay in memory. A reader that continues where it
 * stopped therefore reads each block once and decodes each record once.
 */
export class SegmentReader {
  readonly #files: SegmentFiles;
  readonly #cursors = new Map<string, Cursor>();
  #cursorBytes = 0;

  constructor(files: SegmentFiles) {
    this.#files = files;
  }

  /**
   * Returns up to `limit.records` records from position `from`, which must not exceed the end. Stops early once
   * `limit.bytes` encoded bytes are reached, and before a damaged block or lost records. A read that begins at lost records
   * begins after them. A read that begins at a damaged block rejects with AORTA-SEGMENT-CORRUPT.
   */
  async read<S extends StreamName>(
    stream: ReadableStream & { readonly name: S },
    from: number,
    limit: ReadLimit,
  ): Promise<ReadBatch<S>> {
    const records: StreamRecords[S][] = [];
    let bytes = 0;
    const start = afterLoss(stream, from);
    const end = boundAfter(stream, start);
    if (start < end) {
      const cursor = this.#recall(stream, start) ?? (await this.#seek(stream, start));
      const codec = codecOf(stream.name);
      try {
        do {
          if (cursor.left === 0) await this.#nextBlock(stream, cursor);
          const decode = codec.decoderOf(cursor.segment.header!.schema);
          bytes += decodeSome(cursor, decode, { into: records, limit, already: bytes, end });
        } while (records.length < limit.records && bytes < limit.bytes && cursor.position < end);
        this.#remember(stream.name, cursor);
      } catch (error) {
        // Return the intact records first. The next read begins at the damage and reports it.
        if (records.length === 0) throw error;
      }
    }
    return { stream: stream.name, from, to: start + records.length, records, bytes };
  }

  /** Drops all cursors and the bytes kept for them. */
  forget(): void {
    this.#cursors.clear();
    this.#cursorBytes = 0;
  }

  #recall(stream: ReadableStream, position: number): Cursor | undefined {
    const cursor = this.#cursors.get(`${stream.name}:${position}`);
    // A cursor from before the last reload of the stream is stale.
    if (cursor !== undefined && stream.segments[segmentIndex(stream.segments, cursor.segment.first)] !== cursor.segment)
      return undefined;
    // Returns a copy, because another reader may continue from the same position.
    return cursor === undefined ? undefined : { ...cursor };
  }

  #remember(stream: StreamName, cursor: Cursor): void {
    const key = `${stream}:${cursor.position}`;
    this.#discard(key);
    if (cursor.left === 0 && cursor.at === cursor.piece.length) {
      cursor.start += cursor.at;
      cursor.piece = Buffer.alloc(0);
      cursor.at = 0;
    }
    this.#cursors.set(key, cursor);
    this.#cursorBytes += cursor.piece.length;
    for (const oldest of this.#cursors.keys()) {
      if (this.#cursors.size <= MOST_CURSORS && this.#cursorBytes <= MOST_CURSOR_BYTES) break;
      if (oldest !== key) this.#discard(oldest);
    }
  }

  #discard(key: string): void {
    this.#cursorBytes -= this.#cursors.get(key)?.piece.length ?? 0;
    this.#cursors.delete(key);
  }

  async #seek(stream: ReadableStream, position: number): Promise<Cursor> {
    const index = segmentIndex(stream.segments, position);
    const segment = stream.segments[index];
    if (segment === undefined) throw missing(stream.name, position);
    const header = await this.#headerOf(segment);
    if (index < stream.segments.length - 1 && position > segment.first) await this.#count(stream, segment, header);
    const landmark = segment.landmarkBefore(position) ?? { position: segment.first, offset: header.bytes };
    const cursor: Cursor = {
      segment,
      piece: Buffer.alloc(0),
      start: landmark.offset,
      at: 0,
      recordsEnd: 0,
      left: 0,
      position: landmark.position,
    };
    if (position === landmark.position) return cursor;

    await this.#files.with(segment, async (handle) => {
      const window = new SegmentWindow(handle, segment.bytes!);
      for (;;) {
        const block = await framedBlockAt(window, header.sync, cursor.start);
        // If no block is found, the read that follows reports the damage.
        if (block === undefined || cursor.position + block.count > position) return;
        segment.note(cursor.position, cursor.start);
        cursor.position += block.count;
        cursor.start = block.end;
      }
    });
    if (cursor.position < position) {
      await this.#nextBlock(stream, cursor);
      // Skip the records before the requested one. In Avro, the end of a record can only be found by decoding the record.
      const decode = codecOf(segment.stream).decoderOf(header.schema);
      const limit = { records: position - cursor.position, bytes: Number.POSITIVE_INFINITY };
      decodeSome(cursor, decode, { limit, already: 0, end: stream.end });
      if (cursor.position !== position) throw corrupt(cursor);
    }
    return cursor;
  }

  /**
   * Adds up the record counts in the block starts of a segment, once. A search for a position skips blocks by these counts,
   * so a wrong count would lead to a wrong record.
   */
  async #count(stream: ReadableStream, segment: Segment, header: ContainerHeader): Promise<void> {
    if (segment.isCounted) return;
    let position = segment.first;
    await this.#files.with(segment, async (handle) => {
      const window = new SegmentWindow(handle, segment.bytes!);
      let offset = header.bytes;
      for (
        let block = await framedBlockAt(window, header.sync, offset);
        block !== undefined;
        block = await framedBlockAt(window, header.sync, offset)
      ) {
        segment.note(position, offset);
        position += block.count;
        offset = block.end;
      }
    });
    if (position !== endOf(stream, segment)) throw corruptAt(segment, segment.first);
    segment.isCounted = true;
  }

  /** Moves a cursor that has no records left in its block to the next block. Reads more of the file as needed. */
  async #nextBlock(stream: ReadableStream, cursor: Cursor): Promise<void> {
    let header = await this.#headerOf(cursor.segment);
    const next = stream.segments[segmentIndex(stream.segments, cursor.position)];
    if (next !== undefined && next.first === cursor.position && next.first > cursor.segment.first) {
      header = await this.#headerOf(next);
      Object.assign(cursor, { segment: next, piece: Buffer.alloc(0), start: header.bytes, at: 0 });
    }
    const end = cursor.segment.bytes!;

    const offset = cursor.start + cursor.at;
    if (cursor.at + BLOCK_START_BYTES > cursor.piece.length) await this.#readOn(cursor, BLOCK_START_BYTES, end);
    const block = decodeBlockStart(cursor.piece, cursor.at);
    if (block === undefined || offset + block.whole > end) throw corrupt(cursor);
    if (cursor.at + block.whole > cursor.piece.length) await this.#readOn(cursor, block.whole, end);
    const blockEnd = cursor.at + block.whole;
    if (blockEnd > cursor.piece.length) throw corrupt(cursor);
    const recordsAt = cursor.at + block.bytes;
    const recordsEnd = recordsAt + block.size;
    if (cursor.piece.compare(header.sync, 0, SYNC_BYTES, blockEnd - SYNC_BYTES, blockEnd) !== 0) throw corrupt(cursor);
    if (!hasChecksum(cursor.piece, recordsAt, recordsEnd)) throw corrupt(cursor);
    const following = stream.segments[segmentIndex(stream.segments, cursor.position) + 1];
    if (following !== undefined && cursor.position + block.count > following.first) throw corrupt(cursor);

    cursor.segment.note(cursor.position, offset);
    cursor.at = recordsAt;
    cursor.recordsEnd = recordsEnd;
    cursor.left = block.count;
  }

  /** Reads more of the file, so that `piece` holds `needed` bytes from the cursor on, or all remaining bytes if there are fewer. */
  async #readOn(cursor: Cursor, needed: number, end: number): Promise<void> {
    const rest = cursor.piece.subarray(cursor.at);
    const offset = cursor.start + cursor.at;
    const length = Math.min(Math.max(needed, rest.length + PIECE_BYTES), end - offset);
    const piece = Buffer.allocUnsafeSlow(Math.max(length, rest.length));
    rest.copy(piece);
    const read = await this.#files.with(cursor.segment, (handle) => readInto(handle, piece, rest.length, offset + rest.length));
    cursor.piece = piece.subarray(0, rest.length + read);
    cursor.start = offset;
    cursor.at = 0;
  }

  async #headerOf(segment: Segment): Promise<ContainerHeader> {
    if (segment.header !== undefined && segment.bytes !== undefined) return segment.header;
    await this.#files.with(segment, async (handle) => {
      // An unexamined segment is never the last one, so it no longer grows.
      segment.bytes ??= (await handle.stat()).size;
      const header = await readHeader(handle, segment.bytes, segment);
      if (typeof header === 'string') throw corruptAt(segment, segment.first);
      segment.header = header;
    });
    return segment.header!;
  }
}

type Decode<R> = (buffer: Buffer, position: number) => { value: R; offset: number };

interface DecodeBounds<R> {
  /** Receives the records. If omitted, they are skipped. */
  readonly into?: R[];
  readonly limit: ReadLimit;
  /** Bytes that already count against the limit. */
  readonly already: number;
  /** The position after the last record that may be decoded. */
  readonly end: number;
}

/** Decodes records of the cursor's block until a limit is reached. Returns their size in bytes. */
function decodeSome<R>(cursor: Cursor, decode: Decode<R>, { into, limit, already, end }: DecodeBounds<R>): number {
  const { piece, recordsEnd } = cursor;
  const before = cursor.at;
  // Decode at least one record, even with a limit of zero.
  const most = Math.max(1, Math.min(cursor.left, limit.records - (into?.length ?? 0), end - cursor.position));
  const bytesEnd = before + limit.bytes - already;
  let { at } = cursor;
  let count = 0;
  try {
    do {
      const { value, offset } = decode(piece, at);
      // The codec returns a negative offset for a record that exceeds the buffer.
      if (offset < at || offset > recordsEnd) break;
      into?.push(value);
      at = offset;
      count += 1;
    } while (count < most && at < bytesEnd);
  } catch {
    // The codec's error quotes values, so it is dropped. The check below notices the missing record.
  }
  const stopped = count < most && at < bytesEnd;
  cursor.at = at;
  cursor.left -= count;
  cursor.position += count;
  if (stopped || (cursor.left === 0 && at !== recordsEnd)) {
    // The records do not fill the block exactly. The records decoded by this call may be wrong too, so none of them is returned.
    into?.splice(into.length - count, count);
    cursor.position -= count;
    throw corrupt(cursor);
  }
  if (cursor.left === 0) cursor.at = recordsEnd + BLOCK_END_BYTES;
  return at - before;
}

function corrupt({ segment, position }: Cursor): AortaError {
  return corruptAt(segment, position);
}

function corruptAt({ file }: Segment, record: number): AortaError {
  return new SegmentError('AORTA-SEGMENT-CORRUPT', { file, record });
}

/** The error for a position before the first segment. */
function missing(stream: StreamName, record: number): AortaError {
  return corruptAt(new Segment(stream, '', 0), record);
}
