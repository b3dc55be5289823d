import { hostname } from 'node:os';
import type { LoadedRecords, StreamLogAdapter, StreamLogAt } from '@aorta/connectors';
import { adapterOf, builtIn } from '@aorta/connectors/registry';
import { GROUP } from '@aorta/loading';
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
