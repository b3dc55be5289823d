import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AortaError, FILE_MODE, isAortaError, systemCode, systemPath, writeFully } from '@aorta/runtime';
import { type Compression, compressionOf, decompress, MAGIC_BYTES } from './decompress.ts';
import { FileError } from './errors.ts';

/** Number of bytes per read. Compressed files are read in smaller chunks, because a chunk grows when it is decompressed. */
const PLAIN_CHUNK = 1024 * 1024;
const COMPRESSED_CHUNK = 64 * 1024;
/** The reader abandons a line of compressed data that is this many times longer than the limit. */
const ENDLESS = 4;
const NEWLINE = 10;

/** Maximum size of a file that is held in memory, in bytes. */
const SMALL = 64 * 1024;

/** An open event file that can be read more than once. Its first bytes determine its compression. `await using` closes the file. */
export interface Content extends AsyncDisposable {
  /** Name in error messages: the path, or `standard input`. */
  readonly label: string;
  /** Size on disk in bytes. */
  readonly size: number;
  /** Modification time in microseconds since 1970. */
  readonly modifiedAt: number;
  readonly compression: Compression | undefined;
  /** Yields the uncompressed bytes from the start. Throws DamagedCompression, EndlessLine, and AORTA-FILE-UNREADABLE. */
  chunks(onRead?: (bytes: number) => void): AsyncGenerator<Buffer>;
  /**
   * Returns the first 16 hex digits of the SHA-256 of the uncompressed bytes before any damage. The hash is computed only
   * once. If `onChunk` is given, the bytes are read again and passed to it.
   */
  hash(onChunk?: (chunk: Buffer) => void): Promise<string>;
}

/** Thrown if a line of compressed data inflates to many times the limit. Everything before that line has already been yielded. */
export class EndlessLine extends Error {
  constructor() {
    super('a line of the compressed data does not end');
    this.name = 'EndlessLine';
  }
}

export interface OpenOptions {
  /** Receives the size in bytes. If it returns true, the file is read into memory and closed at once. */
  readonly holds?: (size: number) => boolean;
  /** Number of bytes on disk to read. Default: the size of the file when it is opened, even if the file grows meanwhile. */
  readonly size?: number;
}

/** Opens a regular file. Rejects with AORTA-FILE-NOT-FOUND and AORTA-FILE-UNREADABLE. */
export async function openContent(
  path: string,
  lineBytes: number,
  { holds = () => false, size }: OpenOptions = {},
): Promise<Content> {
  try {
    await using opening = new AsyncDisposableStack();
    const file = opening.use(await open(systemPath(path), 'r'));
    const content = await contentOf(file, path, lineBytes, size);
    if (holds(content.size)) return heldContent(content, await beginningOf(file, content.size), lineBytes);
    opening.move();
    return content;
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Returns the content of an open file. Closing the content closes the file. `lineBytes` limits the length of a line,
 * because a few compressed kilobytes can inflate to terabytes without a line end.
 */
async function contentOf(file: FileHandle, label: string, lineBytes: number, most?: number): Promise<Content> {
  const { size: found, mtimeNs } = await file.stat({ bigint: true });
  const size = most ?? Number(found);
  // Some system files report size 0 but have content.
  const end = size === 0 ? Number.POSITIVE_INFINITY : size;
  const start = Buffer.alloc(MAGIC_BYTES);
  const { bytesRead } = await file.read(start, 0, MAGIC_BYTES, 0);
  const compression = compressionOf(start.subarray(0, bytesRead));

  async function* raw(onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
    for (let position = 0; position < end; ) {
      const length = Math.min(compression === undefined ? PLAIN_CHUNK : COMPRESSED_CHUNK, end - position);
      const { buffer, bytesRead: read } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, position).catch((error) => {
        throw unreadable(label, error);
      });
      if (read === 0) return;
      position += read;
      onRead(read);
      yield buffer.subarray(0, read);
    }
  }
  const facts = { label, size, modifiedAt: Number(mtimeNs / 1000n) };
  return { ...facts, ...readable(raw, compression, lineBytes), [Symbol.asyncDispose]: () => file.close() };
}

function heldContent({ label, size, modifiedAt }: Content, bytes: Buffer, lineBytes: number): Content {
  async function* raw(onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
    onRead(bytes.length);
    yield bytes;
  }
  const reading = readable(raw, compressionOf(bytes), lineBytes);
  return { label, size, modifiedAt, ...reading, [Symbol.asyncDispose]: async () => {} };
}

/** Reads the first `size` bytes of a file. Returns fewer if the file has shrunk. */
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

/**
 * Yields the items of `source` in order, and always requests the next item while the caller handles the current one.
 * File reads and decompression run on other threads, which would otherwise be idle. An error is thrown after all earlier
 * items. Ending the iteration early also ends the source.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  await using reading = new AsyncDisposableStack();
  const items = source[Symbol.asyncIterator]();
  reading.defer(async () => void (await items.return?.()));
  const ask = (): Promise<IteratorResult<T>> => {
    const asked = items.next();
    // The request may fail before the loop awaits it. The loop still receives the error.
    asked.catch(() => {});
    return asked;
  };
  let next = ask();
  while (true) {
    const { done, value } = await next;
    if (done) return;
    next = ask();
    yield value;
  }
}

/** Builds the reading methods of a {@link Content}. `raw` yields the bytes on disk. */
function readable(
  raw: (onRead: (bytes: number) => void) => AsyncGenerator<Buffer>,
  compression: Compression | undefined,
  lineBytes: number,
): Pick<Content, 'compression' | 'chunks' | 'hash'> {
  let hash: Promise<string> | undefined;
  const chunks = (onRead: (bytes: number) => void = () => {}) => {
    if (compression === undefined) return readAhead(raw(onRead));
    let first = true;
    const decompressed = decompress(compression, () => {
      const bytes = raw(first ? onRead : () => {});
      first = false;
      return bytes;
    });
    return readAhead(upToEndlessLine(decompressed, ENDLESS * lineBytes));
  };

  return {
    compression,
    chunks,
    hash: (onChunk) => {
      if (hash === undefined || onChunk !== undefined) hash = hashOf(chunks(), onChunk);
      return hash;
    },
  };
}

async function* upToEndlessLine(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let line = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE);
    line = end < 0 ? line + chunk.length : chunk.length - end - 1;
    if (line > most) {
      // The chunk may also contain lines before the endless one.
      yield chunk.subarray(0, end + 1);
      throw new EndlessLine();
    }
    yield chunk;
  }
}

