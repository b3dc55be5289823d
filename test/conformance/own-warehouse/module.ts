import type { WarehouseModule } from '@aorta/connectors';
import type { SqliteSettings } from './adapter.ts';
import { openSqliteReader } from './reader.ts';
import { openSqliteWarehouse } from './warehouse.ts';

export const sqlite: WarehouseModule<SqliteSettings> = {
  open: openSqliteWarehouse,
  openReader: openSqliteReader,
  probe: async (reader, { path }) => {
    const rows = Object.values(await reader.rows()).reduce((sum, one) => sum + one, 0);
    return [{ check: 'warehouse', state: 'ok', found: `sqlite:${path} opens, ${rows} rows` }];
  },
};
