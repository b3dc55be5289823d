import { resolve } from 'node:path';
import { type Logger, type StepObserver, silentLogger, unobserved } from '@aorta/runtime';
import { type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import type { ErasureReceipt } from '../../erasure.ts';
import type { Preferences } from '../../preferences.ts';
import { landedTable, type Privacy } from '../../privacy.ts';
import type {
  BatchStart,
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
import type { Database } from './database.ts';
import { DeclaredTables } from './declared-tables.ts';
import { eraseUser } from './erasing.ts';
import { Lander } from './lander.ts';
import { Merger } from './merger.ts';
import { openForWriting } from './opening.ts';
import type { DuckDbSettings } from './options.ts';
import { type PreparedFile, prepare } from './preparing.ts';
import { PublicationPace } from './publication-pace.ts';
import { Publisher } from './publisher.ts';
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
