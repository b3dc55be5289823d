import type { TableDeclaration } from '@aorta/schemas';

/** What an erasure took out. */
export interface ErasureReceipt {
  /** Rows deleted from each table that had some, by name; samples, where a table holds samples. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  /** Events taken out of batches that were landed and not merged yet. */
  readonly landed: number;
  /** For how long the warehouse's provider keeps what was deleted, which nobody can shorten now; absent where none does. */
  readonly kept?: {
    /** People with rights on the dataset can read deleted rows for so long (time travel). */
    readonly timeTravelHours: number;
    /** After that the provider alone can bring them back, for so long (fail-safe). */
    readonly failSafeDays: number;
  };
}

const columns = ['user_id', 'data_user_id'];

/** Columns by which a row is a user's: whose event it is, and whom its data object names. */
export function userColumns(table: TableDeclaration): string[] {
  return columns.filter((name) => table.columns.some((column) => column.name === name));
}
