import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StateError } from './state-error.ts';

/** Every format of the state has these tables. */
const MARKS = ['clock', 'seed', 'jobs'];
/** SQLite's code for a file that is not a database. */
const NOT_A_DATABASE = 26;
const MOVE = 'Move it away to start with a new state, or use a different folder.';

/**
 * Throws a {@link StateError} if the file is not a state of this format, and does not change it. A file that does not exist, is
 * empty, or is a database without tables can become a state. `name` stands for the file in messages.
 */
export function checkStateFile(path: string, format: number, name = path): void {
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
    using file = new DatabaseSync(path, { readOnly: true });
    const { user_version: found } = file.prepare('pragma user_version').get() as { user_version: number };
    const rows = file.prepare("select name from sqlite_schema where type = 'table'").all() as { name: string }[];
    return { tables: new Set(rows.map((row) => row.name)), found };
  } catch (error) {
    throw unusable(name, error);
  }
}

/** Converts an error of SQLite into a {@link StateError}. */
export function unusable(name: string, error: unknown): StateError {
  const { errcode, errstr } = error as { readonly errcode?: number; readonly errstr?: string };
  if (errstr === undefined) throw error;
  if (errcode === NOT_A_DATABASE) return new StateError(`${name} is not a SQLite database.`, MOVE);
  return new StateError(
    `${name} cannot be opened (${errstr}).`,
    'Check the permissions of the file and its folder. If the file is damaged, move it away to start with a new state.',
  );
}
