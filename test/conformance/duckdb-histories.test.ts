import { duckDbFiles } from './duckdb-files.ts';
import { tableConformance } from './warehouse.ts';

tableConformance('DuckDB', duckDbFiles(), 200);
