import { duckDbFiles } from './duckdb-files.ts';
import { warehouseConformance } from './warehouse.ts';

const create = duckDbFiles();

warehouseConformance('DuckDB', {
  create,
  // The campaign runs more: duckdb-histories.test.ts.
  runs: 20 * Number(process.env.SOAK ?? 1),
  landsApart: true,
  gathersOldDates: { create, afterMs: 600_000 },
  showsPulls: { create },
});
