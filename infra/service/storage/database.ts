import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { FILE_MODE } from '@aorta/runtime';
import { tables } from './tables.ts';

/** Version of {@link tables}. The service refuses a file of another version, because it holds only test data. */
const FORMAT = 9;

/** Path of a state that is not kept. */
const MEMORY = ':memory:';
/** Size of SQLite's page cache. A part of the state is enough, because the operating system caches the rest of the file. */
const CACHE_KIB = 16 * 1024;
/** SQLite checkpoints the write-ahead log after this many pages of 4 KiB. A checkpoint waits for the disk, so it must be rare. */
const WAL_PAGES = 2 * 1024;

/** Permissions of users other than the owner. */
const OTHERS = 0o077;

/** Every format of the state has these tables. */
const MARKS = ['clock', 'seed', 'jobs'];
/** SQLite's code for a file that is not a database. */
const NOT_A_DATABASE = 26;
const MOVE = 'Move it away to start with a new state, or use a different folder.';

/** Options with which a state is created, and which a later process may give again. */
type StateOption = 'seed' | 'start' | 'runs';

/** A state cannot be used as asked. Nothing has been changed. */
export class StateError extends Error {
  override readonly name = 'StateError';
  /** Says what the user can do. */
  readonly remedy: string;
  /** The option that contradicts the state. Undefined if the file cannot be used at all. */
  readonly option: StateOption | undefined;

  constructor(message: string, remedy: string, option?: StateOption) {
    super(message);
    this.remedy = remedy;
    this.option = option;
  }
}

/** Returns the error for an option that contradicts the state. */
export function contradiction(option: StateOption, message: string): StateError {
  return new StateError(message, 'Leave the option out, or create a new state at a different path.', option);
}

/**
 * Throws a {@link StateError} if the file is not a state of this format, and does not change it. A file that does not exist, is
 * empty, or is a database without tables can become a state. `name` stands for the file in messages.
 */
function checkStateFile(path: string, format: number, name = path): void {
  const { tables, found } = contentOf(path, name);
  if (tables.size === 0 && found === 0) return;
  if (MARKS.some((table) => !tables.has(table)))
    throw new StateError(`${name} is a SQLite database, but not a state of the service.`, MOVE);
  if (found !== format)
    throw new StateError(
      `${name} has format ${found}, and this version of the service reads ${format}.`,
      'Delete it, or use the version of Aorta that wrote it.',
    );
}

function contentOf(path: string, name: string): { readonly tables: ReadonlySet<string>; readonly found: number } {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry === undefined || (entry.isFile() && entry.size === 0)) return { tables: new Set(), found: 0 };
  if (!entry.isFile()) throw new StateError(`${name} is not a file.`, MOVE);
  try {
    // A process that was killed while it created the file has left a journal. SQLite must write to undo its transaction.
    using file = new DatabaseSync(path, { readOnly: !existsSync(`${path}-journal`) });
    const { user_version: found } = file.prepare('pragma user_version').get() as { user_version: number };
    const rows = file.prepare("select name from sqlite_schema where type = 'table'").all() as { name: string }[];
    return { tables: new Set(rows.map((row) => row.name)), found };
  } catch (error) {
    throw unusable(name, error);
  }
}

/** Converts an error of SQLite into a {@link StateError}. */
function unusable(name: string, error: unknown): StateError {
  const { errcode, errstr } = error as { readonly errcode?: number; readonly errstr?: string };
  if (errstr === undefined) throw error;
  if (errcode === NOT_A_DATABASE) return new StateError(`${name} is not a SQLite database.`, MOVE);
  return unopened(name, errstr);
}

function unopened(name: string, reason: string): StateError {
  return new StateError(
    `${name} cannot be opened (${reason}).`,
    'Check the permissions of the file and its folder. If the file is damaged, move it away to start with a new state.',
  );
}

/**
 * The state of the service: one SQLite file, or memory. All changes are synchronous. When a transaction
 * ends, a crash of the process loses nothing of it; a crash of the machine may lose the last transactions.
 */
export class Database {
  readonly #file: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #inTransaction = false;
  #withdrawals = 0;

  private constructor(file: DatabaseSync) {
    this.#file = file;
  }

