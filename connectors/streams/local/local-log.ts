import {
  errorFields,
  type FileOperations,
  type FolderLock,
  type Logger,
  type Metrics,
  type SetGauge,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/runtime';
import { type StreamName, type StreamRecords, streamNames } from '@aorta/schemas';
import { partitionOf, type ReadBatch, type ReadLimit, type StreamLog, type StreamPartition } from '../../stream-log.ts';
import { streamsBug } from '../bug.ts';
import { SegmentError } from './errors.ts';
import { Flushing } from './flushing.ts';
import { type StreamView, viewOf } from './followed-log.ts';
import { SpareBuffers } from './gathering.ts';
import { checkGroupName } from './group-positions.ts';
import type { LocalMetrics } from './metrics.ts';
import { OpenStream, type WritingSettings } from './open-stream.ts';
import type { RecoveredTail } from './recovery.ts';
import { SegmentFiles } from './segment-files.ts';
import { SegmentReader } from './segment-reader.ts';
import { makeStreamFolder, openStreamFolder, type StreamFolder } from './stream-folder.ts';

export interface LocalLogOptions {
  /** Folder of the log; made, owner only, where there is none. */
  readonly folder: string;
  /** Hears of torn tails that were cut and of records dropped at the end. Nothing by default. */
  readonly logger?: Logger;
  readonly metrics?: Metrics<LocalMetrics>;
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
export interface LocalLog extends StreamLog, AsyncDisposable {
  /** What was cut off when the log was opened: the unfinished end of a segment that a crash left. */
  readonly recovered: readonly RecoveredTail[];
  /** What has become visible in the streams beyond these ends: for a reader in another thread. Streams that have not grown are left out. */
  views(beyond: ReadonlyMap<StreamName, number>): readonly StreamView[];
  /** Where the log is read only: looks again at what the writing process has appended and committed meanwhile. Otherwise nothing. */
  refresh(): Promise<void>;
}

const DEFAULT_SEGMENT_BYTES = 128 * 1024 * 1024;
const DEFAULT_BLOCK_BYTES = 1024 * 1024;

/** Every stream, as its one partition. */
const allStreams = streamNames.map((stream) => partitionOf(stream));

/** The log once its lock is held: checks each use, and hands it to the part that does it. */
export class SegmentLog implements LocalLog {
  readonly recovered: RecoveredTail[] = [];
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #unwatch: () => void;
  readonly #lock: FolderLock | undefined;
  readonly #writing: WritingSettings;
  readonly #flushing: Flushing;
  readonly #files = new SegmentFiles();
  readonly #reader = new SegmentReader(this.#files);
  readonly #streams = new Map<StreamName, OpenStream>();
  #closed: Promise<void> | undefined;

  constructor(options: LocalLogOptions, operations: FileOperations, lock: FolderLock | undefined) {
    this.#folder = options.folder;
    this.#logger = options.logger ?? silentLogger;
    this.#lock = lock;
    const metrics = options.metrics ?? silentMetrics;
    const spare = new SpareBuffers(options.blockBytes ?? DEFAULT_BLOCK_BYTES);
    this.#writing = { segmentBytes: options.segmentBytes ?? DEFAULT_SEGMENT_BYTES, spare, operations };
    this.#flushing = new Flushing({ streams: this.#streams, spare, metrics, onStep: options.onStep ?? unobserved });
    this.#unwatch = metrics.watch((set) => this.#measure(set));
  }

  /** Looks at every stream's folder. */
  async load(): Promise<void> {
    const recovered = (tail: RecoveredTail): void => {
      this.recovered.push(tail);
      const { file, bytes, record } = tail;
      this.#logger.warn('a torn tail was cut', errorFields(new SegmentError('AORTA-SEGMENT-TORN', { file, bytes, record })));
    };
    const access =
      this.#lock === undefined
        ? ({ writable: false } as const)
        : ({ writable: true, operations: this.#writing.operations, recovered } as const);
    const folders = await Promise.all(streamNames.map((name) => openStreamFolder(this.#folder, name, access)));
    for (const folder of folders) this.#streams.set(folder.name, new OpenStream(folder, this.#writing));
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
    const open = this.#stream(stream);
    if (open.folder.damage !== undefined) throw new SegmentError('AORTA-SEGMENT-CORRUPT', open.folder.damage);
    this.#flushing.gathered(open.writing.gathering.add(record as never));
  }

  pendingBytes(): number {
    return this.#flushing.pendingBytes;
  }

  async flush(): Promise<void> {
    this.#checkWritable();
    await this.#flushing.flush();
  }

  onDurable(listener: () => void): () => void {
    return this.#flushing.onDurable(listener);
  }

  end(of: StreamPartition): number {
    return this.#partition(of).folder.end;
  }

  async read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>> {
    this.#checkOpen();
    const { folder } = this.#partition(of);
    checkPosition(from, folder.end, 'read');
    if (folder.damage !== undefined && from >= folder.damage.record)
      throw new SegmentError('AORTA-SEGMENT-CORRUPT', folder.damage);
    return this.#reader.read(folder as StreamFolder & { name: S }, from, limit);
  }

  committed(group: string, of: StreamPartition): number | undefined {
    checkGroupName(group);
    return this.#partition(of).folder.positions.of(group);
  }

  async commit(group: string, of: StreamPartition, position: number): Promise<void> {
    this.#checkOpen();
    if (this.#lock === undefined) throw streamsBug('a read-only log was committed to');
    const { folder } = this.#partition(of);
    checkGroupName(group);
    checkPosition(position, folder.end, 'commit');
    // One maker of a folder at a time, whether flush or commit.
    if (!folder.made) await this.#flushing.serially(() => makeStreamFolder(folder));
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
    await this.#flushing.settled();
    const { gatheredBytes, failure } = this.#flushing;
    if (gatheredBytes > 0 && failure === undefined) {
      // Their positions are not committed either: they are taken again.
      this.#logger.info('records that were not flushed are dropped', { bytes: gatheredBytes });
    }
    for (const { folder, begun } of this.#streams.values()) {
      await folder.positions.settle();
      await begun?.writer.close();
    }
    await this.#files.close();
    this.#reader.forget();
    await this.#lock?.release();
  }

  #stream(name: StreamName): OpenStream {
    const stream = this.#streams.get(name);
    if (stream === undefined) throw streamsBug('there is no such stream');
    return stream;
  }

  #partition({ stream, partition }: StreamPartition): OpenStream {
    if (partition !== 0) throw streamsBug('there is no such partition');
    return this.#stream(stream);
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw streamsBug('the log was used after it was closed');
  }

  #checkWritable(): void {
    const { failure } = this.#flushing;
    if (failure !== undefined) throw failure;
    this.#checkOpen();
    if (this.#lock === undefined) throw streamsBug('a read-only log was written to');
  }
}

function checkPosition(position: number, end: number, verb: string): void {
  if (Number.isInteger(position) && position >= 0 && position <= end) return;
  throw streamsBug(`${verb} at position ${position}, and the stream ends at ${end}`);
}
