export { DuckDbError } from './errors.ts';
export { duckDbOptions } from './options.ts';
