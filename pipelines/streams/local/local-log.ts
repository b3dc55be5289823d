import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codecOf, type StreamName, type StreamRecords, streamNames } from '@aorta/schemas';
import {
  AortaError,
  errorFields,
  type Logger,
  type Metrics,
  type SetGauge,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/telemetry';
import { z } from 'zod';
import { partitionOf, type ReadBatch, type ReadLimit, type StreamLog, type StreamPartition } from '../log.ts';
import { makeFolder, readJson, UNFINISHED, writeDurably } from './durable-file.ts';
import { diskOperations, type FileOperations, systemCode, unreadable } from './file-operations.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { type StreamView, viewOf } from './followed-log.ts';
import { type Block, Gathering, SpareBuffers } from './gathering.ts';
import { checkGroupName } from './group-positions.ts';
import type { RecoveredTail } from './recovery.ts';
import { SegmentFiles } from './segment-files.ts';
import { SegmentReader } from './segment-reader.ts';
import { SegmentWriter } from './segment-writer.ts';
import { makeStreamFolder, openStreamFolder, type StreamFolder } from './stream-folder.ts';

export interface LocalLogOptions {
  /** Folder of the log; made, owner only, where there is none. */
  readonly folder: string;
  /** Hears of torn tails that were cut and of records dropped at the end. Nothing by default. */
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Hears `append:written` and `append:durable` of every flush that had something to write. */
  readonly onStep?: StepObserver;
  /** A segment that has reached so many bytes is followed by a new one. Default 128 MiB. */
  readonly segmentBytes?: number;
  /** Encoded records of one block; a larger record has a block of its own. Default 1 MiB. */
  readonly blockBytes?: number;
  /** Without lock and without writing a byte, also beside a process that writes: shows what was there when it was opened, until {@link LocalLog.refresh}. */
  readonly readOnly?: boolean;
}

/** The stream log in a folder of this machine, written by one process at a time. The format is described in FORMAT.md. */
export interface LocalLog extends StreamLog {
  /** What was cut off when the log was opened: the unfinished end of a segment that a crash left. */
  readonly recovered: readonly RecoveredTail[];
  /** What has become visible in the streams beyond these ends: for a reader in another thread. Streams that have not grown are left out. */
  views(beyond: ReadonlyMap<StreamName, number>): readonly StreamView[];
  /** Where the log is read only: looks again at what the writing process has appended and committed meanwhile. Otherwise nothing. */
  refresh(): Promise<void>;
}

const FORMAT = 1;
const DEFAULT_SEGMENT_BYTES = 128 * 1024 * 1024;
const DEFAULT_BLOCK_BYTES = 1024 * 1024;
const formatFile = z.object({ format: z.int().positive() });

/**
 * Opens the log in `options.folder`, and takes its lock unless it is read only.
 *
 * Rejects with AORTA-DATA-LOCKED or AORTA-DATA-LOCKED-ELSEWHERE (somebody writes), AORTA-DATA-NEWER (a later format),
 * AORTA-DATA-UNWRITABLE, AORTA-FILE-UNREADABLE, and AORTA-FILE-NOT-FOUND (read only, and there is no such folder).
 */
export function openLocalLog(options: LocalLogOptions): Promise<LocalLog> {
  return openLocalLogOn(options, diskOperations);
}

/** {@link openLocalLog} on other file operations: where tests put a disk that fails. */
export async function openLocalLogOn(options: LocalLogOptions, operations: FileOperations): Promise<LocalLog> {
  const { folder, readOnly = false } = options;
  if (readOnly) {
    if (!(await isFolder(folder))) throw new AortaError('AORTA-FILE-NOT-FOUND', { file: folder });
    await checkFormat(folder);
    const log = new SegmentLog(options, operations, undefined);
    await log.load();
    return log;
  }
  await makeFolder(folder);
  // Before the lock: a later version's lock may look different as well.
  await checkFormat(folder);
  const lock = await lockFolder(folder);
  try {
    if (!(await checkFormat(folder))) await writeDurably(join(folder, 'format.json'), { format: FORMAT });
    await unlink(join(folder, `format.json${UNFINISHED}`)).catch(() => {});
    const log = new SegmentLog(options, operations, lock);
    await log.load();
    return log;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Every stream, as its one partition. */
const allStreams = streamNames.map((stream) => partitionOf(stream));

/** What a stream is written with. */
interface Writing {
  readonly gathering: Gathering<never>;
  readonly writer: SegmentWriter;
}

class OpenStream {
  readonly folder: StreamFolder;
  /** Nothing where nothing was written yet. */
  begun: Writing | undefined;
  readonly #begin: () => Writing;

  constructor(folder: StreamFolder, begin: () => Writing) {
    this.folder = folder;
    this.#begin = begin;
  }

  /** Made for the first record: an encoder takes milliseconds to make, and most streams get none in a run. */
  get writing(): Writing {
    this.begun ??= this.#begin();
    return this.begun;
  }
}

interface Flushed {
  readonly stream: OpenStream;
  readonly blocks: Block[];
}

class SegmentLog implements LocalLog {
  readonly recovered: RecoveredTail[] = [];
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #unwatch: () => void;
  readonly #onStep: StepObserver;
  readonly #segmentBytes: number;
  readonly #operations: FileOperations;
  readonly #lock: FolderLock | undefined;
  readonly #spare: SpareBuffers;
  readonly #files = new SegmentFiles();
  readonly #reader = new SegmentReader(this.#files);
  readonly #streams = new Map<StreamName, OpenStream>();
  #pendingBytes = 0;
  /** Bytes of the flush that is running. */
  #flushingBytes = 0;
  /** The last flush, or making of a folder, that was asked for; never rejects. */
  #lastWork: Promise<void> = Promise.resolve();
  #failure: AortaError | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: LocalLogOptions, operations: FileOperations, lock: FolderLock | undefined) {
    this.#folder = options.folder;
    this.#logger = options.logger ?? silentLogger;
    this.#onStep = options.onStep ?? unobserved;
    this.#segmentBytes = options.segmentBytes ?? DEFAULT_SEGMENT_BYTES;
    this.#spare = new SpareBuffers(options.blockBytes ?? DEFAULT_BLOCK_BYTES);
    this.#operations = operations;
    this.#lock = lock;
    this.#metrics = options.metrics ?? silentMetrics;
    this.#unwatch = this.#metrics.watch((set) => this.#measure(set));
  }

  /** Looks at every stream's folder. */
  async load(): Promise<void> {
    const recovered = (tail: RecoveredTail): void => {
      this.recovered.push(tail);
      const { file, bytes, record } = tail;
      this.#logger.warn('a torn tail was cut', errorFields(new AortaError('AORTA-SEGMENT-TORN', { file, bytes, record })));
    };
    const access =
      this.#lock === undefined
        ? ({ writable: false } as const)
        : ({ writable: true, operations: this.#operations, recovered } as const);
    const folders = await Promise.all(streamNames.map((name) => openStreamFolder(this.#folder, name, access)));
    for (const folder of folders) {
      this.#streams.set(folder.name, new OpenStream(folder, () => this.#writingTo(folder)));
    }
  }

  #writingTo({ name, path, segments, end }: StreamFolder): Writing {
    const codec = codecOf(name);
    const place = {
      stream: name,
      folder: path,
      schema: codec.schema,
      segmentBytes: this.#segmentBytes,
      operations: this.#operations,
    };
    return {
      gathering: new Gathering(codec, this.#spare) as unknown as Gathering<never>,
      writer: new SegmentWriter(place, segments, end),
    };
  }

  async refresh(): Promise<void> {
    this.#checkOpen();
    if (this.#lock !== undefined) return;
    // Files may have been replaced; those in use are closed by their last reader.
    await this.#files.close();
    await this.load();
  }

  assigned(): readonly StreamPartition[] {
    return allStreams;
  }

  start(): number {
    return 0;
  }

  views(beyond: ReadonlyMap<StreamName, number>): readonly StreamView[] {
    return [...this.#streams.values()]
      .filter(({ folder }) => folder.end > (beyond.get(folder.name) ?? -1))
      .map(({ folder }) => viewOf(folder, beyond.get(folder.name) ?? 0));
  }

  incarnation(of: StreamPartition): string {
    return this.#partition(of).folder.incarnation;
  }

  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void {
    this.#checkWritable();
    const { folder, writing } = this.#stream(stream);
    if (folder.damage !== undefined) throw new AortaError('AORTA-SEGMENT-CORRUPT', folder.damage);
    this.#pendingBytes += writing.gathering.add(record as never);
  }

  pendingBytes(): number {
    return this.#pendingBytes + this.#flushingBytes;
  }

  async flush(): Promise<void> {
    this.#checkWritable();
    await this.#serially(() => this.#flushOnce());
  }

  end(of: StreamPartition): number {
    return this.#partition(of).folder.end;
  }

  async read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>> {
    this.#checkOpen();
    const { folder } = this.#partition(of);
    checkPosition(from, folder.end, 'read');
    if (folder.damage !== undefined && from >= folder.damage.record) throw new AortaError('AORTA-SEGMENT-CORRUPT', folder.damage);
    return this.#reader.read(folder as StreamFolder & { name: S }, from, limit);
  }

  committed(group: string, of: StreamPartition): number | undefined {
    checkGroupName(group);
    return this.#partition(of).folder.positions.of(group);
  }

  async commit(group: string, of: StreamPartition, position: number): Promise<void> {
    this.#checkOpen();
    if (this.#lock === undefined) throw bug('a read-only log was committed to');
    const { folder } = this.#partition(of);
    checkGroupName(group);
    checkPosition(position, folder.end, 'commit');
    // One maker of a folder at a time, whether flush or commit.
    if (!folder.made) await this.#serially(() => makeStreamFolder(folder));
    await folder.positions.commit(group, position, folder.incarnation);
  }

  groups(of: StreamPartition): readonly string[] {
    return this.#partition(of).folder.positions.names();
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #flushOnce(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const flushed: Flushed[] = [];
    for (const stream of this.#streams.values()) {
      const { gathering } = stream.begun ?? {};
      if (gathering !== undefined && gathering.bytes > 0) flushed.push({ stream, blocks: gathering.take() });
    }
    if (flushed.length === 0) return;
    this.#flushingBytes = this.#pendingBytes;
    this.#pendingBytes = 0;
    const begun = performance.now();
    try {
      await all(flushed, async ({ stream, blocks }) => {
        await makeStreamFolder(stream.folder);
        await stream.writing.writer.write(blocks);
      });
      this.#onStep('append:written');
      await all(flushed, ({ stream }) => stream.writing.writer.sync());
    } catch (error) {
      // What an observer throws is not a failure of the disk, but as much the end of this log.
      this.#failure = error instanceof AortaError ? error : bug('a step observer threw');
      await all(flushed, ({ stream }) => stream.writing.writer.undo());
      throw this.#failure;
    }
    for (const { stream, blocks } of flushed) {
      stream.writing.writer.publish();
      let records = 0;
      let bytes = 0;
      for (const { buffer, start, end, count } of blocks) {
        records += count;
        bytes += end - start;
        this.#spare.giveBack(buffer);
      }
      stream.folder.end += records;
      this.#metrics.count('aorta_stream_records_total', { stream: stream.folder.name }, records);
      this.#metrics.count('aorta_stream_bytes_total', { stream: stream.folder.name }, bytes);
    }
    this.#flushingBytes = 0;
    this.#metrics.observe('aorta_stream_flush_seconds', {}, (performance.now() - begun) / 1000);
    this.#onStep('append:durable');
  }

  #measure(set: SetGauge): void {
    set('aorta_stream_pending_bytes', {}, this.pendingBytes());
    for (const [stream, { folder, begun }] of this.#streams) {
      if (folder.end > 0) set('aorta_stream_end', { stream }, folder.end);
      const bytes = begun?.writer.segmentSize;
      if (bytes !== undefined) set('aorta_stream_segment_bytes', { stream }, bytes);
    }
  }

  async #closeOnce(): Promise<void> {
    this.#unwatch();
    await this.#lastWork;
    if (this.#pendingBytes > 0 && this.#failure === undefined) {
      // Their positions are not committed either: they are taken again.
      this.#logger.info('records that were not flushed are dropped', { bytes: this.#pendingBytes });
    }
    for (const { folder, begun } of this.#streams.values()) {
      await folder.positions.settle();
      await begun?.writer.close();
    }
    await this.#files.close();
    this.#reader.forget();
    await this.#lock?.release();
  }

  /** Runs `work` after everything that was asked for before it. */
  #serially(work: () => Promise<void>): Promise<void> {
    const done = this.#lastWork.then(work);
    this.#lastWork = done.catch(() => {});
    return done;
  }

  #stream(name: StreamName): OpenStream {
    const stream = this.#streams.get(name);
    if (stream === undefined) throw bug('there is no such stream');
    return stream;
  }

  #partition({ stream, partition }: StreamPartition): OpenStream {
    if (partition !== 0) throw bug('there is no such partition');
    return this.#stream(stream);
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw bug('the log was used after it was closed');
  }

  #checkWritable(): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#checkOpen();
    if (this.#lock === undefined) throw bug('a read-only log was written to');
  }
}

/** Runs `work` on all items at once and waits for all of them, also where one has failed: nothing goes on behind the caller's back. */
async function all<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(items.map(work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function checkPosition(position: number, end: number, verb: string): void {
  if (Number.isInteger(position) && position >= 0 && position <= end) return;
  throw bug(`${verb} at position ${position}, and the stream ends at ${end}`);
}

function bug(problem: string): AortaError {
  return new AortaError('AORTA-BUG', { place: 'streams', problem });
}

/** Whether the folder says its format. Rejects with AORTA-DATA-NEWER for one that this version does not know. */
async function checkFormat(folder: string): Promise<boolean> {
  const path = join(folder, 'format.json');
  const content = await readJson(path);
  if (content === undefined) return false;
  const known = formatFile.safeParse(content);
  if (!known.success) throw unreadable(path, { code: 'not a format' });
  const found = known.data.format;
  if (found > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found, known: FORMAT });
  return true;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw unreadable(path, error);
  }
}
