import { Decimal, type QueryValue, type WarehouseReader } from '@aorta/connectors';
import { memberNames } from '../cli/printing/json.ts';
import { openReader } from '../report/stored-data.ts';
import { type Choice, settingOf } from './choice.ts';

/** Decimals are strings with all digits. */
export type RowValue = string | number | bigint | boolean | null | readonly RowValue[] | { readonly [name: string]: RowValue };

/** If several columns have the same name, a number is appended to the name of each but the first. */
export type Row = Readonly<Record<string, RowValue>>;

/** The published tables, opened for reading. Close them with `await using` or `close()`. */
export interface OpenWarehouse extends AsyncDisposable {
  /**
   * Runs one SELECT and yields its rows as they arrive. All values can be written as JSON, except integers of 64 and more
   * bits, which are bigint. Decimals, NaN and infinities are strings. Throws AORTA-WAREHOUSE-MISSING, AORTA-WAREHOUSE-UNPUBLISHED, AORTA-QUERY-NOT-READ-ONLY and
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
      const names = memberNames(columns.map(({ name }) => name));
      for await (const batch of rows)
        for (const values of batch) yield Object.fromEntries(names.map((name, index) => [name, rowValue(values[index]!)]));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function rowValue(value: QueryValue): RowValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal) return value.digits;
  if (isList(value)) return value.map(rowValue);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rowValue(inner)]));
}

/** `Array.isArray` does not narrow a readonly list. */
const isList = (value: QueryValue): value is readonly QueryValue[] => Array.isArray(value);
