import type { StreamName, StreamRecords } from '@aorta/schemas';
import { type ReadableLog, type ReadBatch, type ReadLimit, type StreamPartition, shortPartitionName } from '@aorta/streams';
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
import { type GrowingBatch, gather, type TimedWait, type WaitingMerge, type Warehouse } from '@aorta/warehouse';

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
  /** Resolves with the error when the jobs have failed, and never otherwise. Nobody has to ask for it. */
  readonly failed: Promise<unknown>;
  /** Tells the jobs that the streams have grown. */
  wake(): void;
  /** Resolves when the jobs are no more than the configured backlog behind: for back-pressure on a consumer. Rejects when they have failed. */
  ready(): Promise<void>;
  /** Lands and merges everything that is durable in the streams now, then publishes. Rejects when a job has failed, and with {@link Stopped} when the jobs were stopped before. */
  finish(): Promise<void>;
  /** Ends after the step under way; landed batches that are not merged stay landed. */
  stop(): Promise<void>;
  /** What waits for its time. */
  upcoming(): Upcoming;
}

/** Work that the loader does when its time has come: why nothing happens now, and until when. Times are in milliseconds since 1970. */
export interface Upcoming {
  /** Partitions that gather records until they are landed. */
  readonly landings: readonly {
    readonly stream: StreamName;
    readonly partition: number;
    readonly records: number;
    readonly dueAt: number;
  }[];
  readonly merges: readonly WaitingMerge[];
  /** What the warehouse itself waits for now. */
  readonly waits: readonly TimedWait[];
  /** When the next copy for readers is due; null if there is nothing new, or if readers have no copy. */
  readonly publicationDueAt: number | null;
}

/** The jobs were stopped before everything was landed; what is missing waits for the next run. */
export class Stopped extends Error {
  constructor() {
    super('the jobs were stopped before they had caught up');
    this.name = 'Stopped';
  }
}

/** Group that the jobs commit as: one, since every partition of a stream is landed by one job. */
export const GROUP = 'warehouse';

/** Group by which the brokers share out who merges into which table, where several workers land. */
export const MERGES = 'merges';

/** As which a process that lands takes part in that. */
export const mergerId = (clientId: string): string => `${clientId}-merges`;

const defaultBatch = { records: 20_480, bytes: 8 * 1024 * 1024 };
export const defaultBacklog = 80_000;

/** Records that are read at a time: so few that they are gone before the garbage is collected twice. */
const PORTION = 2_048;

/** Pause after which an idle job looks whether old dates or a publication have come due. */
const IDLE_MS = 1_000;

/**
 * Jobs that find work when they begin publish nothing before they had a pause, or for so long: a copy of what was there
 * before helps nobody, and holds up what everybody waits for.
 */
const FIRST_COPY_MS = 30_000;

/** The part of the program that the jobs are, as their waits name it. */
const PART = 'jobs';

/** What the jobs know of a partition, for as long as they have it. */
interface Carried {
  readonly of: StreamPartition;
  /** Where its landing stands. */
  position: number;
  lane: Lane | undefined;
  /** Why it cannot be read to its end: the others go on. */
  broken: AortaError | undefined;
  /** Its end was looked at. */
  examined: boolean;
  /** When what it gathers is landed, in milliseconds since 1970; undefined if it gathers nothing. */
  landsAt?: number | undefined;
}

class StreamJobs implements Jobs {
  readonly #options: JobsOptions;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #progress: ProgressReports;
  readonly #unwatch: () => void;
  readonly #step: StepObserver;
  /** By the object that stands for the partition: one that was lost and has come back is another one. */
  readonly #carried = new Map<StreamPartition, Carried>();
  readonly #loop: Promise<void>;
  #stopping = false;
  #ended = false;
  #failure: { error: unknown } | undefined;
  readonly #failed = Promise.withResolvers<unknown>();
  /** Woken during a round: what grew then may have come after the job looked. */
  #woken = false;
  readonly #begun = performance.now();
  /** For how long partitions gather records until they are landed, at most, as the last round saw it. */
  #gatheringMs = 0;
  /** Somebody waits for everything to be landed: no partition is spared for later. */
  #hurried = 0;
  /** Somebody waits for everything to be merged and published. */
  #finishing = 0;
  /** The warehouse has nothing to say of an upgrade, or has said it. */
  #upgradeReported = false;
  /** The report under way. */
  #upgradeReport: Promise<boolean> | undefined;
  /** Has had nothing to do for a whole pause. */
  #rested = false;
  #wake: () => void = () => {};
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

  get failed(): Promise<unknown> {
    return this.#failed.promise;
  }

