import { AortaError, type FileOperations, type Metrics, type StepObserver } from '@aorta/runtime';
import { codecOf, type StreamName } from '@aorta/schemas';
import { DurableSignal, streamsBug } from '../stream-log.ts';
import { type Block, BlockBuilder, type SpareBuffers } from './block-builder.ts';
import type { DurableEnd, DurableEnds } from './durable-ends.ts';
import type { LocalMetrics } from './metrics.ts';
import { SegmentWriter } from './segment-writer.ts';
import { makeStreamFolder, type StreamFolder } from './stream-folder.ts';

export interface WriterSettings {
  /** Size in bytes at which a new segment is started. */
  readonly segmentBytes: number;
  readonly spare: SpareBuffers;
  readonly operations: FileOperations;
}

interface StreamWriter {
  readonly builder: BlockBuilder<never>;
  readonly writer: SegmentWriter;
}

/** A stream of an open log: its folder and, after the first append, its writer. */
export class OpenStream {
  readonly folder: StreamFolder;
  /** Undefined until the first record is appended. */
  begun: StreamWriter | undefined;
  readonly #settings: WriterSettings;

  constructor(folder: StreamFolder, settings: WriterSettings) {
    this.folder = folder;
    this.#settings = settings;
  }

  /** Created when the first record is appended, because creating an encoder takes milliseconds and most streams get no record in a run. */
  get writing(): StreamWriter {
    this.begun ??= writerOf(this.folder, this.#settings);
    return this.begun;
  }
}

function writerOf(
  { name, path, end, ...ofStream }: StreamFolder,
  { segmentBytes, spare, operations }: WriterSettings,
): StreamWriter {
  const codec = codecOf(name);
  const place = { stream: name, folder: path, schema: codec.schema, segmentBytes, operations };
  return {
    builder: new BlockBuilder(codec, spare) as unknown as BlockBuilder<never>,
    writer: new SegmentWriter(place, ofStream, end),
  };
}

export interface FlushQueueOptions {
  readonly streams: ReadonlyMap<unknown, OpenStream>;
  readonly ends: Pick<DurableEnds, 'record'>;
  readonly spare: SpareBuffers;
  readonly metrics: Metrics<LocalMetrics>;
  readonly onStep: StepObserver;
}

interface Flushed {
  readonly stream: OpenStream;
  readonly blocks: Block[];
}

/** Flushes the buffered records of all streams together, one flush at a time. After a failed flush, no further flush starts. */
export class FlushQueue {
  readonly #options: FlushQueueOptions;
  readonly #durable = new DurableSignal();
  #pendingBytes = 0;
  #flushingBytes = 0;
  /** The most recently queued work. This promise never rejects. */
  #lastWork: Promise<void> = Promise.resolve();
  #failure: AortaError | undefined;

  constructor(options: FlushQueueOptions) {
    this.#options = options;
  }

  /** The error of the failed flush, if a flush has failed. After that, nothing can be written. */
  get failure(): AortaError | undefined {
    return this.#failure;
  }

  /** Size of the encoded records that are still waiting for a flush, in bytes. */
  get bufferedBytes(): number {
    return this.#pendingBytes;
  }

  /** Size of the encoded records that are not durable yet, in bytes. */
  get pendingBytes(): number {
    return this.#pendingBytes + this.#flushingBytes;
  }

  /** Adds to the count of encoded bytes that wait for the next flush. */
  buffered(bytes: number): void {
    this.#pendingBytes += bytes;
  }

  /** Calls the listener after every flush that wrote something. Returns a function that unsubscribes it. */
  onDurable(listener: () => void): () => void {
    return this.#durable.on(listener);
  }

  /** Waits for earlier flushes, then makes all buffered records durable. Rejects if this or an earlier flush fails. */
  flush(): Promise<void> {
    return this.serially(() => this.#flushOnce());
  }

  /** Runs `work` after all work that was queued before it. */
  serially(work: () => Promise<void>): Promise<void> {
    const done = this.#lastWork.then(work);
    this.#lastWork = done.catch(() => {});
    return done;
  }

  /** Waits for all queued work. Never rejects. */
  settled(): Promise<void> {
    return this.#lastWork;
  }

  async #flushOnce(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const flushed = this.#takeBuffered();
    if (flushed.length === 0) return;
    const { metrics, onStep } = this.#options;
    this.#flushingBytes = this.#pendingBytes;
    this.#pendingBytes = 0;
    const begun = performance.now();
    await this.#write(flushed);
    for (const one of flushed) this.#publish(one);
    this.#flushingBytes = 0;
    metrics.observe('aorta_stream_flush_seconds', {}, (performance.now() - begun) / 1000);
    this.#durable.announce();
    onStep('append:durable');
  }

  #takeBuffered(): readonly Flushed[] {
    const flushed: Flushed[] = [];
    for (const stream of this.#options.streams.values()) {
      const { builder } = stream.begun ?? {};
      if (builder !== undefined && builder.bytes > 0) flushed.push({ stream, blocks: builder.take() });
    }
    return flushed;
  }

  async #write(flushed: readonly Flushed[]): Promise<void> {
    try {
      const begun = flushed.filter(({ stream }) => !stream.folder.made);
      await all(begun, ({ stream }) => makeStreamFolder(stream.folder));
      // If no end were recorded, an incomplete block left by a crash would count as a loss.
      await this.#options.ends.record(begun.map(({ stream }) => endAfter({ stream, blocks: [] })));
      await all(flushed, ({ stream, blocks }) => stream.writing.writer.write(blocks));
      this.#options.onStep('append:written');
      await all(flushed, ({ stream }) => stream.writing.writer.sync());
    } catch (error) {
      const failure = this.#fail(error);
      await all(flushed, ({ stream }) => stream.writing.writer.undo());
      throw failure;
    }
    try {
      this.#options.onStep('append:synced');
      await this.#options.ends.record(flushed.map(endAfter));
    } catch (error) {
      // The ends may be on the disk already, so the blocks must stay.
      throw this.#fail(error);
    }
  }

  /** Keeps the error of a failed flush. An error thrown by a step observer is not a disk failure, but it ends the log too. */
  #fail(error: unknown): AortaError {
    this.#failure = error instanceof AortaError ? error : streamsBug('a step observer threw');
    return this.#failure;
  }

  #publish({ stream: { folder, writing }, blocks }: Flushed): void {
    const { spare, metrics } = this.#options;
    writing.writer.publish();
    let records = 0;
    let bytes = 0;
    for (const { buffer, start, end, count } of blocks) {
      records += count;
      bytes += end - start;
      spare.giveBack(buffer);
    }
    folder.end += records;
    metrics.count('aorta_stream_records_total', { stream: folder.name }, records);
    metrics.count('aorta_stream_bytes_total', { stream: folder.name }, bytes);
  }
}

/** Returns the end of a stream after a flush. */
function endAfter({ stream: { folder }, blocks }: Flushed): readonly [StreamName, DurableEnd] {
  const { name, incarnation, end, losses } = folder;
  return [name, { incarnation, end: blocks.reduce((sum, { count }) => sum + count, end), losses }];
}

/** Runs `work` on all items concurrently. Waits for every item even if one fails, so that no work is still running after the call. */
async function all<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(items.map(work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
