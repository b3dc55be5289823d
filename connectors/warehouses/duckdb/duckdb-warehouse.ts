import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { AortaError, isAortaError, type Logger, type StepObserver, silentLogger, unobserved } from '@aorta/runtime';
import { type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import type { Preferences } from '../../preferences.ts';
import { landedTable, type Privacy } from '../../privacy.ts';
import type {
  BatchStart,
  ErasureReceipt,
  GrowingBatch,
  Landed,
  LandedPartition,
  LandingBatch,
  MergeReport,
  WaitingMerge,
  Warehouse,
} from '../../warehouse.ts';
import { MergeRounds } from '../merging/merge-rounds.ts';
import { Backlog } from './backlog.ts';
import { describeColumns } from './column-descriptions.ts';
import { Database } from './database.ts';
import { DeclaredTables } from './declared-tables.ts';
import { eraseUser } from './erasing.ts';
import { Lander } from './lander.ts';
import { Merger, type Tell } from './merger.ts';
import type { DuckDbSettings } from './options.ts';
import { type PreparedFile, prepare } from './preparing.ts';
import { PublicationPace } from './publication-pace.ts';
import { copyDatabase, isPublished, renameCopy } from './publish.ts';
import { countRows } from './row-counts.ts';
import { Tidiness } from './tidiness.ts';
import { ConnectionTurns } from './turns.ts';

export interface DuckDbWarehouseOptions extends Omit<DuckDbSettings, 'type' | 'threads'> {
  readonly threads?: number | undefined;
  /** Decides which classes of columns are landed. */
  readonly privacy: Privacy;
  /** Default: the usual orders of sources. */
  readonly preferences?: Preferences;
  readonly logger?: Logger;
  readonly onStep?: StepObserver;
  /** Default: the table declarations of this version of Aorta. Tests pass the declarations of an earlier or later version. */
  readonly tables?: readonly TableDeclaration[];
  /** Returns the current time in milliseconds since 1970. Default: the machine's clock. */
  readonly clock?: () => number;
}

interface Connections {
  /** Used to merge, publish and read. */
  readonly merging: Database;
  readonly landing: Database;
}

interface PublisherOptions {
  readonly path: string;
  readonly turns: ConnectionTurns;
  readonly pace: PublicationPace;
  readonly merger: Merger;
  /** Receives a report of every merge that a publication runs. */
  readonly tell: Tell;
  readonly clock: () => number;
  readonly onStep: StepObserver;
  /** Describes the columns for readers, if that has not been done yet. */
  readonly describe: () => Promise<void>;
}

class Publisher {
  readonly #options: PublisherOptions;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  async publish(when: 'due' | 'now'): Promise<boolean> {
    const { turns, pace, merger, tell, describe } = this.#options;
    // This method is called frequently. If no copy is due, it must not take a turn, so that merging and landing run concurrently.
    if (when === 'due' && !this.#isDue()) return false;
    return turns.inMerging(async () => {
      if (when === 'due' ? !this.#isDue() : !pace.behind) return false;
      await describe();
      await merger.checkpoint(tell, (begun) => this.#copy(begun));
      return true;
    });
  }

  /** Time at which the next copy is due, in milliseconds since 1970; undefined if nothing has changed. */
  dueAt(): number | undefined {
    return this.#options.pace.dueAt(() => isPublished(this.#options.path));
  }

  #isDue(): boolean {
    const { pace, clock, path } = this.#options;
    return pace.isDue(clock(), () => isPublished(path));
  }

  async #copy(begun: number): Promise<void> {
    const { path, pace, clock, onStep } = this.#options;
    const copy = await copyDatabase(path);
    onStep('publish:copied');
    await renameCopy(copy, path);
    pace.published(begun, clock());
    onStep('publish:renamed');
  }
}

class DuckDbWarehouse implements Warehouse {
  readonly #connections: Connections;
  readonly #tables: DeclaredTables;
  readonly #turns = new ConnectionTurns();
  readonly #backlog: Backlog;
  readonly #pace: PublicationPace;
  readonly #lander: Lander;
  readonly #merger: Merger;
  readonly #rounds: MergeRounds;
  readonly #publisher: Publisher;

  constructor(
    connections: Connections,
    options: DuckDbWarehouseOptions,
    landed: readonly TableDeclaration[],
    prepared: PreparedFile,
  ) {
    const { path, clock = Date.now, logger = silentLogger, onStep = unobserved } = options;
    this.#connections = connections;
    this.#tables = new DeclaredTables(landed);
    this.#backlog = new Backlog(prepared.batches, (stream) => this.#tables.isTimeseries(stream), options);
    this.#pace = new PublicationPace(options.publish_every_s * 1000, prepared.changed);
    const tidiness = new Tidiness(path, prepared.batches.length);
    const shared = { turns: this.#turns, tables: this.#tables, backlog: this.#backlog, tidiness, prepared, clock, onStep };
    const settings = { recentDays: options.recent_days, order: options.summary_order };
    this.#lander = new Lander({ ...shared, database: connections.landing, settings });
    this.#merger = new Merger({ ...shared, database: connections.merging, pace: this.#pace, logger });
    this.#rounds = new MergeRounds((extent, tell) => this.#turns.inMerging(() => this.#merger.merge(extent, tell)));
    let isDescribed = false;
    const describe = async (): Promise<void> => {
      if (!isDescribed) isDescribed = await describeColumns(connections.merging, prepared.described);
    };
    const publishing = { pace: this.#pace, merger: this.#merger, tell: this.#rounds.tell, describe };
    this.#publisher = new Publisher({ ...shared, path, ...publishing });
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#lander.landed(of);
  }

  landingWait(of: LandedPartition): number {
    return this.#lander.wait(of);
  }

  landsAtMost({ stream }: LandedPartition): number {
    return this.#backlog.room(stream);
  }

  gather<S extends StreamName>(start: BatchStart<S>): GrowingBatch<S> {
    return this.#lander.gather(start);
  }

  land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    return this.#lander.land(batch);
  }

  async merge(extent: 'due' | 'all'): Promise<MergeReport> {
    if (extent === 'all') return this.#rounds.all();
    const report = this.#rounds.due();
    if (this.#backlog.isFull) await this.#rounds.settled();
    return report;
  }

  settled(): Promise<void> {
    return this.#rounds.settled();
  }

  publish(pace: 'due' | 'now'): Promise<boolean> {
    return this.#publisher.publish(pace);
  }

  async erase(user: string): Promise<ErasureReceipt> {
    const { merging } = this.#connections;
    const receipt = await this.#turns.exclusively(async () => {
      const done = await merging.transaction('an erasure', () => eraseUser(merging, user));
      this.#merger.suppress();
      this.#pace.changed();
      return done;
    });
    // Readers use the published copy, which still contains the user's rows.
    await this.publish('now');
    return receipt;
  }

  reportUpgrade(): Promise<boolean> {
    return this.#merger.reportUpgrade();
  }

  rows(): Promise<Record<string, number>> {
    return this.#turns.inMerging(() => countRows(this.#connections.merging));
  }

  backlog(): { batches: number; records: number } {
    return this.#backlog.size();
  }

  waitingMerges(): readonly WaitingMerge[] {
    return this.#backlog.waiting((stream) => this.#tables.of(stream)?.name);
  }

  publicationDue(): number | undefined {
    return this.#publisher.dueAt();
  }

  async close(): Promise<void> {
    await this.#turns.inMerging(async () => {
      // Closing writes a checkpoint, which would enlarge the file if many batches were still waiting. They are therefore merged
      // first. Batches that cannot be merged stay landed, and the next run reports the error.
      await this.#merger.mergeCrowd(() => {}).catch(() => {});
      await this.#turns.inLanding(async () => {});
    });
    this.#connections.landing.disconnect();
    this.#connections.merging.close();
  }
}

