// An entry of its own: loading DuckDB's library is most of what starting takes, and most verbs never ask it.
export { openDuckDbReader } from './duckdb-reader.ts';
export { openDuckDbWarehouse } from './duckdb-warehouse.ts';
