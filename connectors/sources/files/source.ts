import { createReadStream } from 'node:fs';
import { type AortaError, firstError, isAortaError } from '@aorta/runtime';
import type { Delivery, DeliveryBatch, Source } from '../../source.ts';
import { Ascent } from './ascent.ts';
import type { FilePosition, FilesCheckpoints } from './checkpoints.ts';
import { type Content, EndlessLine, openContent } from './content.ts';
import { type FileReceipt, isMeantAsDelivery, LineProblem, malformedAt, plainEvent, readDeliveryLine } from './delivery-line.ts';
import { entriesOf, type FileEntry } from './entries.ts';
import { FileError } from './errors.ts';
import { detectFormat, type Format, parsed } from './format.ts';
import { DamagedGzip } from './gunzip.ts';
import { expand, type Readable, STANDARD_INPUT } from './paths.ts';
import { spool } from './spool.ts';

export interface FilesSourceOptions {
  /** Files, folders, `-` for standard input. */
  readonly paths: readonly string[];
  /** Source name of plain events and of lines that are no delivery. Default `files`. */
  readonly name?: string;
  /** Receipt time of plain events, in microseconds since 1970. Default: when their file was last changed. */
  readonly receivedAt?: number;
  /** What was taken by earlier runs and need not be read again. Without them every file is read. */
  readonly checkpoints?: FilesCheckpoints;
  /** Most bytes of one line, and of one JSON document, which are held whole. Default 256 MiB. */
  readonly documentBytes?: number;
  /** Hears {@link FilesSource.errors} when the batches end. */
  readonly onProblem?: (error: AortaError) => void;
  /** Opens a file whose lines may have so many bytes. Default: every file is opened anew. */
  readonly openFile?: (path: string, lineBytes: number) => Promise<Content>;
  /** For `-`. Default: the process's standard input. */
  readonly stdin?: NodeJS.ReadableStream;
}

/** How far the reading is. Files are found while others are read, so the totals grow. */
export interface FilesProgress {
  readonly files: number;
  readonly filesDone: number;
  /** Bytes on the disk (compressed ones of a compressed file). */
  readonly bytes: number;
  readonly bytesRead: number;
}

const BATCH_DELIVERIES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
const DOCUMENT_BYTES = 256 * 1024 * 1024;
/** Errors kept; beyond that they are counted. */
const ERRORS_KEPT = 1000;

/**
 * Deliveries out of files: delivery files (lines that name source, partition, offset and receipt time) and plain event
 * files, as JSON, an array, or NDJSON, gzip or not. Formats are detected by content.
 *
 * What is wrong with one file is in {@link errors}, and the other files go on; only offsets that do not ascend end the
 * reading. Nothing of what can be read is left out: an entry that is no delivery is handed over as malformed.
 */
export class FilesSource implements Source<FilePosition> {
  readonly name: string;
  readonly #options: FilesSourceOptions;
  readonly #limit: number;
  readonly #errors: AortaError[] = [];
  #errorCount = 0;
  #files = 0;
  #filesDone = 0;
  #bytes = 0;
  #bytesRead = 0;

  constructor(options: FilesSourceOptions) {
    this.#options = options;
    this.name = options.name ?? 'files';
    this.#limit = options.documentBytes ?? DOCUMENT_BYTES;
  }

  /** What went wrong so far, in order: the first thousand. */
  get errors(): readonly AortaError[] {
    return this.#errors;
  }

  /** How many things went wrong. */
  get errorCount(): number {
    return this.#errorCount;
  }

