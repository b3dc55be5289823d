import type { QueryValue, WarehouseReader } from '@aorta/connectors';
import { openReader } from '../reading.ts';
import { type Choice, settingOf } from './choice.ts';

export type Row = Readonly<Record<string, QueryValue>>;

/** The published tables, opened for reading. Close them with `await using` or `close()`. */
export interface OpenWarehouse extends AsyncDisposable {
  /**
   * Runs one SELECT and yields its rows as they arrive. All values can be written as JSON, except 64-bit integers, which
   * are bigint. Throws AORTA-WAREHOUSE-MISSING, AORTA-WAREHOUSE-UNPUBLISHED, AORTA-QUERY-NOT-READ-ONLY and
   * AORTA-QUERY-FAILED.
   */
  query(sql: string): AsyncIterable<Row>;
  close(): Promise<void>;
}

/**
 * Returns the published tables of a configuration for reading. Another process can write to them at the same time. The
 * first query opens the tables. With DuckDB, all queries read the copy that was newest when the first query ran.
 */
export function openWarehouse(options: Choice = {}): OpenWarehouse {
  const setting = settingOf(options, { opens: ['warehouse'] });
  let opening: Promise<WarehouseReader> | undefined;
  const open = (): Promise<WarehouseReader> => {
    opening ??= openReader(setting).catch((error: unknown) => {
      // The tables may exist by the time of the next query, so it tries to open them again.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const close = async (): Promise<void> => {
    const opened = opening;
    opening = undefined;
    await (await opened?.catch(() => undefined))?.close();
  };
  return {
    async *query(sql) {
      const reader = await open();
      const { columns, rows } = await reader.query(sql);
      for await (const batch of rows)
        for (const values of batch) yield Object.fromEntries(columns.map(({ name }, index) => [name, values[index]!]));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
