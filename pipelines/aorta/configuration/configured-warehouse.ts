import type { AdapterSettings, WarehouseAdapter } from '@aorta/connectors';
import { adapterOf, builtIn } from '@aorta/connectors/registry';
import type { Setting } from './configuration.ts';

/** The parts of a setting that determine the adapter and the location of the warehouse. */
export type WarehouseSetting = Pick<Setting<'warehouse'>, 'configuration' | 'place'> & Partial<Pick<Setting, 'registry'>>;

/** The adapter of the configured warehouse and its settings. For a warehouse on this machine, the settings contain its path. */
export interface ConfiguredWarehouse {
  readonly adapter: WarehouseAdapter;
  readonly settings: AdapterSettings;
}

export function configuredWarehouse({ configuration, place, registry = builtIn }: WarehouseSetting): ConfiguredWarehouse {
  const { warehouse } = configuration;
  const adapter = adapterOf(registry.warehouses, warehouse);
  return { adapter, settings: adapter.onDisk?.at(warehouse, place.warehouse) ?? warehouse };
}

/** Returns the location of the tables as text: `duckdb:PATH` or `bigquery:PROJECT.DATASET`. */
export function warehousePlace(setting: WarehouseSetting): string {
  const { adapter, settings } = configuredWarehouse(setting);
  return adapter.describe(settings).text;
}
