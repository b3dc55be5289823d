import { codecOf, type StreamName } from '@aorta/schemas';
import {
  BLOCK_START_BYTES,
  type BlockStart,
  type ContainerHeader,
  decodeBlockStart,
  decodeHeader,
  encodeHeader,
  hasChecksum,
  type StoredHeader,
  SYNC_BYTES,
  writeBlockStart,
} from './container.ts';

/** Positions of a stream, from `from` to the position before `to`. */
export interface PositionRange {
  readonly from: number;
  readonly to: number;
}

/** Positions whose records cannot be read. */
interface Gap extends PositionRange {
  /** Time of receipt of the last record before the gap, in microseconds since 1970; null if unknown. */
  readonly after: number | null;
}

/** Consecutive intact blocks of a segment. */
interface Run {
  /** Position of the first record. */
  readonly position: number;
  /** The blocks with their sync markers. */
  readonly blocks: readonly Buffer[];
}

/** The readable content of a segment's file. */
export interface Salvage {
  readonly schema: string;
  readonly sync: Buffer;
  readonly runs: readonly Run[];
  readonly lost: readonly Gap[];
  /** Position after the last record. */
  readonly end: number;
  /**
   * If the file begins with exactly this content, the length of that part in bytes. Undefined if the file must be replaced.
   */
  readonly bytes: number | undefined;
}

/** The place of a segment in its stream. */
export interface SegmentPlace {
  readonly stream: StreamName;
  /** Position of the first record. */
  readonly first: number;
  /** Position after the last record that the segment must hold; undefined if unknown, which only the last segment allows. */
  readonly until: number | undefined;
  /** Whether it is the last segment. It may then hold records beyond `until` that were never reported as durable. */
  readonly isLast: boolean;
}

interface Records {
  readonly count: number;
  /** When the delivery of the last record was received, in microseconds since 1970. */
  readonly receivedAt: number;
}

/** A block, or bytes that are not a block. */
type Piece =
  | (Records & { readonly isIntact: true; readonly bytes: Buffer; readonly isChanged: boolean })
  /** `count` is undefined if the start of the block is damaged too. */
  | { readonly isIntact: false; readonly count: number | undefined };

/**
 * Finds the intact blocks in the bytes of a segment, and the positions of their records. A block is intact if its records have
 * their checksum and match the schema. A damaged record count or sync marker is corrected.
 *
 * Damage can hide how many records it destroyed. All records missing before `until` are then attributed to the damage. If
 * several places hide their numbers, the first place counts for all of them. A reader that resumes between two of these
 * places may read records twice, but skips none.
 *
 * A file with the header of another segment is here by mistake, so it counts as empty. Returns undefined if the file holds
 * more records than fit before `until`.
 */
export function salvageOf(content: Buffer, place: SegmentPlace): Salvage | undefined {
  const { stream, first, until, isLast } = place;
  const { file, header, isDamaged } = headerOf(content, place);
  // If the header is damaged, the start of the first block is unknown.
  const found = [...(isDamaged ? [{ isIntact: false, count: undefined } as const] : []), ...piecesOf(file, stream, header)];
  const must = until === undefined ? undefined : until - first;
  const pieces = isLast ? beforeTornTail(found, must) : withoutCopies(found, must!);
  const known = recordsIn(pieces);
  const hidden = pieces.findIndex(({ count }) => count === undefined);
  // If the required number of records is unknown, a damaged place of unknown size counts as one record.
  const needed = must ?? known + (hidden === -1 ? 0 : 1);
  const missing = Math.max(needed, isLast ? known : 0) - known;
  if (missing < 0) return undefined;

  const runs: { position: number; blocks: Buffer[] }[] = [];
  const lost: Gap[] = [];
  let after: number | null = null;
  let position = first;
  let run: Buffer[] | undefined;
  const lose = (count: number): void => {
    run = undefined;
    if (count > 0) lost.push({ from: position, to: position + count, after });
    position += count;
  };
  for (const [index, piece] of pieces.entries()) {
    if (!piece.isIntact) {
      lose((piece.count ?? 0) + (index === hidden ? missing : 0));
      continue;
    }
    if (run === undefined) {
      run = [];
      runs.push({ position, blocks: run });
    }
    run.push(piece.bytes);
    position += piece.count;
    after = piece.receivedAt;
  }
  if (hidden === -1) lose(missing);
  const isAsWritten = !isDamaged && pieces.every((piece, at) => piece === found[at] && piece.isIntact && !piece.isChanged);
  const bytes = isAsWritten
    ? pieces.reduce((sum, piece) => sum + (piece.isIntact ? piece.bytes.length : 0), header.bytes)
    : undefined;
  return { schema: header.schema, sync: header.sync, runs, lost, end: position, bytes };
}

const recordsIn = (pieces: readonly Piece[]): number => pieces.reduce((sum, { count }) => sum + (count ?? 0), 0);

/**
 * Drops the tail that a crash may have left: everything from the first broken place after the `durable` records on. If
 * `durable` is unknown, drops nothing, because every broken place may have held durable records.
 */
