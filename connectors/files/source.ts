import { createReadStream } from 'node:fs';
import { type AortaError, factsOf, firstError, isAortaError, systemPath } from '@aorta/runtime';
import type { Delivery, DeliveryBatch, Outputs, Source } from '../source.ts';
import { type AcceptanceOptions, accept, formatOf, tooLarge } from './acceptance.ts';
import { type FilePosition, type FilesCheckpoints, REFUSAL_RULES } from './checkpoints.ts';
import { type Content, EndlessLine, openContent, spool } from './content.ts';
import { type Compression, DamagedCompression } from './decompress.ts';
import { entriesOf } from './entries.ts';
import { FileError } from './errors.ts';
import { FileReader } from './file-reader.ts';
import { foreignError, largeZstd } from './foreign.ts';
import type { ReadableFormat } from './format.ts';
import { grownError, hashOfBeginning, nextStep } from './growth.ts';
import { expand, type Readable, STANDARD_INPUT } from './paths.ts';

export interface FilesSourceOptions {
  /** Files, folders, or `-` for standard input. */
  readonly paths: readonly string[];
  /** Whether to follow links in a folder that lead out of the given folders. Default: they are reported. */
  readonly followLinks?: boolean;
  /** The `paths` that were found in a folder, not named by the caller. Default: none. */
  readonly found?: ReadonlySet<string>;
  /** The outputs of this process, which are left out. Default: nothing. */
  readonly outputs?: Outputs | undefined;
  /** Source name for plain events and malformed lines. Default: `files`. */
  readonly name?: string;
  /** Receipt time of plain events, in microseconds since 1970. Default: the modification time of their file. */
  readonly receivedAt?: number;
  /** Checkpoints of earlier runs. Without checkpoints, every file is read from its start. */
  readonly checkpoints?: FilesCheckpoints;
  /** Maximum size of a line or JSON document, in bytes. Each is held in memory as a whole. Default: 256 MiB. */
  readonly documentBytes?: number;
  /** Called for each error in {@link FilesSource.errors} once reading has ended. */
  readonly onProblem?: (error: AortaError) => void;
  /** Opens the file at `path`. `lineBytes` limits the length of a line. Default: opens the file from disk. */
  readonly openFile?: (path: string, lineBytes: number) => Promise<Content>;
  /** Returns the current time in milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number;
  /** The stream to read for `-`. Default: the standard input of the process. */
  readonly stdin?: NodeJS.ReadableStream;
}

/** How much of the files has been read. */
export interface FilesProgress {
  readonly files: number;
  readonly filesDone: number;
  /** Total size on disk; for a compressed file, the compressed size. */
  readonly bytes: number;
  readonly bytesRead: number;
}

const BATCH_DELIVERIES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
const DOCUMENT_BYTES = 256 * 1024 * 1024;
const ENDS = {
  line: 'the last line has no line end and is not one whole JSON object, so it is incomplete',
  document: 'the file ends in the middle of a JSON document, so it is incomplete',
} as const;
/** Maximum number of errors with the same code that are kept. Later ones are only counted. */
const ERRORS_KEPT = 1000;

/**
 * Reads deliveries from files. Each line of a delivery file has a source, partition, offset and receipt time. A plain
 * event file is one JSON event, a JSON array, or NDJSON. Both kinds may be compressed with gzip or zstd. The format is
 * detected from the content.
 *
 * Problems with one file are collected in {@link errors} and do not affect the other files. The source stops only
 * if an offset does not increase. No readable entry is dropped: an entry that is not a delivery is emitted as malformed.
 */
export class FilesSource implements Source<FilePosition> {
  readonly name: string;
  readonly #options: FilesSourceOptions;
  readonly #limit: number;
  readonly #acceptance: AcceptanceOptions;
  readonly #errors: AortaError[] = [];
  #errorCount = 0;
  readonly #counts = new Map<string, number>();
  #files = 0;
  #filesDone = 0;
  #bytes = 0;
  #bytesRead = 0;

  constructor(options: FilesSourceOptions) {
    this.#options = options;
    this.name = options.name ?? 'files';
    this.#limit = options.documentBytes ?? DOCUMENT_BYTES;
    this.#acceptance = { limit: this.#limit, receivedAt: options.receivedAt, now: options.now ?? Date.now };
  }

  /** The first thousand errors of each code so far, in order. */
  get errors(): readonly AortaError[] {
    return this.#errors;
  }

  get errorCount(): number {
    return this.#errorCount;
  }

