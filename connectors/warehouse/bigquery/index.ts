// An entry of its own: loading the official client takes time, and most verbs never ask it.
export { type BigQueryWarehouseOptions, openBigQueryWarehouse } from './bigquery-warehouse.ts';
export { type Applied, type ApplyProgress, applyBigQuery, type PlanningOptions, planBigQuery } from './planning.ts';
export { type BigQueryReaderOptions, openBigQueryReader } from './reading/bigquery-reader.ts';
export type { Difference } from './tables/difference.ts';
