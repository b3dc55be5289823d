// A separate entry point, because loading DuckDB's library takes most of the startup time and most commands do not need it.
import type { WarehouseModule } from '../../warehouse.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import type { DuckDbSettings } from './options.ts';
import { probeDuckDb } from './probe.ts';

export const duckDb: WarehouseModule<DuckDbSettings> = {
  open: ({ settings, ...opening }) => openDuckDbWarehouse({ ...settings, ...opening }),
  openReader: (settings, bounds = {}) => openDuckDbReader({ path: settings.path, pace: settings, ...bounds }),
  probe: probeDuckDb,
};

export { openDuckDbReader, openDuckDbWarehouse };
