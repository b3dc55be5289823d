export type { DuckDbWarehouseOptions } from './duckdb-warehouse.ts';
export { DuckDbError, duckDbErrors } from './errors.ts';
export { type DuckDbSettings, duckDbOptions } from './options.ts';
export { publishedPath } from './publish.ts';