function beforeTornTail(pieces: readonly Piece[], durable: number | undefined): readonly Piece[] {
  if (durable === undefined) return pieces;
  const torn = pieces.findIndex(({ isIntact }, index) => !isIntact && recordsIn(pieces.slice(0, index)) >= durable);
  return torn === -1 ? pieces : pieces.slice(0, torn);
}

/** Leaves out copies of earlier blocks if there are more than `most` records. */
function withoutCopies(pieces: readonly Piece[], most: number): readonly Piece[] {
  let excess = recordsIn(pieces) - most;
  if (excess <= 0) return pieces;
  const seen = new Set<string>();
  return pieces.filter((piece) => {
    if (!piece.isIntact) return true;
    const content = piece.bytes.toString('latin1');
    const isCopy = excess > 0 && seen.has(content);
    seen.add(content);
    if (isCopy) excess -= piece.count;
    return !isCopy;
  });
}

interface FoundHeader {
  readonly header: ContainerHeader;
  readonly isDamaged: boolean;
  /** The file; empty if it is another segment. */
  readonly file: Buffer;
}

/**
 * Returns the header of a segment. If it is damaged, assumes the header that this version would write, with the sync marker
 * from the end of the file. The checksums of the blocks show whether that is right.
 */
function headerOf(content: Buffer, place: SegmentPlace): FoundHeader {
  const stored = decodeHeader(content);
  if (typeof stored !== 'string' && isHeaderOf(stored, place)) return { header: stored, isDamaged: false, file: content };
  const file = typeof stored === 'string' ? content : Buffer.alloc(0);
  const { schema } = codecOf(place.stream);
  const sync = Buffer.alloc(SYNC_BYTES);
  file.copy(sync, 0, Math.max(0, file.length - SYNC_BYTES));
  const { bytes } = headerFor(place.stream, place.first, schema, sync);
  return { header: { schema, sync, bytes: bytes.length }, isDamaged: true, file };
}

/** Returns whether a header is that of the segment of `stream` that begins at position `first`. */
export function isHeaderOf({ metadata }: StoredHeader, { stream, first }: Pick<SegmentPlace, 'stream' | 'first'>): boolean {
  return metadata.get('aorta.stream') === stream && metadata.get('aorta.first') === String(first);
}

/** Encodes the header of a segment of `stream` that begins at position `first`. */
export function headerFor(stream: StreamName, first: number, schema: string, sync?: Buffer): { bytes: Buffer; sync: Buffer } {
  return encodeHeader(schema, { 'aorta.stream': stream, 'aorta.first': String(first) }, sync);
}

function piecesOf(file: Buffer, stream: StreamName, { schema, sync, bytes }: ContainerHeader): readonly Piece[] {
  const pieces: Piece[] = [];
  const read = recordsReader(stream, schema);
  for (let at = bytes; at < file.length; ) {
    const start = decodeBlockStart(file, at);
    const end = at + (start?.whole ?? 0);
    const isFramed = start !== undefined && end <= file.length;
    const records = isFramed ? read(file, at, start) : undefined;
    if (isFramed && records !== undefined) {
      pieces.push(intact(file, at, start, records, sync));
      at = end;
    } else if (isFramed && file.subarray(end - SYNC_BYTES, end).equals(sync)) {
      pieces.push({ isIntact: false, count: start.count });
      at = end;
    } else {
      pieces.push({ isIntact: false, count: undefined });
      const marker = file.indexOf(sync, at);
      at = marker === -1 ? file.length : marker + SYNC_BYTES;
    }
  }
  return pieces;
}

/** Returns a function that reads the records of a block. It returns undefined if they are damaged. */
function recordsReader(stream: StreamName, schema: string): (file: Buffer, at: number, block: BlockStart) => Records | undefined {
  const decode = codecOf(stream).decoderOf(schema);
  return (file, at, { bytes, size }) => {
    const end = at + bytes + size;
    if (!hasChecksum(file, at + bytes, end)) return undefined;
    try {
      let [count, receivedAt] = [0, 0];
      let next = at + bytes;
      for (; next < end; count += 1) {
        const { value, offset } = decode(file, next);
        if (offset <= next) return undefined;
        next = offset;
        receivedAt = value.receipt.received_at;
      }
      return next === end ? { count, receivedAt } : undefined;
    } catch {
      // The codec's error quotes values.
      return undefined;
    }
  };
}

function intact(file: Buffer, at: number, block: BlockStart, records: Records, sync: Buffer): Piece {
  const recordsAt = at + block.bytes;
  const end = at + block.whole;
  const isChanged = records.count !== block.count || !file.subarray(end - SYNC_BYTES, end).equals(sync);
  if (!isChanged) return { isIntact: true, ...records, bytes: file.subarray(at, end), isChanged };
  const copy = Buffer.concat([Buffer.alloc(BLOCK_START_BYTES), file.subarray(recordsAt, end - SYNC_BYTES), sync]);
  const start = writeBlockStart(copy, BLOCK_START_BYTES, records.count, block.size);
  return { isIntact: true, ...records, bytes: copy.subarray(start), isChanged };
}
