import type { Setting } from './configuration.ts';

/** Where the tables are, for people: `duckdb:PATH` or `bigquery:PROJECT.DATASET`. */
export function warehousePlace({ configuration: { warehouse }, place }: Pick<Setting, 'configuration' | 'place'>): string {
  return warehouse.type === 'bigquery' ? `bigquery:${warehouse.project}.${warehouse.dataset}` : `duckdb:${place.warehouse}`;
}
