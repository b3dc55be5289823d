import type { TableDeclaration } from '@aorta/schemas';

/** Numbers of rows and events that an erasure deleted. */
export interface ErasureReceipt {
  /** Number of deleted rows per table; for tables of samples, the number of deleted samples. Tables without deleted rows are absent. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  /** Number of events removed from batches that were landed but not merged yet. */
  readonly landed: number;
  /** How long the warehouse's provider keeps the deleted rows. Absent if the provider does not keep them. */
  readonly kept?: {
    /** Number of hours during which users with access to the dataset can still read the deleted rows (time travel). */
    readonly timeTravelHours: number;
    /** Number of days after the time travel period during which only the provider can restore the rows (fail-safe). */
    readonly failSafeDays: number;
  };
}

const columns = ['user_id', 'data_user_id'];

/** Returns the columns that link a row to a user: the user that the event belongs to, and the user named in its data object. */
export function userColumns(table: TableDeclaration): string[] {
  return columns.filter((name) => table.columns.some((column) => column.name === name));
}