async function hashOf(chunks: AsyncIterable<Buffer>, onChunk: (chunk: Buffer) => void = () => {}): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      onChunk(chunk);
    }
  } catch (error) {
    // The damage is reported when the lines are read. The hash covers the bytes before the damage.
    if (error instanceof AortaError) throw error;
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Opens a stream that can be read only once, and copies it to a temporary file, so that it can be read twice. The file is private
 * (mode 0600 in a folder of mode 0700). It is unlinked at once if the system allows that, otherwise when it is closed.
 * Rejects with AORTA-FILE-TEMPORARY and AORTA-FILE-UNREADABLE.
 */
export async function spool(
  stream: () => NodeJS.ReadableStream,
  label: string,
  lineBytes: number,
  signal: AbortSignal,
): Promise<Content> {
  await using opening = new AsyncDisposableStack();
  const refused = (error: unknown): never => {
    throw new FileError('AORTA-FILE-TEMPORARY', { folder: tmpdir(), file: label, code: systemCode(error) });
  };
  const folder = opening.adopt(await mkdtemp(join(tmpdir(), 'aorta-')).catch(refused), remove);
  const path = join(folder, 'spool');
  const copy = opening.use(await open(path, 'wx+', FILE_MODE).catch(refused));
  const write = async (chunks: AsyncIterable<Buffer | string>): Promise<void> => {
    let position = 0;
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk);
      await writeFully(copy, bytes, position).catch(refused);
      position += bytes.length;
    }
  };
  try {
    await pipeline(stream(), write, { signal });
    const content = await contentOf(copy, label, lineBytes);
    await remove(folder).catch(() => {});
    const opened = opening.move();
    return { ...content, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  } catch (error) {
    throw unreadable(label, error);
  }
}

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** Returns the AortaError for a file that cannot be opened or read. */
export function unreadable(label: string, error: unknown): AortaError {
  if (isAortaError(error)) return error;
  const code = systemCode(error);
  return code === 'ENOENT'
    ? new AortaError('AORTA-FILE-NOT-FOUND', { file: label })
    : new AortaError('AORTA-FILE-UNREADABLE', { file: label, code });
}

/**
 * Opens files that are read twice: first only the beginning, later the whole file. A small file is opened only once:
 * its bytes stay in memory between the two reads.
 */
export class SmallFiles {
  readonly #most: number;
  readonly #held = new Map<string, Content>();
  #bytes = 0;

  /** `most` is the maximum total size of all held files, in bytes. */
  constructor(most = 32 * 1024 * 1024) {
    this.#most = most;
  }

  /** Opens a file to read its beginning. Rejects with AORTA-FILE-NOT-FOUND and AORTA-FILE-UNREADABLE. */
  async first(path: string, lineBytes: number): Promise<Content> {
    let holds = false;
    const content = await openContent(path, lineBytes, {
      holds: (size) => {
        // Some system files report size 0 but have content.
        holds = size > 0 && size <= SMALL && this.#bytes + size <= this.#most && !this.#held.has(path);
        return holds;
      },
    });
    if (holds) {
      this.#held.set(path, content);
      this.#bytes += content.size;
    }
    return content;
  }

  /** Opens a file to read all of it, and releases the bytes held for it. Rejects with the same errors as {@link first}. */
  async again(path: string, lineBytes: number): Promise<Content> {
    const held = this.#held.get(path);
    if (held === undefined) return openContent(path, lineBytes);
    this.#held.delete(path);
    this.#bytes -= held.size;
    return held;
  }
}
