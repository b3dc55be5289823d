export type { Landed, LandingBatch, MergeReport, QueryResult, QueryValue, Warehouse, WarehouseReader } from './warehouse.ts';
