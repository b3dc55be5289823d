export { BigQueryError, bigQueryErrors } from './errors.ts';
export { type BigQuerySettings, bigQueryOptions } from './options.ts';