  wake(): void {
    this.#woken = true;
    // Also while a step takes long: what waits behind it is to be seen.
    for (const { of, lane } of this.#carried.values()) lane?.report({ end: this.#options.log.end(of) });
    this.#wake();
  }

  async ready(): Promise<void> {
    const most = this.#options.backlog ?? defaultBacklog;
    if (this.#behind() > most) this.wake();
    this.#hurried++;
    try {
      while (this.#behind() > most && !this.#ended) await this.#nextRound();
    } finally {
      this.#hurried--;
    }
    this.#throwFailure();
  }

  async finish(): Promise<void> {
    this.#throwFailure();
    await this.#options.log.look?.();
    const target = new Map(this.#present().map((carried) => [carried, this.#options.log.end(carried.of)]));
    const left = ([carried, end]: readonly [Carried, number]): boolean =>
      this.#has(carried) && carried.broken === undefined && (carried.position < end || !carried.examined);
    this.#hurried++;
    this.wake();
    try {
      while ([...target].some(left)) {
        if (this.#ended) throw new Stopped();
        await this.#nextRound();
      }
    } finally {
      this.#hurried--;
    }
    this.#finishing++;
    try {
      await this.#merge('all');
      await this.#reportUpgrade();
      await this.#publish('now');
    } finally {
      this.#finishing--;
    }
    // What is whole is in the tables; what is not has to be said.
    for (const { broken } of this.#carried.values()) if (broken !== undefined) throw broken;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#loop;
    this.#throwFailure();
  }

  upcoming(): Upcoming {
    const { log, warehouse } = this.#options;
    const landings = [...this.#carried.values()].flatMap(({ of, position, landsAt }) => {
      const records = log.end(of) - position;
      return landsAt === undefined || records <= 0
        ? []
        : [{ stream: of.stream, partition: of.partition, records, dueAt: landsAt }];
    });
    return {
      landings,
      merges: warehouse.waitingMerges(),
      waits: warehouse.waits?.() ?? [],
      publicationDueAt: warehouse.publicationDue?.() ?? null,
    };
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopping) {
        this.#woken = false;
        this.#gatheringMs = 0;
        const landed = await this.#round();
        if (landed === 0) await this.#reportUpgrade();
        for (const resolve of this.#waiting.splice(0)) resolve();
        if (landed === 0 && !this.#stopping && !this.#woken) await this.#idle();
        else if (landed === 0 && this.#gatheringMs > 0 && this.#hurried === 0 && !this.#stopping) await this.#idle();
      }
    } catch (error) {
      this.#failure = { error };
      this.#failed.resolve(error);
    }
    this.#ended = true;
    this.#unwatch();
    for (const { lane } of this.#carried.values()) lane?.end();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** One batch of every partition that has something new, then what merges are due. Returns how many records were landed. */
  async #round(): Promise<number> {
    let records = 0;
    const present = this.#present().values();
    const landSome = async (): Promise<void> => {
      for (const carried of present) {
        if (this.#stopping) return;
        records += await this.#landOne(carried).catch((error: unknown): number => {
          if (!isAortaError(error) || !brokenFor.has(error.code)) throw error;
          carried.broken = error;
          this.#laneOf(carried).report({ state: 'damaged' });
          const { stream, partition } = carried.of;
          this.#logger.error('stream cannot be read', { stream, partition, ...errorFields(error) });
          return 0;
        });
      }
    };
    // They take from the same list. Where one fails, what the others land is still waited for.
    const atOnce = Array.from({ length: this.#options.warehouse.landsAtOnce ?? 1 }, landSome);
    const failed = (await Promise.allSettled(atOnce)).find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (this.#stopping) return records;
    await this.#merge('due');
    // Whoever waits for everything publishes it afterwards.
    const rested = this.#rested || performance.now() - this.#begun > FIRST_COPY_MS;
    if (rested && this.#finishing === 0) await this.#publish('due');
    return records;
  }

  async #landOne(carried: Carried): Promise<number> {
    const { log, warehouse } = this.#options;
    const { of, position: from } = carried;
    // It may have been lost since the round began.
    if (carried.broken !== undefined || !this.#has(carried)) return 0;
    if (from >= log.end(of)) return this.#examine(carried);
    // A warehouse that pays for each batch lands a partition now and then, unless somebody waits or much has gathered.
    const limit = this.#options.batch ?? defaultBatch;
    const most = Math.min(limit.records, warehouse.landsAtMost?.(of) ?? Number.POSITIVE_INFINITY);
    const rest = warehouse.landingWait?.(of) ?? 0;
    if (rest > 0 && this.#hurried === 0 && log.end(of) - from < most) {
      this.#laneOf(carried).report({ position: from, end: log.end(of), state: 'gathering' });
      this.#gatheringMs = Math.max(this.#gatheringMs, rest);
      carried.landsAt = Date.now() + rest;
      return 0;
    }
    carried.landsAt = undefined;
    const lane = this.#laneOf(carried);
    lane.report({ position: from, end: log.end(of), state: 'landing' });
    const { stream, partition } = of;
    const batch = gather(warehouse, { stream, partition, incarnation: log.incarnation(of), from });
    const gathered = await this.#gather(carried, batch, { records: most, bytes: limit.bytes });
    if (gathered === undefined) return 0;
    const { to, records } = gathered;
    const begun = performance.now();
    await this.#progress.during(PART, 'landing a batch', batch.land(to));
    this.#metrics.observe('aorta_job_land_seconds', { stream }, (performance.now() - begun) / 1000);
    this.#metrics.count('aorta_job_batches_total', { stream });
    this.#metrics.count('aorta_job_records_total', { stream }, records);
    carried.position = to;
    lane.report({ position: to, end: log.end(of), receivedAt: gathered.lastReceivedAt });
    await this.#progress.during(PART, 'committing in the streams', log.commit(GROUP, of, to));
    this.#step('group:committed');
    this.#logger.debug('landed', { stream, partition, from, to });
    return Math.max(1, records);
  }

  /** Reads portions into a batch until it is full or there is no more. Undefined where nothing was read, or the partition was lost meanwhile. */
  async #gather(
    carried: Carried,
    batch: GrowingBatch,
    limit: ReadLimit,
  ): Promise<{ readonly to: number; readonly records: number; readonly lastReceivedAt: number | undefined } | undefined> {
    const { log } = this.#options;
    const { of, position: from } = carried;
    let to = from;
    let records = 0;
    let bytes = 0;
    let lastReceivedAt: number | undefined;
    while (records < limit.records && bytes < limit.bytes && to < log.end(of)) {
      const portion = { records: Math.min(PORTION, limit.records - records), bytes: limit.bytes - bytes };
      let read: ReadBatch<StreamName>;
      try {
        read = await this.#progress.during(PART, 'reading a stream', log.read(of, to, portion));
      } catch (error) {
        // What was read before is landed; the next batch begins with what cannot be read.
        if (to > from) break;
        throw error;
      }
      // What another worker has now is that one's to land.
      if (!this.#has(carried)) return undefined;
      if (read.records.length === 0 && read.to === to) break;
      if (records === 0) this.#laneOf(carried).report({ receivedAt: receivedAt(read.records[0]) });
      batch.add(read.records);
      lastReceivedAt = receivedAt(read.records.at(-1)) ?? lastReceivedAt;
      records += read.records.length;
      bytes += read.bytes;
      to = read.to;
    }
    return to === from ? undefined : { to, records, lastReceivedAt };
  }

  async #merge(extent: 'due' | 'all'): Promise<void> {
    const merged = this.#options.warehouse.merge(extent);
    const { targets } = await this.#progress.during(PART, 'merging', merged, { deadlineMs: LONG_STEP_MS });
    for (const { table, range, rows, milliseconds } of targets) {
      this.#metrics.observe('aorta_merge_seconds', { table, range }, milliseconds / 1000);
      this.#metrics.count('aorta_merge_rows_total', { table, range }, rows);
    }
  }

  /** Once everything is landed: what an upgrade of the warehouse could not put right is said, once. */
  async #reportUpgrade(): Promise<void> {
    const { log, warehouse } = this.#options;
    // A reader that has no partition yet has not caught up.
    if (this.#upgradeReported || log.assigned().length === 0) return;
    if (this.#present().some(({ of, position }) => position < log.end(of))) return;
    this.#upgradeReport ??= (warehouse.reportUpgrade?.() ?? Promise.resolve(true)).finally(() => {
      this.#upgradeReport = undefined;
    });
    this.#upgradeReported = await this.#upgradeReport;
  }

  async #publish(pace: 'due' | 'now'): Promise<void> {
    const begun = performance.now();
    const published = this.#options.warehouse.publish(pace);
    if (await this.#progress.during(PART, 'publishing', published, { deadlineMs: LONG_STEP_MS }))
      this.#metrics.observe('aorta_publish_seconds', {}, (performance.now() - begun) / 1000);
  }

  #laneOf(carried: Carried): Lane {
    if (carried.lane === undefined) {
      const { of, position } = carried;
      carried.lane = this.#progress.lane({ kind: 'stream', reader: GROUP, of: shortPartitionName(of) }, { part: PART });
      carried.lane.report({ position, end: this.#options.log.end(of), state: 'landing' });
    }
    return carried.lane;
  }

  #measure(set: SetGauge): void {
    const { batches, records } = this.#options.warehouse.backlog();
    set('aorta_warehouse_backlog_batches', {}, batches);
    set('aorta_warehouse_backlog_records', {}, records);
    const waiting = this.#options.warehouse.waitingMerges();
    // Batches of a table may wait for times of their own: the earliest counts.
    for (const some of Map.groupBy(waiting, ({ table, range }) => `${table}/${range}`).values()) {
      const { table, range } = some[0]!;
      const rows = some.reduce((sum, one) => sum + one.rows, 0);
      const dueAt = Math.min(...some.map((one) => one.dueAt));
      set('aorta_merge_waiting_rows', { table, range }, rows);
      set('aorta_merge_due_seconds', { table, range }, (dueAt - Date.now()) / 1000);
    }
  }

  /** Looks once at the end of a partition that has nothing new: it may end where it does because a segment is damaged or gone. */
  async #examine(carried: Carried): Promise<0> {
    if (carried.examined) return 0;
    this.#laneOf(carried);
    const { log } = this.#options;
    const { of, position } = carried;
    const end = log.end(of);
    await log.read(of, end, { records: 1, bytes: 1 });
    if (position > end) throw new AortaError('AORTA-STREAM-SHORTER', { stream: shortPartitionName(of), end, position });
    carried.examined = true;
    return 0;
  }

  #behind(): number {
    return this.#present().reduce(
      (sum, { of, position, broken }) => sum + (broken === undefined ? this.#options.log.end(of) - position : 0),
      0,
    );
  }

  /** Whether the partition is ours still. */
  #has({ of }: Carried): boolean {
    return this.#options.log.assigned().includes(of);
  }

  /** Partitions with records, and those that had some: of one that has lost all of them nothing else would be said. */
  #present(): Carried[] {
    const { log } = this.#options;
    const assigned = log.assigned();
    const ours = new Set(assigned);
    for (const [of, { lane }] of this.#carried) {
      if (ours.has(of)) continue;
      this.#carried.delete(of);
      lane?.end();
    }
    return assigned.map((of) => this.#carriedOf(of)).filter(({ of, position }) => position > 0 || log.end(of) > 0);
  }

  #carriedOf(of: StreamPartition): Carried {
    let carried = this.#carried.get(of);
    if (carried === undefined) {
      // The warehouse knows how far it is, since it keeps the position with the rows.
      const landed = this.#options.warehouse.landed(of);
      const { log } = this.#options;
      const position = landed?.incarnation === log.incarnation(of) ? landed.position : log.start(of);
      carried = { of, position, lane: undefined, broken: undefined, examined: false };
      this.#carried.set(of, carried);
    }
    return carried;
  }

  async #nextRound(): Promise<void> {
    this.#throwFailure();
    // Nobody is woken for it: a partition whose records are still on their way would be looked at without a pause.
    await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#throwFailure();
  }

  async #idle(): Promise<void> {
    if (this.#gatheringMs === 0) return this.#pause();
    // That records wait is no stall, as long as they are landed when their time has come.
    const deadlineMs = LONG_STEP_MS + this.#gatheringMs;
    await this.#progress.during(PART, 'gathering records for a batch', this.#pause(), { deadlineMs, dueMs: this.#gatheringMs });
  }

  #pause(): Promise<void> {
    const gathering = this.#gatheringMs > 0;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          if (!gathering) this.#rested = true;
          resolve();
        },
        gathering ? Math.min(IDLE_MS, this.#gatheringMs) : IDLE_MS,
      );
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

/** What makes one partition unreadable, and leaves the others as they are. */
export const brokenFor: ReadonlySet<string> = new Set([
  'AORTA-SEGMENT-CORRUPT',
  'AORTA-STREAM-SHORTER',
  'AORTA-STREAM-TOPIC-SHORTER',
  'AORTA-STREAM-OVERTAKEN',
  'AORTA-STREAM-UNREADABLE',
]);

/** When the delivery of a record was received, in milliseconds since 1970. */
function receivedAt(record: StreamRecords[StreamName] | undefined): number | undefined {
  return record === undefined ? undefined : record.receipt.received_at / 1000;
}

/** Starts the jobs of every stream. They land and merge in this process until stopped. */
export function startJobs(options: JobsOptions): Jobs {
  return new StreamJobs(options);
}
