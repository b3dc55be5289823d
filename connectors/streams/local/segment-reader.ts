import { AortaError } from '@aorta/runtime';
import { codecOf, type StreamName, type StreamRecords } from '@aorta/schemas';
import type { ReadBatch, ReadLimit } from '../../stream-log.ts';
import { framedBlockAt, readHeader } from './block-walk.ts';
import { BLOCK_START_BYTES, type ContainerHeader, decodeBlockStart, SYNC_BYTES } from './container.ts';
import { SegmentError } from './errors.ts';
import type { Segment } from './segment.ts';
import type { SegmentFiles } from './segment-files.ts';
import { readInto, SegmentWindow } from './segment-window.ts';

/** What a reader may see of a stream. */
export interface ReadableStream {
  readonly name: StreamName;
  /** In order; each but the last ends where the next one begins. */
  readonly segments: readonly Segment[];
  /** The position after the last visible record. */
  readonly end: number;
}

/** Bytes read at once, beyond the part of a block that the last piece ended with. */
const PIECE_BYTES = 1024 * 1024;
/** How many places readers may leave off at, and with how many bytes in memory. */
const MOST_CURSORS = 64;
const MOST_CURSOR_BYTES = 32 * 1024 * 1024;

/** A place in a stream, with the bytes of the file that were already read behind it. */
interface Cursor {
  segment: Segment;
  /** A piece of the file. Never written to again, so that cursors may share it. */
  piece: Buffer;
  /** Byte of the file where the piece begins. */
  start: number;
  /** Where in the piece the next record is, or the next block where none are left in this one. */
  at: number;
  /** Where in the piece the records of the block end. */
  blockEnd: number;
  /** Records of the block that are not yet decoded. */
  left: number;
  /** Ordinal of the next record. */
  position: number;
}

/**
 * Reads records of a log's streams with positioned reads. Where a read leaves off, the undecoded rest stays in memory, so
 * that a reader who goes on from there has each block read and each record decoded once.
 */
export class SegmentReader {
  readonly #files: SegmentFiles;
  readonly #cursors = new Map<string, Cursor>();
  #cursorBytes = 0;

  constructor(files: SegmentFiles) {
    this.#files = files;
  }

  /**
   * Up to `limit.records` records from position `from` (which is at most the end), ending early once `limit.bytes`
   * encoded bytes are reached, and before a damaged block: the read that begins there rejects with AORTA-SEGMENT-CORRUPT.
   */
  async read<S extends StreamName>(
    stream: ReadableStream & { readonly name: S },
    from: number,
    limit: ReadLimit,
  ): Promise<ReadBatch<S>> {
    const records: StreamRecords[S][] = [];
    let bytes = 0;
    if (from < stream.end) {
      const cursor = this.#recall(stream, from) ?? (await this.#seek(stream, from));
      const codec = codecOf(stream.name);
      try {
        do {
          if (cursor.left === 0) await this.#nextBlock(stream, cursor);
          const decode = codec.decoderOf(cursor.segment.header!.schema);
          bytes += decodeSome(cursor, decode, { into: records, limit, already: bytes, end: stream.end });
        } while (records.length < limit.records && bytes < limit.bytes && cursor.position < stream.end);
        this.#remember(stream.name, cursor);
      } catch (error) {
        // What is whole is handed out first; the next read finds the damage at its beginning.
        if (records.length === 0) throw error;
      }
    }
    return { stream: stream.name, from, to: from + records.length, records, bytes };
  }

  /** Forgets where readers left off, and with it the bytes kept for them. */
  forget(): void {
    this.#cursors.clear();
    this.#cursorBytes = 0;
  }

  #recall(stream: ReadableStream, position: number): Cursor | undefined {
    const cursor = this.#cursors.get(`${stream.name}:${position}`);
    // Left by a reader who saw the stream before it was looked at anew.
    if (cursor !== undefined && stream.segments[segmentIndex(stream.segments, cursor.segment.first)] !== cursor.segment)
      return undefined;
    // A copy: another reader may come to the same place.
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
    if (segment === undefined)
      throw new AortaError('AORTA-BUG', { place: 'streams', problem: `position ${position} is before the stream begins` });
    const header = await this.#headerOf(segment);
    const landmark = segment.landmarkBefore(position) ?? { position: segment.first, offset: header.bytes };
    const cursor: Cursor = {
      segment,
      piece: Buffer.alloc(0),
      start: landmark.offset,
      at: 0,
      blockEnd: 0,
      left: 0,
      position: landmark.position,
    };
    if (position === landmark.position) return cursor;

