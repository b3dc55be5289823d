import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { AortaError, systemCode } from '@aorta/runtime';
import { looksGzipped } from '../gzip.ts';
import { gunzip } from './gunzip.ts';
import { readAhead } from './read-ahead.ts';

/** Bytes read at a time: of a plain file, and of a compressed one, whose chunks grow when they are inflated. */
const PLAIN_CHUNK = 1024 * 1024;
const GZIP_CHUNK = 64 * 1024;
/** A line of so many times the bytes that a line may have is not waited for to end. */
const ENDLESS = 4;
const NEWLINE = 10;

/** An open file of events, gzip or not (by its first bytes, whatever its name), that can be read more than once. `await using` closes it. */
export interface Content extends AsyncDisposable {
  /** What errors call it: its path, or `standard input`. */
  readonly label: string;
  /** Size on the disk, in bytes. */
  readonly size: number;
  /** Time of its last change, in microseconds since 1970. */
  readonly modifiedAt: number;
  /** The uncompressed bytes from the start. Throws DamagedGzip, EndlessLine, and AORTA-FILE-UNREADABLE. */
  chunks(onRead?: (bytes: number) => void): AsyncGenerator<Buffer>;
  /** First 16 hexadecimal digits of the SHA-256 of the uncompressed bytes (as far as they can be had); read once. */
  hash(): Promise<string>;
}

/** A line of compressed data inflates to far more than a line may have. Everything before it was given out. */
export class EndlessLine extends Error {
  constructor() {
    super('a line of the gzip data does not end');
    this.name = 'EndlessLine';
  }
}

/**
 * Opens a regular file. Rejects with AORTA-FILE-NOT-FOUND, AORTA-FILE-UNREADABLE. If `holds` says so of its size in bytes,
 * the file is read at once and closed, and its bytes are held.
 */
export async function openContent(
  path: string,
  lineBytes: number,
  holds: (size: number) => boolean = () => false,
): Promise<Content> {
  try {
    await using opening = new AsyncDisposableStack();
    const file = opening.use(await open(path, 'r'));
    const content = await contentOf(file, path, lineBytes);
    if (holds(content.size)) return heldContent(content, await beginningOf(file, content.size), lineBytes);
    opening.move();
    return content;
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * The content of an open file; closing it closes the file. `lineBytes` is what a line may have: some compressed kilobytes
 * inflate to terabytes, and where they hold no line's end nobody would ever get behind them.
 */
export async function contentOf(file: FileHandle, label: string, lineBytes: number): Promise<Content> {
  const { size, mtimeNs } = await file.stat({ bigint: true });
  const start = Buffer.alloc(2);
  const { bytesRead } = await file.read(start, 0, 2, 0);
  const gzip = looksGzipped(start.subarray(0, bytesRead));

  async function* raw(onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
    const length = gzip ? GZIP_CHUNK : PLAIN_CHUNK;
    for (let position = 0; ; ) {
      const { buffer, bytesRead: read } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, position).catch((error) => {
        throw unreadable(label, error);
      });
      if (read === 0) return;
      position += read;
      onRead(read);
      yield buffer.subarray(0, read);
    }
  }
  const facts = { label, size: Number(size), modifiedAt: Number(mtimeNs / 1000n) };
  return { ...facts, ...readable(raw, gzip, lineBytes), [Symbol.asyncDispose]: () => file.close() };
}

function heldContent({ label, size, modifiedAt }: Content, bytes: Buffer, lineBytes: number): Content {
  async function* raw(onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
    onRead(bytes.length);
    yield bytes;
  }
  const reading = readable(raw, looksGzipped(bytes), lineBytes);
  return { label, size, modifiedAt, ...reading, [Symbol.asyncDispose]: async () => {} };
}

/** The first bytes of a file: fewer than `size` if it has become shorter. */
async function beginningOf(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let position = 0;
  while (position < size) {
    const { bytesRead } = await file.read(bytes, position, size - position, position);
    if (bytesRead === 0) break;
    position += bytesRead;
  }
  return bytes.subarray(0, position);
}

/** How a content is read, out of its bytes as they are stored. */
function readable(
  raw: (onRead: (bytes: number) => void) => AsyncGenerator<Buffer>,
  gzip: boolean,
  lineBytes: number,
): Pick<Content, 'chunks' | 'hash'> {
  let hash: Promise<string> | undefined;
  const chunks = (onRead: (bytes: number) => void = () => {}) => {
    if (!gzip) return readAhead(raw(onRead));
    let first = true;
    const inflated = gunzip(() => {
      const bytes = raw(first ? onRead : () => {});
      first = false;
      return bytes;
    });
    return readAhead(upToEndlessLine(inflated, ENDLESS * lineBytes));
  };

  return {
    chunks,
    hash: () => {
      hash ??= hashOf(chunks());
      return hash;
    },
  };
}

async function* upToEndlessLine(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let line = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE);
    line = end < 0 ? line + chunk.length : chunk.length - end - 1;
    if (line > most) throw new EndlessLine();
    yield chunk;
  }
}

async function hashOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunks) hash.update(chunk);
  } catch (error) {
    // Damage is reported by whoever reads the lines; the hash is that of what there is.
    if (error instanceof AortaError) throw error;
  }
  return hash.digest('hex').slice(0, 16);
}

/** The catalogue's error for a file that cannot be opened or read. */
export function unreadable(label: string, error: unknown): AortaError {
  const code = systemCode(error);
  return code === 'ENOENT'
    ? new AortaError('AORTA-FILE-NOT-FOUND', { file: label })
    : new AortaError('AORTA-FILE-UNREADABLE', { file: label, code });
}
