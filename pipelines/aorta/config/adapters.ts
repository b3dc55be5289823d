import { hostname } from 'node:os';
import type {
  AdapterSettings,
  LoadedRecords,
  SourceAdapter,
  SourceSettings,
  StreamLogAdapter,
  StreamLogAt,
  WarehouseAdapter,
} from '@aorta/connectors';
import { adapterOf, builtIn } from '@aorta/connectors/registry';
import { GROUP } from '@aorta/loading/groups';
import type { Setting } from './configuration.ts';

/** The parts of a setting that determine the adapter and the location of the streams. */
export type StreamsSetting = Pick<Setting<'streams'>, 'configuration' | 'place'> & Partial<Pick<Setting, 'registry'>>;

/** The adapter and the location of the configured streams. The client id in the location is for processes that only read. */
export interface ConfiguredStreams {
  readonly adapter: StreamLogAdapter;
  readonly at: StreamLogAt;
}

export function configuredStreams({ configuration, place, registry = builtIn }: StreamsSetting): ConfiguredStreams {
  const { streams } = configuration;
  const clientId = `aorta-look-${hostname()}-${process.pid}`;
  return { adapter: adapterOf(registry.streamLogs, streams), at: { settings: streams, folder: place.streams, clientId } };
}

/** Returns the location of the streams as text: a folder, or topics and their brokers. */
export function streamsPlace(setting: StreamsSetting): string {
  const { adapter, at } = configuredStreams(setting);
  return adapter.describe(at.settings, at.folder).text;
}

/** Combines the loader's consumer group with `reach`, which returns the positions that the tables have reached. */
export function loadedRecords(reach: LoadedRecords['reach']): LoadedRecords {
  return { group: GROUP, reach };
}

/** The settings of a configured source, and the adapter of its type. */
export interface ConfiguredSource {
  readonly settings: SourceSettings;
  readonly adapter: SourceAdapter;
}

export type SourcesSetting = Pick<Setting, 'readable' | 'registry'>;

/** Returns the sources without unset variables, in the order in which the configuration lists them. */
export function sourcesOf({ readable, registry }: SourcesSetting): readonly ConfiguredSource[] {
  return (readable.sources ?? []).map((settings) => ({ settings, adapter: adapterOf(registry.sources, settings) }));
}

/** The parts of a setting that determine the adapter and the location of the warehouse. */
export type WarehouseSetting = Pick<Setting<'warehouse'>, 'configuration' | 'place'> & Partial<Pick<Setting, 'registry'>>;

/** The adapter of the configured warehouse and its settings. For a warehouse on this machine, the settings contain its path. */
interface ConfiguredWarehouse {
  readonly adapter: WarehouseAdapter;
  readonly settings: AdapterSettings;
}

export function configuredWarehouse({ configuration, place, registry = builtIn }: WarehouseSetting): ConfiguredWarehouse {
  const { warehouse } = configuration;
  const adapter = adapterOf(registry.warehouses, warehouse);
  const { onDisk } = adapter;
  return { adapter, settings: onDisk === undefined ? warehouse : { ...warehouse, [onDisk.field]: place.warehouse } };
}

/** Returns the location of the tables as text: `duckdb:PATH` or `bigquery:PROJECT.DATASET`. */
export function warehousePlace(setting: WarehouseSetting): string {
  const { adapter, settings } = configuredWarehouse(setting);
  return adapter.describe(settings).text;
}
