import { chmodSync, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { isAortaError, type Logger, makeFolder, silentLogger, steadyNow, unobserved } from '@aorta/runtime';
import { tables as declaredTables, type StreamName, type TableDeclaration } from '@aorta/schemas';
import { version } from '@duckdb/node-api';
import { landedTable } from '../privacy.ts';
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
} from '../warehouse.ts';
import { MergeRounds } from '../warehouses/merging/merge-rounds.ts';
import { Backlog } from './backlog.ts';
import { notAhead } from './batches.ts';
import { type Access, shareCopy } from './copy-access.ts';
import { type Connections, Database } from './database.ts';
import { eraseUser } from './erasure.ts';
import { fileSchema } from './file-schema.ts';
import { DuckDbLander } from './lander.ts';
import { DuckDbMerger } from './merger.ts';
import type { DuckDbWarehouseOptions, OpeningOptions } from './options.ts';
import { type PreparedFile, prepare } from './preparation.ts';
import { Publication, removeUnfinishedCopies } from './publication.ts';
import { copyDifference, isPublished, walPath } from './published-copy.ts';
import { countRows } from './table-differences.ts';
import { createFromTemplate } from './template.ts';

/** Maximum milliseconds to wait until readers of an unpublished file have finished. */
const READERS_MS = 10_000;

interface OpenedWarehouse {
  readonly connections: Connections;
  readonly options: OpeningOptions;
  readonly access: Access;
  readonly landed: readonly TableDeclaration[];
  readonly prepared: PreparedFile;
  /** Whether a published copy would belong to an earlier file, or another program changed it. */
  readonly isCopyOutdated: boolean;
}

class DuckDbWarehouse implements Warehouse {
  readonly #connections: Connections;
  readonly #backlog: Backlog;
  readonly #lander: DuckDbLander;
  readonly #merger: DuckDbMerger;
  readonly #rounds: MergeRounds;
  readonly #publication: Publication;

  constructor({ connections, options, access, landed, prepared, isCopyOutdated }: OpenedWarehouse) {
    const { landing, merging } = connections;
    this.#connections = connections;
    this.#backlog = new Backlog(notAhead(prepared.batches, options.clock()), landed, options);
    this.#publication = new Publication(options, access, prepared.changed || isCopyOutdated);
    this.#lander = new DuckDbLander(landing, this.#backlog, prepared, options);
    this.#rounds = new MergeRounds((extent) => merging.inTurn(() => this.#merger.merge(extent)));
    this.#merger = new DuckDbMerger(connections, this.#backlog, prepared, options, (merged) => {
      this.#publication.merged();
      this.#rounds.tell(merged);
    });
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

  async publish(when: 'due' | 'now'): Promise<boolean> {
    // This method is called frequently. If no copy is due, it must not take a turn, so that merging and landing run concurrently.
    if (when === 'due' && !this.#publication.isWanted('due')) return false;
    const { merging } = this.#connections;
    return merging.inTurn(async () => {
      if (!this.#publication.isWanted(when)) return false;
      this.#publication.start();
      await this.#merger.checkpoint({ isAwaited: when === 'now' }, (cpuMs) => this.#publication.copy(cpuMs));
      return true;
    });
  }

  async erase(user: string): Promise<ErasureReceipt> {
    const { merging, landing } = this.#connections;
    const erase = async (): Promise<ErasureReceipt> => {
      const receipt = await merging.transaction('an erasure', () => eraseUser(merging, user));
      this.#merger.suppress();
      this.#publication.changed();
      return receipt;
    };
    const receipt = await merging.inTurn(() => landing.inTurn(erase));
    // Readers use the published copy, which still contains the user's rows.
    await this.publish('now');
    return receipt;
  }

  rows(): Promise<Record<string, number>> {
    const { merging } = this.#connections;
    return merging.inTurn(() => countRows(merging));
  }

  backlog(): { batches: number; records: number } {
    return this.#backlog.size();
  }

  waitingMerges(): readonly WaitingMerge[] {
    return this.#backlog.waiting();
  }

  publicationDue(): number | undefined {
    return this.#publication.dueAt();
  }

  async close(): Promise<void> {
    const { merging, landing } = this.#connections;
    await merging.inTurn(async () => {
      // Closing writes a checkpoint, which would enlarge the file if many batches were still waiting. They are therefore merged
      // first. Batches that cannot be merged stay landed, and the next run reports the error.
      await this.#merger.mergeCrowd().catch(() => {});
      await landing.inTurn(async () => {});
    });
    this.#publication.close();
    landing.disconnect();
    merging.close();
  }
}

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
 * AORTA-WAREHOUSE-LOCKED or -UNREADABLE.
 */
async function openForWriting(path: string, settings: Record<string, string>, logger: Logger): Promise<Database> {
  // DuckDB creates its write-ahead log and temporary files with the umask of the process.
  if (isMainThread) process.umask(0o077);
  using opening = new DisposableStack();
  const database = opening.use(await openPatiently(path, settings, logger));
  chmodSync(path, 0o600);
  opening.move();
  return database;
}

/** From this version on, a write-ahead log names its database and checkpoint. DuckDB refuses a log that does not match. */
const STORAGE_VERSION = 'v1.4.0';

/**
 * Opens a DuckDB file as a warehouse and creates its tables and views. The file stays locked against other processes while it
 * is open. Readers use the published copy. Rejects with AORTA-WAREHOUSE-LOCKED, -UNREADABLE, -OLDER or
 * AORTA-DATA-NEWER, or with AORTA-DATA-UNWRITABLE if the folder cannot be created.
 */
export async function openDuckDbWarehouse(given: DuckDbWarehouseOptions): Promise<Warehouse> {
  const { preferences = {}, logger = silentLogger, onStep = unobserved, tables = declaredTables, clock = steadyNow } = given;
  const path = resolve(given.path);
  const options: OpeningOptions = { ...given, path, preferences, logger, onStep, tables, clock };
  const { memory, threads } = options;
  const landed = tables.map((table) => landedTable(table, options.privacy));
  const schema = fileSchema(landed, options);
  const settings: Record<string, string> = { memory_limit: memory, storage_compatibility_version: STORAGE_VERSION };
  if (threads !== undefined) settings.threads = String(threads);
  await makeFolder(dirname(path));
  const make = async (template: string): Promise<void> => {
    using database = await openForWriting(template, settings, logger);
    await prepare(database, { ...options, path: template }, landed, schema);
  };
  const isNew = await createFromTemplate(path, { hash: `${version()}-${STORAGE_VERSION}-${schema.hash}`, make }, logger);
  using opening = new DisposableStack();
  const merging = opening.use(await openForWriting(path, settings, logger));
  const access = await shareCopy(options);
  await removeUnfinishedCopies(path);
  const prepared = await prepare(merging, options, landed, schema);
  const landing = await merging.beside();
  const isCopyOutdated =
    isNew || (isPublished(path) && (existsSync(walPath(path)) || (await copyDifference(path, false)) !== undefined));
  opening.move();
  return new DuckDbWarehouse({ connections: { merging, landing }, options, access, landed, prepared, isCopyOutdated });
}
