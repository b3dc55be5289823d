import { randomUUID } from 'node:crypto';
import {
  type AortaError,
  errorFields,
  type FileOperations,
  type FolderLock,
  type Logger,
  type Metrics,
  OpenDamage,
  Progress,
  type ProgressReports,
  type SetGauge,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/runtime';
import { type StreamName, type StreamRecords, streamNames } from '@aorta/schemas';
import {
  type FollowableLog,
  partitionOf,
  type ReadBatch,
  type ReadLimit,
  type StreamLog,
  type StreamPartition,
  streamsBug,
} from '../stream-log.ts';
import { SpareBuffers } from './block-builder.ts';
import { isKept, type LossReports, lossError, readReplacing, replaceSegmentAt, reportLosses } from './damaged-segment.ts';
import { DurableEnds, ENDS_FILE } from './durable-ends.ts';
import { SegmentError } from './errors.ts';
import { FlushQueue, OpenStream, type WriterSettings } from './flush-queue.ts';
import { type StreamView, viewOf } from './followed-log.ts';
import { checkGroupName } from './group-positions.ts';
import type { LocalMetrics } from './metrics.ts';
import type { RecoveredTail } from './recovery.ts';
import { SegmentFiles } from './segment-file.ts';
import { SegmentReader } from './segment-reader.ts';
import { makeStreamFolder, openStreamFolder, recordEnds, type StreamFolder } from './stream-folder.ts';

export interface LocalLogOptions {
  /** Folder of the log. If it does not exist, it is created with access for its owner only. */
  readonly folder: string;
  /** Receives messages about torn tails that were cut, and about records that `close` dropped. By default, nothing is logged. */
  readonly logger?: Logger;
  readonly metrics?: Metrics<LocalMetrics>;
  /** Receives a wait while a loss of records is open; see {@link LocalLog.losses}. */
  readonly progress?: Pick<ProgressReports, 'wait'>;
  /** Called with `append:written`, `append:synced` and `append:durable` for every flush that writes something. */
  readonly onStep?: StepObserver;
  /** Size in bytes at which a new segment is started. Default 128 MiB. */
  readonly segmentBytes?: number;
  /** Maximum size of the encoded records in one block, in bytes. A larger record gets its own block. Default 1 MiB. */
  readonly blockBytes?: number;
  /**
   * Opens the log without a lock and never writes, so another process may write at the same time. The log shows the state at the
   * time of opening until {@link LocalLog.refresh} is called.
   */
  readonly readOnly?: boolean;
}

/** A stream log in a folder on this machine, written by one process at a time. FORMAT.md describes the format. */
export interface LocalLog extends StreamLog, Pick<FollowableLog, 'replaceDamaged' | 'renew'>, AsyncDisposable {
  /** Returns an error for each loss whose damaged file has not been deleted. */
  losses(): readonly AortaError[];
  /** The torn tails that were cut when the log was opened. A torn tail is the incomplete end of a segment after a crash. */
  readonly recovered: readonly RecoveredTail[];
  /** Returns the views of the streams that have grown beyond the given ends, for a reader in another thread. */
  views(beyond: ReadonlyMap<StreamName, number>): readonly StreamView[];
  /** Loads the records and commits that the writing process has added since the last refresh. Does nothing unless the log is read-only. */
  refresh(): Promise<void>;
}

const DEFAULT_SEGMENT_BYTES = 128 * 1024 * 1024;
const DEFAULT_BLOCK_BYTES = 1024 * 1024;

/** Every stream has exactly one partition. */
const allStreams = streamNames.map((stream) => partitionOf(stream));

/** An open log. Checks each call and delegates it to the part that handles it. */
export class SegmentLog implements LocalLog {
  readonly recovered: RecoveredTail[] = [];
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #unwatch: () => void;
  readonly #lock: FolderLock | undefined;
  readonly #writing: WriterSettings;
  readonly #queue: FlushQueue;
  readonly #files = new SegmentFiles();
  readonly #reader = new SegmentReader(this.#files);
  readonly #streams = new Map<StreamName, OpenStream>();
  readonly #lossReports: LossReports;
  readonly #repaired = (error: AortaError): void => this.#logger.warn('a file of the streams was repaired', errorFields(error));
  #ends: DurableEnds | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: LocalLogOptions, operations: FileOperations, lock: FolderLock | undefined) {
    const { folder, logger = silentLogger, progress = new Progress() } = options;
    this.#folder = folder;
    this.#logger = logger;
    this.#lossReports = { open: new OpenDamage(), folder, logger, progress };
    this.#lock = lock;
    const metrics = options.metrics ?? silentMetrics;
    const spare = new SpareBuffers(options.blockBytes ?? DEFAULT_BLOCK_BYTES);
    this.#writing = { segmentBytes: options.segmentBytes ?? DEFAULT_SEGMENT_BYTES, spare, operations };
    const ends = { record: async (news: Parameters<DurableEnds['record']>[0]) => this.#ends?.record(news) };
    this.#queue = new FlushQueue({ streams: this.#streams, ends, spare, metrics, onStep: options.onStep ?? unobserved });
    this.#unwatch = metrics.watch((set) => this.#measure(set));
  }

  async load(): Promise<void> {
    const recovered = (tail: RecoveredTail): void => {
      this.recovered.push(tail);
      const { file, bytes, record } = tail;
      this.#logger.warn('a torn tail was cut', errorFields(new SegmentError('AORTA-SEGMENT-TORN', { file, bytes, record })));
    };
    // The ends are read before the segments, so if another process appends meanwhile, the segments reach at least to them.
    const ends = await (this.#lock === undefined ? DurableEnds.look(this.#folder) : DurableEnds.open(this.#folder));
    this.#ends = ends;
    const { operations } = this.#writing;
    const access =
      this.#lock === undefined
        ? ({ writable: false } as const)
        : { writable: true as const, operations, recovered, repaired: this.#repaired };
    const open = (name: StreamName) => openStreamFolder(this.#folder, name, ends.of(name), access);
    const folders = await Promise.all(streamNames.map(open));
    for (const folder of folders) this.#streams.set(folder.name, new OpenStream(folder, this.#writing));
    if (this.#lock === undefined) return;
    const isUnknown = folders.some(({ end, isEndKnown }) => end > 0 && !isEndKnown);
    if (isUnknown) this.#repaired(new SegmentError('AORTA-ENDS-UNKNOWN', { file: ENDS_FILE }));
    await recordEnds(folders, ends);
    for (const { losses } of folders) reportLosses(losses, this.#lossReports);
  }

  async refresh(): Promise<void> {
    this.#checkOpen();
    if (this.#lock !== undefined) return;
    // The writing process may have replaced files. A file that is still being read is closed when that read ends.
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
      .map(({ folder }) => viewOf(folder, beyond.get(folder.name)));
  }

  incarnation(of: StreamPartition): string {
    return this.#partition(of).folder.incarnation;
  }

  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void {
    this.#checkWritable();
    const open = this.#stream(stream);
    this.#queue.buffered(open.writing.builder.add(record as never));
  }

  pendingBytes(): number {
    return this.#queue.pendingBytes;
  }

  async flush(): Promise<void> {
    this.#checkWritable();
    await this.#queue.flush();
  }

  onDurable(listener: () => void): () => void {
    return this.#queue.onDurable(listener);
  }

  end(of: StreamPartition): number {
    return this.#partition(of).folder.end;
  }

  async read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>> {
    this.#checkOpen();
    const { folder } = this.#partition(of);
    checkPosition(from, folder.end, 'read');
    const read = () => this.#reader.read(folder as StreamFolder & { name: S }, from, limit);
    return this.#lock === undefined ? read() : readReplacing(read, (position) => this.replaceDamaged(of, position));
  }

  replaceDamaged(of: StreamPartition, position: number): Promise<void> {
    return this.#queue.serially(async () => {
      const { folder, begun } = this.#partition(of);
      if (!(await replaceSegmentAt(folder, position, { repaired: this.#repaired }, folder.end))) return;
      await begun?.writer.close();
      await this.#files.close();
      if (this.#ends !== undefined) await recordEnds([folder], this.#ends);
      reportLosses(folder.losses, this.#lossReports);
    });
  }

  renew(of: StreamPartition): Promise<void> {
    return this.#queue.serially(async () => {
      const { folder } = this.#partition(of);
      folder.incarnation = randomUUID();
      folder.made = false;
      await makeStreamFolder(folder);
      if (this.#ends !== undefined) await recordEnds([folder], this.#ends);
    });
  }

  losses(): readonly AortaError[] {
    const all = [...this.#streams.values()].flatMap(({ folder }) => folder.losses);
    return all.filter((loss) => isKept(this.#folder, loss)).map(lossError);
  }

  committed(group: string, of: StreamPartition): number | undefined {
    checkGroupName(group);
    return this.#partition(of).folder.positions.of(group);
  }

  async commit(group: string, of: StreamPartition, position: number): Promise<void> {
    this.#checkOpen();
    if (this.#lock === undefined) throw streamsBug('commit to a read-only log');
    const { folder } = this.#partition(of);
    checkGroupName(group);
    checkPosition(position, folder.end, 'commit');
    // Runs in the flush queue, so that a flush and a commit never create the folder at the same time.
    if (!folder.made) await this.#queue.serially(() => makeStreamFolder(folder));
    await folder.positions.commit(group, position, folder.incarnation);
  }

  groups(of: StreamPartition): readonly string[] {
    return this.#partition(of).folder.positions.names();
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  #measure(set: SetGauge<LocalMetrics>): void {
    set('aorta_stream_pending_bytes', {}, this.pendingBytes());
    for (const [stream, { folder, begun }] of this.#streams) {
      if (folder.end > 0) set('aorta_stream_end', { stream }, folder.end);
      const bytes = begun?.writer.segmentSize;
      if (bytes !== undefined) set('aorta_stream_segment_bytes', { stream }, bytes);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #closeOnce(): Promise<void> {
    this.#unwatch();
    await this.#queue.settled();
    const { bufferedBytes, failure } = this.#queue;
    if (bufferedBytes > 0 && failure === undefined) {
      // The source offsets of these records are not committed either, so the source delivers them again.
      this.#logger.info('unflushed records were dropped', { bytes: bufferedBytes });
    }
    for (const { folder, begun } of this.#streams.values()) {
      await folder.positions.settle();
      await begun?.writer.close();
    }
    await this.#files.close();
    this.#reader.forget();
    this.#lossReports.open.close();
    await this.#ends?.close();
    await this.#lock?.release();
  }

  #stream(name: StreamName): OpenStream {
    const stream = this.#streams.get(name);
    if (stream === undefined) throw streamsBug('unknown stream');
    return stream;
  }

  #partition({ stream, partition }: StreamPartition): OpenStream {
    if (partition !== 0) throw streamsBug('unknown partition');
    return this.#stream(stream);
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw streamsBug('the log was used after it was closed');
  }

  #checkWritable(): void {
    const { failure } = this.#queue;
    if (failure !== undefined) throw failure;
    this.#checkOpen();
    if (this.#lock === undefined) throw streamsBug('write to a read-only log');
  }
}

function checkPosition(position: number, end: number, verb: string): void {
  if (Number.isInteger(position) && position >= 0 && position <= end) return;
  throw streamsBug(`${verb} at position ${position}, but the stream ends at ${end}`);
}
