import { existsSync, rmSync } from 'node:fs';
import { AortaError, fullDiskAt } from '@aorta/runtime';
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { WarehouseError } from '../errors.ts';
import { DuckDbError } from './errors.ts';

/** Kinds of failures that a full disk may cause, even if the message does not say so. */
const vague: ReadonlySet<string> = new Set(['io', 'fatal', 'internal', 'out of memory']);

/** Returns the kind of a DuckDB failure. DuckDB's messages quote values, so they are never passed on. */
function failureKind(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  return /^(?:\w+ )*?([A-Z][\w ]*?) Error:/.exec(text)?.[1]?.toLowerCase() ?? 'unknown failure';
}

/** Returns AORTA-DATA-UNWRITABLE if DuckDB could not write to the disk. */
function diskFailure(path: string, error: unknown): AortaError | undefined {
  const text = error instanceof Error ? error.message : '';
  // DuckDB limits its temporary data to the free space on the disk, so a failed offload means that the disk is full.
  if (!/no space left|disk is full|could not write|quota exceeded|failed to offload/i.test(text)) return undefined;
  const code = /no space left|full|failed to offload/i.test(text)
    ? 'ENOSPC'
    : /file too large/i.test(text)
      ? 'EFBIG'
      : 'write failed';
  return new AortaError('AORTA-DATA-UNWRITABLE', { path, code });
}

/** Returns the process that holds the lock, according to DuckDB's message. */
function holderIn(text: string): string {
  const pid = /\(PID (\d+)\)/.exec(text)?.[1];
  return pid === undefined ? 'another process' : `process ${pid}`;
}

function openingFailure(path: string, error: unknown, isReading: boolean): AortaError {
  const text = error instanceof Error ? error.message : '';
  const disk = diskFailure(path, error);
  if (disk !== undefined) return disk;
  if (/permission denied|read-only file system/i.test(text)) {
    const code = /read-only/i.test(text) ? 'EROFS' : 'EACCES';
    if (isReading) return new AortaError('AORTA-FILE-UNREADABLE', { file: path, code });
    return new AortaError('AORTA-DATA-UNWRITABLE', { path, code });
  }
  if (/lock on file/i.test(text)) return new DuckDbError('AORTA-WAREHOUSE-LOCKED', { path, holder: holderIn(text) });
  if (/No such file|does not exist/i.test(text)) return new WarehouseError('AORTA-WAREHOUSE-MISSING', { path });
  const problem = /newer|version/i.test(text)
    ? 'its format belongs to a different version'
    : /not a valid DuckDB/i.test(text)
      ? 'it is not a DuckDB database'
      : failureKind(error);
  return new DuckDbError('AORTA-WAREHOUSE-UNREADABLE', { path, problem });
}

/** A connection to a DuckDB file. Statements run one after another, and failures become errors from the error catalogue. */
export class Database {
  readonly connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  readonly #path: string;
  #lastTurn: Promise<unknown> = Promise.resolve();

  private constructor(path: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#path = path;
    this.#instance = instance;
    this.connection = connection;
  }

  /** Opens the file with DuckDB's settings. Rejects with AORTA-WAREHOUSE-LOCKED, -MISSING or -UNREADABLE. */
  static async open(path: string, settings: Record<string, string>): Promise<Database> {
    const made = !existsSync(path);
    let instance: DuckDBInstance;
    try {
      instance = await DuckDBInstance.create(path, settings);
    } catch (error) {
      // A full disk leaves an incomplete file that could not be opened later.
      if (made) rmSync(path, { force: true });
      throw openingFailure(path, error, settings.access_mode === 'READ_ONLY');
    }
    return new Database(path, instance, await instance.connect());
  }

  /** Opens a second connection to the same file, with its own concurrent transactions. Close it with {@link disconnect}. */
  async beside(): Promise<Database> {
    return new Database(this.#path, this.#instance, await this.#instance.connect());
  }

  /** Runs steps of several statements one at a time, in the order of the calls. */
  inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#lastTurn.then(step);
    this.#lastTurn = result.catch(() => {});
    return result;
  }

  async run(step: string, sql: string): Promise<number> {
    try {
      return (await this.connection.run(sql)).rowsChanged;
    } catch (error) {
      throw await this.#failure(step, error);
    }
  }

  async rows(step: string, sql: string): Promise<DuckDBValue[][]> {
    try {
      return (await this.connection.runAndReadAll(sql)).getRows();
    } catch (error) {
      throw await this.#failure(step, error);
    }
  }

  /** Runs `body` in one transaction and rolls back if it throws. */
  async transaction<T>(step: string, body: () => Promise<T>): Promise<T> {
    await this.run(step, 'begin transaction');
    try {
      const result = await body();
      await this.run(step, 'commit');
      return result;
    } catch (error) {
      // If the commit itself failed, there is nothing to roll back.
      await this.connection.run('rollback').catch(() => {});
      throw error instanceof AortaError ? error : await this.#failure(step, error);
    }
  }

  disconnect(): void {
    this.connection.closeSync();
  }

  close(): void {
    this.connection.closeSync();
    this.#instance.closeSync();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #failure(step: string, error: unknown): Promise<AortaError> {
    const problem = failureKind(error);
    const disk = diskFailure(this.#path, error) ?? (vague.has(problem) ? await fullDiskAt(this.#path) : undefined);
    return disk ?? new DuckDbError('AORTA-WAREHOUSE-FAILED', { step, problem });
  }
}

/** The two connections of a warehouse work concurrently, and each runs its own steps one at a time. */
export interface Connections {
  /**
   * Used to merge, publish and read. A step that holds this connection's turn may wait for the landing connection's turn,
   * but never the reverse. Otherwise they could deadlock.
   */
  readonly merging: Database;
  readonly landing: Database;
}