  get progress(): FilesProgress {
    return { files: this.#files, filesDone: this.#filesDone, bytes: this.#bytes, bytesRead: this.#bytesRead };
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<FilePosition>> {
    const found: Readable[] = [];
    for await (const readable of expand(this.#options.paths)) {
      if (signal.aborted) return;
      found.push(readable);
      if (readable.kind === 'error') continue;
      this.#files += 1;
      if (readable.kind === 'file') this.#bytes += readable.size;
    }
    try {
      for (const readable of found) {
        if (signal.aborted) return;
        if (readable.kind === 'error') this.#report(readable.error);
        else yield* this.#read(readable, signal);
      }
    } finally {
      for (const error of this.#errors) this.#options.onProblem?.(error);
    }
  }

  async commit(positions: readonly FilePosition[]): Promise<void> {
    await this.#options.checkpoints?.commit(positions.filter(({ path }) => path !== ''));
  }

  async *#read(readable: Exclude<Readable, { kind: 'error' }>, signal: AbortSignal): AsyncGenerator<DeliveryBatch<FilePosition>> {
    try {
      await using content = await this.#open(readable, signal);
      const identity = {
        path: readable.kind === 'once' ? '' : readable.path,
        size: content.size,
        modifiedAt: content.modifiedAt,
      };
      const before = this.#options.checkpoints?.positionOf(identity);
      if (before?.done) this.#bytesRead += content.size;
      else {
        const file = new FileReading(content, this.#options.receivedAt ?? content.modifiedAt, this.name, (error) =>
          this.#report(error),
        );
        for await (const batch of this.#batchesOf(file, content, before?.taken ?? 0, signal)) {
          yield { deliveries: batch.deliveries, position: { ...identity, taken: batch.taken, done: batch.done } };
        }
      }
    } catch (thrown) {
      const error = firstError(thrown);
      // Offsets out of order end the load: what follows cannot be placed.
      if (!isAortaError(error) || error.code === 'AORTA-FILE-OFFSETS') throw error;
      this.#report(error);
    } finally {
      this.#filesDone += 1;
    }
  }

  /** Deliveries of a file from entry `skip` on. The last batch, which may be empty, says that nothing is left. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over a file: where it is cut, stopped or damaged is seen in its order
  async *#batchesOf(file: FileReading, content: Content, skip: number, signal: AbortSignal): AsyncGenerator<FileBatch> {
    let taken = 0;
    let line = 0;
    let bytes = 0;
    let deliveries: Delivery[] = [];
    const cut = (done: boolean): FileBatch => {
      const batch = { deliveries, taken: Math.max(taken, skip), done };
      deliveries = [];
      bytes = 0;
      return batch;
    };
    try {
      const format = await detectFormat(content, this.#limit).catch(afterDamage);
      if (format.kind === 'too-large') throw tooLarge(content.label, 1, this.#limit);
      for await (const entries of entriesOf(content, format, this.#limit, (read) => (this.#bytesRead += read))) {
        for (const entry of entries) {
          if (entry.bytes === null) this.#report(tooLarge(content.label, entry.number, this.#limit));
          else {
            const read = file.read(entry, entry.bytes, taken, taken < skip);
            const delivery = read instanceof Promise ? await read : read;
            if (delivery !== undefined) {
              deliveries.push(delivery);
              bytes += entry.bytes.length;
            }
          }
          line = entry.number;
          taken += 1;
          if (deliveries.length >= BATCH_DELIVERIES || bytes >= BATCH_BYTES) yield cut(false);
          if (signal.aborted) break;
        }
        if (signal.aborted) break;
      }
      if (taken === 0 && format.kind === 'lines' && !signal.aborted)
        this.#report(new FileError('AORTA-FILE-EMPTY', { file: content.label }));
      yield cut(!signal.aborted);
    } catch (error) {
      if (deliveries.length > 0) yield cut(false);
      if (error instanceof EndlessLine)
        throw new FileError('AORTA-FILE-ENDLESS', { file: content.label, line: line + 1, limit: this.#limit });
      const where = line === 0 ? 'before its first line' : `after line ${line}`;
      throw error instanceof DamagedGzip ? new FileError('AORTA-FILE-COMPRESSION', { file: content.label, line, where }) : error;
    }
  }

  async #open(readable: Exclude<Readable, { kind: 'error' }>, signal: AbortSignal): Promise<Content> {
    if (readable.kind === 'file') return (this.#options.openFile ?? openContent)(readable.path, this.#limit);
    const content =
      readable.path === STANDARD_INPUT
        ? await spool(this.#options.stdin ?? process.stdin, 'standard input', this.#limit, signal)
        : await spool(createReadStream(readable.path), readable.path, this.#limit, signal);
    this.#bytes += content.size;
    return content;
  }

  #report(error: AortaError): void {
    this.#errorCount += 1;
    if (this.#errors.length < ERRORS_KEPT) this.#errors.push(error);
  }
}

interface FileBatch {
  readonly deliveries: readonly Delivery[];
  readonly taken: number;
  readonly done: boolean;
}

/** The reading of one file's entries. Whether it holds deliveries or plain events is decided by its first JSON object. */
class FileReading {
  readonly #content: Content;
  readonly #receivedAt: number;
  readonly #name: string;
  readonly #report: (error: AortaError) => void;
  readonly #ascent = new Ascent();
  #partition: string | undefined;
  #holds: 'deliveries' | 'events' | undefined;

  constructor(content: Content, receivedAt: number, name: string, report: (error: AortaError) => void) {
    this.#content = content;
    this.#receivedAt = receivedAt;
    this.#name = name;
    this.#report = report;
  }

  /** The delivery of an entry; undefined where it is only to be passed over. A promise only where the content's hash is needed. Throws AORTA-FILE-OFFSETS. */
  read(entry: FileEntry, bytes: Buffer, ordinal: number, passOver: boolean): Delivery | Promise<Delivery> | undefined {
    if (this.#holds === undefined) {
      const value = parsed(bytes);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        this.#holds = isMeantAsDelivery(value) ? 'deliveries' : 'events';
      }
    }
    if (passOver) return undefined;
    const line = entry.number;
    const found = { file: this.#content.label, line };
    if (this.#holds !== 'deliveries') {
      return this.#place((partition) => plainEvent(this.#receipt(partition, ordinal), bytes, found));
    }
    const delivery = readDeliveryLine(bytes, (problem) => this.#reportLine(entry, problem), found);
    if (delivery instanceof LineProblem) {
      this.#reportLine(entry, delivery);
      return this.#place((partition) => malformedAt(this.#receipt(partition, ordinal), bytes, found));
    }
    const { source, partition, offset } = delivery;
    const previous = this.#ascent.take(source, partition, offset);
    if (previous !== undefined) {
      throw new FileError('AORTA-FILE-OFFSETS', { file: this.#content.label, line, offset, source, partition, previous });
    }
    return delivery;
  }

  /** What has no position of its own stands at its ordinal in a partition named by the file's content. */
  #place(make: (partition: string) => Delivery): Delivery | Promise<Delivery> {
    if (this.#partition !== undefined) return make(this.#partition);
    return this.#content.hash().then((partition) => {
      this.#partition = partition;
      return make(partition);
    });
  }

  #receipt(partition: string, offset: number): FileReceipt {
    return { source: this.#name, partition, offset, receivedAt: this.#receivedAt };
  }

  #reportLine({ number, element }: FileEntry, problem: LineProblem): void {
    const line = element === undefined ? number : `${number} (element ${element})`;
    this.#report(new FileError('AORTA-FILE-ENTRY', { file: this.#content.label, line, problem: problem.text }));
  }
}

/** Damage before the format is known: the lines before it are still taken. */
function afterDamage(error: unknown): Format {
  if (error instanceof DamagedGzip || error instanceof EndlessLine) return { kind: 'lines' };
  throw error;
}

function tooLarge(file: string, line: number, limit: number): AortaError {
  return new FileError('AORTA-FILE-TOO-LARGE', { file, line, limit });
}