/** Maximum milliseconds to wait until readers of an unpublished file have finished. */
const READERS_MS = 10_000;

/**
 * Opens the file as its only writer. Before the first publication, readers open the same file and prevent the writer from
 * opening it. They finish soon, so the writer waits for them. After the first publication, only writers open the file.
 */
async function openPatiently(path: string, settings: Record<string, string>, logger: Logger): Promise<Database> {
  const patience = performance.now() + READERS_MS;
  for (let tries = 0; ; tries++) {
    try {
      return await Database.open(path, settings);
    } catch (error) {
      const read = isAortaError(error) && error.code === 'AORTA-WAREHOUSE-LOCKED' && !isPublished(path);
      if (!read || performance.now() >= patience) throw error;
      if (tries === 0) logger.info('waiting for a reader of the unpublished tables', { path });
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/**
 * Opens or creates the file as its only writer, and allows only the owner of the file to read it. Rejects with
 * AORTA-WAREHOUSE-LOCKED or -UNREADABLE, or with AORTA-DATA-UNWRITABLE if the folder cannot be created.
 */
async function openForWriting(path: string, settings: Record<string, string>, logger: Logger): Promise<Database> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AortaError('AORTA-DATA-UNWRITABLE', {
      path: dirname(path),
      code: (error as NodeJS.ErrnoException).code ?? 'unknown',
    });
  }
  // DuckDB creates its write-ahead log and temporary files with the umask of the process.
  if (isMainThread) process.umask(0o077);
  using opening = new DisposableStack();
  const database = opening.use(await openPatiently(path, settings, logger));
  chmodSync(path, 0o600);
  opening.move();
  return database;
}

/**
 * Opens a DuckDB file as a warehouse and creates its tables and views. The file stays locked against other processes while it
 * is open. Readers use the published copy. Rejects with AORTA-WAREHOUSE-LOCKED, -UNREADABLE or AORTA-DATA-NEWER.
 */
export async function openDuckDbWarehouse(options: DuckDbWarehouseOptions): Promise<Warehouse> {
  const path = resolve(options.path);
  const logger = options.logger ?? silentLogger;
  const declared = options.tables ?? tables;
  const landed = declared.map((table) => landedTable(table, options.privacy));
  const settings: Record<string, string> = {
    memory_limit: options.memory,
    ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
  };
  using opening = new DisposableStack();
  const database = opening.use(await openForWriting(path, settings, logger));
  const prepared = await prepare(database, {
    path,
    declared,
    landed,
    preferences: options.preferences ?? {},
    order: options.summary_order,
    logger,
    onStep: options.onStep ?? unobserved,
  });
  const landing = await database.beside();
  opening.move();
  return new DuckDbWarehouse({ merging: database, landing }, { ...options, path }, landed, prepared);
}