  get progress(): FilesProgress {
    return { files: this.#files, filesDone: this.#filesDone, bytes: this.#bytes, bytesRead: this.#bytesRead };
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<FilePosition>> {
    const found: Readable[] = [];
    for await (const readable of expand(this.#options.paths, this.#options)) {
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
      const { size, modifiedAt } = content;
      const { checkpoints } = this.#options;
      const path = readable.kind === 'once' ? '' : readable.path;
      const receivedAt = this.#options.receivedAt ?? modifiedAt;
      const step = await nextStep(content, path === '' ? undefined : checkpoints?.positionOf(path), receivedAt);
      if (step.kind === 'resume') yield* this.#resume(step.from, step.grown, signal);
      else if (step.kind === 'pass') {
        this.#bytesRead += size;
        if (step.position !== undefined) {
          if (step.grows) this.#report(grownError(step.position, content.compression));
          yield { deliveries: [], position: step.position };
        }
      } else {
        const named = readable.kind === 'once' || (readable.named && this.#options.found?.has(path) !== true);
        const format = step.kind === 'refuse' ? step.error : await accept(content, path, { ...this.#acceptance, named });
        yield* this.#readNew(content, path, format, signal);
      }
    } catch (error) {
      this.#reportThrown(error);
    } finally {
      this.#filesDone += 1;
    }
  }

  /** Reads a version of a file from its start. If it is refused, reports the error instead. */
  async *#readNew(
    content: Content,
    path: string,
    format: ReadableFormat | AortaError,
    signal: AbortSignal,
  ): AsyncGenerator<DeliveryBatch<FilePosition>> {
    const { size, modifiedAt } = content;
    const { checkpoints, receivedAt = modifiedAt } = this.#options;
    const version: FilePosition = { path, size, modifiedAt, taken: 0, line: 0, done: false };
    if (isAortaError(format)) {
      this.#bytesRead += size;
      this.#report(format);
      yield { deliveries: [], position: { ...version, refused: { rules: REFUSAL_RULES, receivedAt, error: factsOf(format) } } };
    } else {
      const beginning = path === '' || checkpoints === undefined ? {} : { beginning: await hashOfBeginning(path, size) };
      yield* this.#readVersion(content, format, { ...version, ...beginning }, signal);
    }
  }

  /** Reads the rest of a version of a file, even if the file has grown since, so that the receipts remain the same. */
  async *#resume(
    from: FilePosition,
    grown: FilePosition | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<DeliveryBatch<FilePosition>> {
    let { line } = from;
    let compression: Compression | undefined;
    try {
      await using content = await openContent(from.path, this.#limit, { size: from.size });
      ({ compression } = content);
      const format = await formatOf(content, from.path, this.#acceptance);
      for await (const batch of this.#readVersion(content, format, from, signal)) {
        line = batch.position.line;
        yield batch;
      }
    } catch (error) {
      this.#reportThrown(error);
    }
    if (grown === undefined || signal.aborted) return;
    const position = { ...grown, line };
    this.#report(grownError(position, compression));
    yield { deliveries: [], position };
  }

  async *#readVersion(
    content: Content,
    format: ReadableFormat,
    from: FilePosition,
    signal: AbortSignal,
  ): AsyncGenerator<DeliveryBatch<FilePosition>> {
    const receivedAt = this.#options.receivedAt ?? from.modifiedAt;
    const file = new FileReader(content, receivedAt, this.name, (error) => this.#report(error));
    for await (const { deliveries, ...read } of this.#batchesOf(file, content, format, from, signal)) {
      // A scan that is stopped while it passes over known entries has not reached their last line.
      yield { deliveries, position: { ...from, ...read, line: Math.max(from.line, read.line) } };
    }
  }

  /**
   * Yields the deliveries of a file that have not been read before. The last batch, which may be empty, marks the file as
   * done.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over a file, which may be stopped or damaged at any entry
  async *#batchesOf(
    file: FileReader,
    content: Content,
    format: ReadableFormat,
    { path, taken: skip }: FilePosition,
    signal: AbortSignal,
  ): AsyncGenerator<FileBatch> {
    let taken = 0;
    let line = 0;
    let bytes = 0;
    let isEmpty = true;
    let deliveries: Delivery[] = [];
    const cut = (done: boolean): FileBatch => {
      const batch = { deliveries, taken: Math.max(taken, skip), line, done };
      deliveries = [];
      bytes = 0;
      return batch;
    };
    try {
      for await (const entries of entriesOf(content, format, this.#limit, (read) => (this.#bytesRead += read))) {
        for (const entry of entries) {
          if (entry.incomplete !== undefined) {
            this.#report(
              new FileError('AORTA-FILE-INCOMPLETE', {
                file: content.label,
                line: entry.number,
                problem: ENDS[entry.incomplete],
              }),
            );
            isEmpty = false;
            break;
          }
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
      if (isEmpty && taken === 0 && format.kind === 'lines' && !signal.aborted)
        this.#report(new FileError('AORTA-FILE-EMPTY', { file: content.label }));
      yield cut(!signal.aborted);
    } catch (error) {
      if (deliveries.length > 0) yield cut(false);
      if (error instanceof EndlessLine)
        throw new FileError('AORTA-FILE-ENDLESS', { file: content.label, line: line + 1, limit: this.#limit });
      if (!(error instanceof DamagedCompression)) throw error;
      if (error.needsMemory)
        throw foreignError({ ...content, compression: undefined }, largeZstd, path, this.#options.receivedAt);
      const where = line === 0 ? 'before its first line' : `after line ${line}`;
      const { compression } = error;
      throw new FileError('AORTA-FILE-COMPRESSION', { file: content.label, compression, line, where });
    }
  }

  async #open(readable: Exclude<Readable, { kind: 'error' }>, signal: AbortSignal): Promise<Content> {
    if (readable.kind === 'file') return (this.#options.openFile ?? openContent)(readable.path, this.#limit);
    const content =
      readable.path === STANDARD_INPUT
        ? await spool(() => this.#options.stdin ?? process.stdin, 'standard input', this.#limit, signal)
        : await spool(() => createReadStream(systemPath(readable.path)), readable.path, this.#limit, signal);
    this.#bytes += content.size;
    return content;
  }

  /** Reports the error that ended the reading of a file. Throws it if the other files cannot be read either. */
  #reportThrown(thrown: unknown): void {
    const error = firstError(thrown);
    // If offsets are out of order, later deliveries cannot be ordered either.
    if (!isAortaError(error) || error.code === 'AORTA-FILE-OFFSETS') throw error;
    this.#report(error);
  }

  #report(error: AortaError): void {
    this.#errorCount += 1;
    const count = this.#counts.get(error.code) ?? 0;
    this.#counts.set(error.code, count + 1);
    if (count < ERRORS_KEPT) this.#errors.push(error);
  }
}

interface FileBatch {
  readonly deliveries: readonly Delivery[];
  readonly taken: number;
  readonly line: number;
  readonly done: boolean;
}
