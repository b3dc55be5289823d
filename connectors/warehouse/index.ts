export { type BigQueryOptions, type BigQuerySettings, bigQueryOptions } from './bigquery/options.ts';
export type { DuckDbWarehouseOptions } from './duckdb/duckdb-warehouse.ts';
export { publishedPath } from './duckdb/publish.ts';
export type { ErasureReceipt } from './erasure.ts';
export { type DuckDbOptions, type DuckDbSettings, duckDbOptions } from './options.ts';
export { landedTable, notLanded, type Privacy, privacyOptions, withheld } from './privacy.ts';
export type {
  CostReport,
  GrowingBatch,
  Landed,
  LandedPartition,
  LandingBatch,
  MergeReport,
  QueryResult,
  QueryValue,
  TableDifference,
  TimedWait,
  WaitingMerge,
  Warehouse,
  WarehouseReader,
} from './warehouse.ts';
export { gather } from './warehouse.ts';
