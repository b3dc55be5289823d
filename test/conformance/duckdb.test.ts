import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duckDbOptions, privacyOptions } from '@aorta/warehouse';
import { openDuckDbReader, openDuckDbWarehouse } from '@aorta/warehouse/duckdb';
import { warehouseConformance } from './warehouse.ts';

warehouseConformance(
  'DuckDB',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aorta-'));
    const path = join(folder, 'warehouse.duckdb');
    // A clock that stands still: nothing comes due by waiting.
    const settings = {
      ...duckDbOptions.parse({ type: 'duckdb', path, old_rows: 6 }),
      privacy: privacyOptions.parse({}),
      clock: () => 0,
    };
    return {
      open: () => openDuckDbWarehouse(settings),
      read: () => openDuckDbReader({ path }),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  40 * Number(process.env.SOAK ?? 1),
);
