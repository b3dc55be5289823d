import type { TableDeclaration } from '@aorta/schemas';

/** Rows and events that an erasure deleted. */
export interface ErasureReceipt {
  /** Deleted rows by table name; in tables of samples, deleted samples. Tables without deleted rows are absent. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  /** Events removed from batches that were landed but not merged yet. */
  readonly landed: number;
  /** How long the warehouse's provider still keeps the deleted rows. Absent if it does not keep them. */
  readonly kept?: {
    /** Hours in which users with rights on the dataset can still read the deleted rows (time travel). */
    readonly timeTravelHours: number;
    /** Days after that in which only the provider can restore them (fail-safe). */
    readonly failSafeDays: number;
  };
}

const columns = ['user_id', 'data_user_id'];

/** Returns the columns that tie a row to a user: the owner of the event, and the user named in its data object. */
export function userColumns(table: TableDeclaration): string[] {
  return columns.filter((name) => table.columns.some((column) => column.name === name));
}
