import type { AdapterSettings, WarehouseAdapter } from '@aorta/connectors';
import { adapterOf, builtIn } from '@aorta/connectors/registry';
import type { Setting } from './configuration.ts';

/** The parts of a setting that determine its warehouse and its place. */
export type WarehouseSetting = Pick<Setting, 'configuration' | 'place'> & Partial<Pick<Setting, 'registry'>>;

/** The adapter of the configured warehouse, and its settings, with the path of a warehouse on this machine. */
export interface ConfiguredWarehouse {
  readonly adapter: WarehouseAdapter;
  readonly settings: AdapterSettings;
}

export function configuredWarehouse({ configuration, place, registry = builtIn }: WarehouseSetting): ConfiguredWarehouse {
  const { warehouse } = configuration;
  const adapter = adapterOf(registry.warehouses, warehouse);
  return { adapter, settings: adapter.onDisk?.at(warehouse, place.warehouse) ?? warehouse };
}

/** Returns the place of the tables as text: `duckdb:PATH` or `bigquery:PROJECT.DATASET`. */
export function warehousePlace(setting: WarehouseSetting): string {
  const { adapter, settings } = configuredWarehouse(setting);
  return adapter.describe(settings).text;
}
