import type { AdapterSettings, WarehouseAdapter } from '@aorta/connectors';
import { adapterOf, builtIn } from '@aorta/connectors/registry';
import type { Setting } from './configuration.ts';

/** What of a setting says which warehouse it has, and where. */
export type WarehouseSetting = Pick<Setting, 'configuration' | 'place'> & Partial<Pick<Setting, 'registry'>>;

/** A warehouse of a configuration: what works with it, and its settings, with the place of one on this machine. */
export interface ConfiguredWarehouse {
  readonly adapter: WarehouseAdapter;
  readonly settings: AdapterSettings;
}

export function configuredWarehouse({ configuration, place, registry = builtIn }: WarehouseSetting): ConfiguredWarehouse {
  const { warehouse } = configuration;
  const adapter = adapterOf(registry.warehouses, warehouse);
  return { adapter, settings: adapter.onDisk?.at(warehouse, place.warehouse) ?? warehouse };
}

/** Where the tables are, for people: `duckdb:PATH` or `bigquery:PROJECT.DATASET`. */
export function warehousePlace(setting: WarehouseSetting): string {
  const { adapter, settings } = configuredWarehouse(setting);
  return adapter.describe(settings).text;
}