    await this.#files.with(segment.path, async (handle) => {
      const window = new SegmentWindow(handle, segment.bytes!);
      for (;;) {
        const block = await framedBlockAt(window, header.sync, cursor.start);
        // Where the walk finds no block, reading finds the same and says so.
        if (block === undefined || cursor.position + block.count > position) return;
        segment.note(cursor.position, cursor.start);
        cursor.position += block.count;
        cursor.start = block.end;
      }
    });
    if (cursor.position < position) {
      await this.#nextBlock(stream, cursor);
      // Records before the wanted one: Avro knows their ends only by decoding them.
      const decode = codecOf(segment.stream).decoderOf(header.schema);
      const limit = { records: position - cursor.position, bytes: Number.POSITIVE_INFINITY };
      decodeSome(cursor, decode, { limit, already: 0, end: stream.end });
      if (cursor.position !== position) throw corrupt(cursor);
    }
    return cursor;
  }

  /** Moves a cursor that has no records left in its block into the next one, reading on as needed. */
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
    if (block === undefined || offset + block.bytes + block.size + SYNC_BYTES > end) throw corrupt(cursor);
    const whole = block.bytes + block.size + SYNC_BYTES;
    if (cursor.at + whole > cursor.piece.length) await this.#readOn(cursor, whole, end);
    const recordsAt = cursor.at + block.bytes;
    const syncAt = recordsAt + block.size;
    if (cursor.piece.compare(header.sync, 0, SYNC_BYTES, syncAt, syncAt + SYNC_BYTES) !== 0) throw corrupt(cursor);
    // A segment ends where the next one begins.
    const following = stream.segments[segmentIndex(stream.segments, cursor.position) + 1];
    if (following !== undefined && cursor.position + block.count > following.first) throw corrupt(cursor);

    cursor.segment.note(cursor.position, offset);
    cursor.at = recordsAt;
    cursor.blockEnd = syncAt;
    cursor.left = block.count;
  }

  /** Reads the file on so that the piece holds `needed` bytes from the cursor on, or all there are. */
  async #readOn(cursor: Cursor, needed: number, end: number): Promise<void> {
    const rest = cursor.piece.subarray(cursor.at);
    const offset = cursor.start + cursor.at;
    const length = Math.min(Math.max(needed, rest.length + PIECE_BYTES), end - offset);
    const piece = Buffer.allocUnsafeSlow(Math.max(length, rest.length));
    rest.copy(piece);
    const read = await this.#files.with(cursor.segment.path, (handle) =>
      readInto(handle, piece, rest.length, offset + rest.length),
    );
    cursor.piece = piece.subarray(0, rest.length + read);
    cursor.start = offset;
    cursor.at = 0;
  }

  async #headerOf(segment: Segment): Promise<ContainerHeader> {
    if (segment.header !== undefined && segment.bytes !== undefined) return segment.header;
    await this.#files.with(segment.path, async (handle) => {
      // Nothing is known of it, so it is not the last one: it is not written to any more.
      segment.bytes ??= (await handle.stat()).size;
      const header = await readHeader(handle, segment.bytes);
      if (header === 'incomplete' || header === 'invalid') {
        throw new SegmentError('AORTA-SEGMENT-CORRUPT', { file: segment.file, record: segment.first });
      }
      segment.header = header;
    });
    return segment.header!;
  }
}

type Decode<R> = (buffer: Buffer, position: number) => { value: R; offset: number };

interface DecodeBounds<R> {
  /** Gets the records. Default: they are passed over. */
  readonly into?: R[];
  readonly limit: ReadLimit;
  /** Bytes that count against the limit before the first record. */
  readonly already: number;
  /** The position after the last record that may be decoded. */
  readonly end: number;
}

/** Decodes records of the cursor's block until a limit is reached; returns their bytes. */
function decodeSome<R>(cursor: Cursor, decode: Decode<R>, { into, limit, already, end }: DecodeBounds<R>): number {
  const { piece, blockEnd } = cursor;
  const before = cursor.at;
  // At least one, also under a limit of zero.
  const most = Math.max(1, Math.min(cursor.left, limit.records - (into?.length ?? 0), end - cursor.position));
  const bytesEnd = before + limit.bytes - already;
  let { at } = cursor;
  let count = 0;
  try {
    do {
      const { value, offset } = decode(piece, at);
      // The codec answers a record that runs over the buffer with a negative offset.
      if (offset < at || offset > blockEnd) break;
      into?.push(value);
      at = offset;
      count += 1;
    } while (count < most && at < bytesEnd);
  } catch {
    // The codec's error quotes values. What it could not decode is not counted, which is noticed below.
  }
  const stopped = count < most && at < bytesEnd;
  cursor.at = at;
  cursor.left -= count;
  cursor.position += count;
  if (stopped || (cursor.left === 0 && at !== blockEnd)) {
    // The block's records do not fill it exactly: what was decoded of it may be wrong as well, and is not handed out.
    into?.splice(into.length - count, count);
    cursor.position -= count;
    throw corrupt(cursor);
  }
  if (cursor.left === 0) cursor.at = blockEnd + SYNC_BYTES;
  return at - before;
}

function corrupt(cursor: Cursor): AortaError {
  return new SegmentError('AORTA-SEGMENT-CORRUPT', { file: cursor.segment.file, record: cursor.position });
}

/** Index of the segment that `position` falls into: the last one that begins at or before it. */
function segmentIndex(segments: readonly Segment[], position: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segments[middle]!.first <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
