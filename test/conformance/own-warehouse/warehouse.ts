import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type {
  ErasureReceipt,
  Landed,
  LandedPartition,
  LandingBatch,
  MergeReport,
  WaitingMerge,
  Warehouse,
  WarehouseOpening,
} from '@aorta/connectors';
import { tableRows, usersOf } from '@aorta/connectors/warehouses';
import { AortaError, makeFolder } from '@aorta/runtime';
import type { StreamName, TableDeclaration } from '@aorta/schemas';
import type { SqliteSettings } from './adapter.ts';
import { makeControlTables, readPositions, SuppressionList, writePosition } from './control.ts';
import { countRows, deleteUser, landedTables, makeTable, upserter } from './tables.ts';

const nameOf = ({ stream, partition }: LandedPartition): string => `${stream}/${partition}`;

/** Tables in an SQLite file. Each batch is landed and merged in one transaction, so readers see either all of it or nothing. */
class SqliteWarehouse implements Warehouse {
  readonly #database: DatabaseSync;
  readonly #tables: readonly TableDeclaration[];
  readonly #upserts: ReadonlyMap<string, ReturnType<typeof upserter>>;
  readonly #landed: Map<string, Landed>;
  readonly #suppressed: SuppressionList;

  constructor(database: DatabaseSync, tables: readonly TableDeclaration[]) {
    this.#database = database;
    this.#tables = tables;
    this.#upserts = new Map(tables.map((table) => [table.name, upserter(database, table)]));
    this.#landed = new Map(readPositions(database).map((one) => [nameOf(one), one]));
    this.#suppressed = new SuppressionList(database);
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#landed.get(nameOf(of));
  }

  async land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    const { stream, partition = 0, incarnation, to: position, records } = batch;
    if (this.#isLanded(batch)) return;
    const table = this.#tables.find((one) => one.stream === stream);
    transaction(this.#database, () => {
      for (const record of records) {
        const rows = tableRows(stream, record, table);
        if (this.#suppressed.hasAnyOf(usersOf(rows))) continue;
        for (const row of rows) this.#upserts.get(row.table.name)!(row);
      }
      writePosition(this.#database, { stream, partition, incarnation, position });
    });
    this.#landed.set(nameOf({ stream, partition }), { incarnation, position });
  }

  /** Whether a batch has already been landed, for example because Aorta crashed before it committed the landed position. */
  #isLanded({ stream, partition = 0, incarnation, from, to }: LandingBatch): boolean {
    const landed = this.landed({ stream, partition });
    if (landed?.incarnation !== incarnation) return false;
    if (landed.position >= to) return true;
    if (landed.position === from) return false;
    const problem = `${stream} is landed to ${landed.position}, the batch begins at ${from}`;
    throw new AortaError('AORTA-BUG', { place: 'landing', problem });
  }

  async merge(): Promise<MergeReport> {
    return { batches: 0, targets: [] };
  }

  async publish(): Promise<boolean> {
    return false;
  }

  async erase(user: string): Promise<ErasureReceipt> {
    const tables = transaction(this.#database, () => {
      this.#suppressed.add(user);
      return this.#tables.map((table) => ({ table: table.name, rows: deleteUser(this.#database, table, user) }));
    });
    const erased = tables.filter(({ rows }) => rows > 0).sort((a, b) => a.table.localeCompare(b.table, 'en'));
    return { tables: erased, landed: 0 };
  }

  async rows(): Promise<Record<string, number>> {
    return countRows(this.#database);
  }

  backlog(): { batches: number; records: number } {
    return { batches: 0, records: 0 };
  }

  waitingMerges(): readonly WaitingMerge[] {
    return [];
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

/** Runs `work` in a transaction, and rolls it back if `work` throws. */
function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const done = work();
    database.exec('COMMIT');
    return done;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Opens the file for writing and creates its tables. */
export async function openSqliteWarehouse({
  settings,
  privacy,
}: Pick<WarehouseOpening<SqliteSettings>, 'settings' | 'privacy'>): Promise<Warehouse> {
  const path = resolve(settings.path);
  await makeFolder(dirname(path));
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    // With a write-ahead log, readers see the last commit while a batch is being landed.
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    const tables = landedTables(privacy);
    transaction(database, () => {
      makeControlTables(database);
      for (const table of tables) makeTable(database, table);
    });
    return new SqliteWarehouse(database, tables);
  } catch (error) {
    database.close();
    throw error;
  }
}
