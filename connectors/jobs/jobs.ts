import { type StreamName, type StreamRecords, streamNames } from '@aorta/schemas';
import type { ReadableLog } from '@aorta/streams';
import {
  AortaError,
  errorFields,
  isAortaError,
  type Lane,
  LONG_STEP_MS,
  type Logger,
  type Metrics,
  Progress,
  type ProgressReports,
  type SetGauge,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/telemetry';
import type { Warehouse } from '@aorta/warehouse';

export interface JobsOptions {
  readonly log: ReadableLog;
  readonly warehouse: Warehouse;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Hears how far each stream is carried, and what is waited for. */
  readonly progress?: ProgressReports;
  readonly onStep?: StepObserver;
  /** Records and encoded bytes of one landed batch at most. */
  readonly batch?: { readonly records: number; readonly bytes: number };
  /** Encoded records that the jobs may be behind before {@link Jobs.ready} makes a consumer wait. */
  readonly backlog?: number;
}

/** The connector jobs: they carry what the streams hold into the tables. */
export interface Jobs {
  /** Tells the jobs that the streams have grown. */
  wake(): void;
  /** Resolves when the jobs are no more than the configured backlog behind: for back-pressure on a consumer. Rejects when they have failed. */
  ready(): Promise<void>;
  /** Lands and merges everything that is durable in the streams now, then publishes. Rejects when a job has failed, and with {@link Stopped} when the jobs were stopped before. */
  finish(): Promise<void>;
  /** Ends after the step under way; landed batches that are not merged stay landed. */
  stop(): Promise<void>;
}

/** The jobs were stopped before everything was landed; what is missing waits for the next run. */
export class Stopped extends Error {
  constructor() {
    super('the jobs were stopped before they had caught up');
    this.name = 'Stopped';
  }
}

/** Group that the jobs commit as: one, since every stream is landed by one job. */
export const GROUP = 'warehouse';

const defaultBatch = { records: 20_000, bytes: 8 * 1024 * 1024 };
export const defaultBacklog = 40_000;

/** Pause after which an idle job looks whether old dates or a publication have come due. */
const IDLE_MS = 1_000;

/**
 * Jobs that find work when they begin publish nothing before they had a pause, or for so long: a copy of what was there
 * before helps nobody, and holds up what everybody waits for.
 */
const FIRST_COPY_MS = 30_000;

/** The part of the program that the jobs are, as their waits name it. */
const PART = 'jobs';

class StreamJobs implements Jobs {
  readonly #options: JobsOptions;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #progress: ProgressReports;
  readonly #unwatch: () => void;
  readonly #step: StepObserver;
  readonly #positions = new Map<StreamName, number>();
  readonly #lanes = new Map<StreamName, Lane>();
  readonly #loop: Promise<void>;
  #stopping = false;
  #ended = false;
  #failure: { error: unknown } | undefined;
  /** Woken during a round: what grew then may have come after the job looked. */
  #woken = false;
  readonly #begun = performance.now();
  /** Has had nothing to do for a whole pause. */
  #rested = false;
  #wake: () => void = () => {};
  /** Streams that cannot be read to their end, and why: the others go on. */
  readonly #broken = new Map<StreamName, AortaError>();
  readonly #examined = new Set<StreamName>();
  /** Those who wait for the next round to end, to look again. */
  #waiting: (() => void)[] = [];

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#step = options.onStep ?? unobserved;
    this.#metrics = options.metrics ?? silentMetrics;
    this.#progress = options.progress ?? new Progress();
    this.#unwatch = this.#metrics.watch((set) => this.#measure(set));
    this.#loop = this.#run();
  }

  wake(): void {
    this.#woken = true;
    // Also while a step takes long: what waits behind it is to be seen.
    for (const [stream, lane] of this.#lanes) lane.report({ end: this.#options.log.end(stream) });
    this.#wake();
  }

  async ready(): Promise<void> {
    const most = this.#options.backlog ?? defaultBacklog;
    while (this.#behind() > most && !this.#ended) await this.#nextRound();
    this.#throwFailure();
  }

  async finish(): Promise<void> {
    this.#throwFailure();
    const target = new Map(this.#streams().map((stream) => [stream, this.#options.log.end(stream)]));
    const left = ([stream, end]: readonly [StreamName, number]): boolean =>
      !this.#broken.has(stream) && (this.#position(stream) < end || !this.#examined.has(stream));
    this.wake();
    while ([...target].some(left)) {
      if (this.#ended) throw new Stopped();
      await this.#nextRound();
    }
    await this.#merge('all');
    await this.#publish('now');
    // What is whole is in the tables; what is not has to be said.
    for (const error of this.#broken.values()) throw error;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#loop;
    this.#throwFailure();
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopping) {
        this.#woken = false;
        const landed = await this.#round();
        for (const resolve of this.#waiting.splice(0)) resolve();
        if (landed === 0 && !this.#stopping && !this.#woken) await this.#idle();
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#ended = true;
    this.#unwatch();
    for (const lane of this.#lanes.values()) lane.end();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** One batch of every stream that has something new, then what merges are due. Returns how many records were landed. */
  async #round(): Promise<number> {
    let records = 0;
    for (const stream of this.#streams()) {
      if (this.#stopping) return records;
      records += await this.#landOne(stream).catch((error: unknown): number => {
        if (!isAortaError(error) || !(error.code === 'AORTA-SEGMENT-CORRUPT' || error.code === 'AORTA-STREAM-SHORTER'))
          throw error;
        this.#broken.set(stream, error);
        this.#laneOf(stream).report({ state: 'damaged' });
        this.#logger.error('stream cannot be read', { stream, ...errorFields(error) });
        return 0;
      });
    }
    await this.#merge('due');
    if (this.#rested || performance.now() - this.#begun > FIRST_COPY_MS) await this.#publish('due');
    return records;
  }

  async #landOne(stream: StreamName): Promise<number> {
    const { log, warehouse, batch } = this.#options;
    if (this.#broken.has(stream)) return 0;
    const from = this.#position(stream);
    if (from >= log.end(stream)) return this.#examine(stream, from);
    const lane = this.#laneOf(stream);
    lane.report({ position: from, end: log.end(stream), state: 'landing' });
    const read = await this.#progress.during(PART, 'reading a stream', log.read(stream, from, batch ?? defaultBatch));
    lane.report({ receivedAt: receivedAt(read.records[0]) });
    const begun = performance.now();
    const landed = warehouse.land({
      stream,
      incarnation: log.incarnation(stream),
      from: read.from,
      to: read.to,
      records: read.records,
    });
    await this.#progress.during(PART, 'landing a batch', landed);
    this.#metrics.observe('aorta_job_land_seconds', { stream }, (performance.now() - begun) / 1000);
    this.#metrics.count('aorta_job_batches_total', { stream });
    this.#metrics.count('aorta_job_records_total', { stream }, read.to - read.from);
    this.#positions.set(stream, read.to);
    lane.report({ position: read.to, end: log.end(stream), receivedAt: receivedAt(read.records.at(-1)) });
    await this.#progress.during(PART, 'committing in the streams', log.commit(GROUP, stream, read.to));
    this.#step('group:committed');
    this.#logger.debug('landed', { stream, from: read.from, to: read.to });
    return read.to - read.from;
  }

  async #merge(extent: 'due' | 'all'): Promise<void> {
    const merged = this.#options.warehouse.merge(extent);
    const { targets } = await this.#progress.during(PART, 'merging', merged, { deadlineMs: LONG_STEP_MS });
    for (const { table, range, rows, milliseconds } of targets) {
      this.#metrics.observe('aorta_merge_seconds', { table, range }, milliseconds / 1000);
      this.#metrics.count('aorta_merge_rows_total', { table, range }, rows);
    }
  }

  async #publish(pace: 'due' | 'now'): Promise<void> {
    const begun = performance.now();
    const published = this.#options.warehouse.publish(pace);
    if (await this.#progress.during(PART, 'publishing', published, { deadlineMs: LONG_STEP_MS }))
      this.#metrics.observe('aorta_publish_seconds', {}, (performance.now() - begun) / 1000);
  }

  #laneOf(stream: StreamName): Lane {
    let lane = this.#lanes.get(stream);
    if (lane === undefined) {
      lane = this.#progress.lane({ kind: 'stream', reader: GROUP, of: stream }, { part: PART });
      lane.report({ position: this.#position(stream), end: this.#options.log.end(stream), state: 'landing' });
      this.#lanes.set(stream, lane);
    }
    return lane;
  }

  #measure(set: SetGauge): void {
    const { batches, records } = this.#options.warehouse.backlog();
    set('aorta_warehouse_backlog_batches', {}, batches);
    set('aorta_warehouse_backlog_records', {}, records);
  }

  /** Looks once at the end of a stream that has nothing new: it may end where it does because a segment is damaged or gone. */
  async #examine(stream: StreamName, position: number): Promise<0> {
    if (this.#examined.has(stream)) return 0;
    this.#laneOf(stream);
    const { log } = this.#options;
    const end = log.end(stream);
    await log.read(stream, end, { records: 1, bytes: 1 });
    if (position > end) throw new AortaError('AORTA-STREAM-SHORTER', { stream, end, position });
    this.#examined.add(stream);
    return 0;
  }

  /** Where a stream's landing stands: the warehouse knows, since it keeps the position with the rows. */
  #position(stream: StreamName): number {
    let position = this.#positions.get(stream);
    if (position === undefined) {
      const landed = this.#options.warehouse.landed(stream);
      position = landed?.incarnation === this.#options.log.incarnation(stream) ? landed.position : 0;
      this.#positions.set(stream, position);
    }
    return position;
  }

  #behind(): number {
    return this.#streams().reduce(
      (sum, stream) => sum + (this.#broken.has(stream) ? 0 : this.#options.log.end(stream) - this.#position(stream)),
      0,
    );
  }

  /** Streams with records, and those that had some: of a stream that has lost all of them nothing else would be said. */
  #streams(): StreamName[] {
    const present = new Set(this.#options.log.streams());
    return streamNames.filter((stream) => present.has(stream) || this.#position(stream) > 0);
  }

  async #nextRound(): Promise<void> {
    this.#throwFailure();
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.wake();
    });
    this.#throwFailure();
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#rested = true;
        resolve();
      }, IDLE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** When the delivery of a record was received, in milliseconds since 1970. */
function receivedAt(record: StreamRecords[StreamName] | undefined): number | undefined {
  return record === undefined ? undefined : record.receipt.received_at / 1000;
}

/** Starts the jobs of every stream. They land and merge in this process until stopped. */
export function startJobs(options: JobsOptions): Jobs {
  return new StreamJobs(options);
}