  /**
   * Opens or creates a file. Throws a {@link StateError} if the file is not a state of this format, or cannot be written.
   * `:memory:` keeps nothing after {@link Database.close}. It uses a temporary file without a name, because commits to a
   * database in memory take longer the larger it is.
   */
  static open(path: string): Database {
    if (path !== MEMORY) {
      checkStateFile(path, FORMAT);
      keepPrivate(path);
    }
    const file = opened(path);
    const database = new Database(file);
    const { user_version: found } = database.get<{ user_version: number }>('pragma user_version')!;
    if (found === 0) {
      database.transaction(() => {
        file.exec(tables);
        file.exec(`pragma user_version = ${FORMAT}`);
      });
    }
    return database;
  }

  /** Counts how often changes have been withdrawn or the whole state replaced, so that a copy of a row in memory can be outdated. */
  get withdrawals(): number {
    return this.#withdrawals;
  }

  /** Changes rows. Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Returns the first row, whose form the caller knows from its query. */
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** Returns the column `number` of the row that `find` selects. If there is none, `insert` adds it. Both take the same values. */
  numberOf(find: string, insert: string, ...values: SQLInputValue[]): number {
    const known = this.get<{ number: number }>(find, ...values);
    if (known !== undefined) return known.number;
    this.run(insert, ...values);
    return this.get<{ number: number }>(find, ...values)!.number;
  }

  /** Makes all changes of `change`, or none if it throws. A transaction within a transaction belongs to the outer one. */
  transaction<Result>(change: () => Result): Result {
    if (this.#inTransaction) return change();
    this.#file.exec('begin immediate');
    this.#inTransaction = true;
    try {
      const result = change();
      this.#file.exec('commit');
      return result;
    } catch (error) {
      this.#file.exec('rollback');
      this.#withdrawals += 1;
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /** Makes all changes of `change`, or none if it throws, as a part of the transaction that runs. */
  part<Result>(change: () => Result): Result {
    this.run('savepoint part');
    try {
      return change();
    } catch (error) {
      this.run('rollback to part');
      this.#withdrawals += 1;
      throw error;
    } finally {
      this.run('release part');
    }
  }

  /** Writes a copy of the whole state into a new file. */
  copyTo(path: string): void {
    createPrivate(path);
    this.run('vacuum into ?', path);
  }

  /**
   * Replaces the whole state by that of a copy, and calls `change`, in one transaction. Prepared statements stay valid. Throws a
   * {@link StateError} if the copy is not a state of this format. `name` stands for the copy in its message.
   */
  replaceWith(path: string, name: string, change: () => void): void {
    checkStateFile(path, FORMAT, name);
    this.run('attach ? as copy', path);
    try {
      // Rows are replaced table by table, so references are broken in between.
      this.#file.exec('pragma foreign_keys = off');
      this.transaction(() => {
        for (const { name } of this.all<{ name: string }>("select name from copy.sqlite_schema where type = 'table'"))
          this.#file.exec(`delete from main.${name}; insert into main.${name} select * from copy.${name}`);
        this.#withdrawals += 1;
        change();
      });
    } finally {
      this.#file.exec('pragma foreign_keys = on');
      this.#file.exec('detach copy');
    }
  }

  close(): void {
    this.#file.close();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#file.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Creates an empty file that only its owner can read, which SQLite then fills. */
function createPrivate(path: string): void {
  closeSync(openSync(path, 'wx', FILE_MODE));
}

/**
 * Lets only the owner read the files of a state. SQLite gives its further files, such as the write-ahead log, the mode of the
 * first one. Other programs may have copied or created them with another mode.
 */
function keepPrivate(path: string): void {
  try {
    // If the folder is missing, SQLite says so.
    if (!existsSync(path) && existsSync(dirname(path))) createPrivate(path);
    for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
      const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
      if ((mode & OTHERS) !== 0) chmodSync(file, mode & 0o777 & ~OTHERS);
    }
  } catch (error) {
    throw unopened(path, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
}

function opened(path: string): DatabaseSync {
  let file: DatabaseSync | undefined;
  try {
    const isKept = path !== MEMORY;
    file = new DatabaseSync(isKept ? path : '', { enableForeignKeyConstraints: true });
    file.exec(`pragma journal_mode = ${isKept ? 'wal' : 'memory'}; pragma synchronous = normal; pragma busy_timeout = 5000`);
    file.exec(`pragma cache_size = -${CACHE_KIB}; pragma wal_autocheckpoint = ${WAL_PAGES}`);
    // SQLite opens a file without write permission, and would refuse only the first change.
    file.exec('begin immediate; rollback');
    return file;
  } catch (error) {
    file?.close();
    throw unusable(path, error);
  }
}
