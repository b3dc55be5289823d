import { join } from 'node:path';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';

/** Reads the tables that `aorta demo` has left in a folder. */

type Row = readonly unknown[];
export type Query = (sql: string) => Promise<Row[]>;

/** Reads the tables of a demonstration. `names`: the tables. */
export async function reading<Result>(
  folder: string,
  read: (query: Query, names: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const reader = await openDuckDbReader({ path: join(folder, 'aorta-demo', 'warehouse.duckdb') });
  const query: Query = async (sql) => {
    const { rows } = await reader.query(sql);
    const all: Row[] = [];
    for await (const batch of rows) all.push(...batch);
    return all;
  };
  try {
    return await read(query, Object.keys(await reader.rows()));
  } finally {
    await reader.close();
  }
}

/**
 * Returns the number of rows and a hash of the rows of each table. The hash leaves out what depends on processing: when Aorta
 * loads a row or asks the service, and the order in which it fetches answers.
 */
export function contents(folder: string): Promise<Record<string, Row[]>> {
  const fetched = (source: string, offset: string) =>
    `case when starts_with(${source}, 'service-') then 0 else ${offset} end as ${offset}`;
  return reading(folder, async (query, names) => {
    const tables: Record<string, Row[]> = {};
    for (const name of names) {
      const described = await query(`select column_name from information_schema.columns where table_name = '${name}'`);
      const has = (column: string): boolean => described.some(([one]) => one === column);
      const polled = name === 'introspection_polls';
      const offset = has('source_offset')
        ? fetched('source', 'source_offset')
        : has('_source')
          ? fetched('_source', '_offset')
          : '';
      const excluded = ['_loaded_at', ...(polled ? ['_offset'] : [])].filter(has);
      const columns = `*${excluded.length > 0 ? ` exclude (${excluded.join(', ')})` : ''}${offset === '' || polled ? '' : ` replace (${offset})`}`;
      tables[name] = await query(`select count(*), sum(hash(one)::hugeint) from (select ${columns} from "${name}") one`);
    }
    return tables;
  });
}
