import { hostname } from 'node:os';
import type { LoadedRecords, StreamLogAdapter, StreamLogAt } from '@aorta/connectors';
import { adapterOf, builtIn } from '@aorta/connectors/registry';
import { GROUP } from '@aorta/loading';
import type { Setting } from './configuration.ts';

/** What of a setting says which streams it has, and where. */
export type StreamsSetting = Pick<Setting, 'configuration' | 'place'> & Partial<Pick<Setting, 'registry'>>;

/** The streams of a configuration: what works with them, and where they are, for a process that only looks. */
export interface ConfiguredStreams {
  readonly adapter: StreamLogAdapter;
  readonly at: StreamLogAt;
}

export function configuredStreams({ configuration, place, registry = builtIn }: StreamsSetting): ConfiguredStreams {
  const { streams } = configuration;
  const clientId = `aorta-look-${hostname()}-${process.pid}`;
  return { adapter: adapterOf(registry.streamLogs, streams), at: { settings: streams, folder: place.streams, clientId } };
}

/** Where the streams are, for people: a folder, or topics of some brokers. */
export function streamsPlace(setting: StreamsSetting): string {
  const { adapter, at } = configuredStreams(setting);
  return adapter.describe(at.settings, at.folder).text;
}

/** How far records are loaded, as the loader's group and these tables say. */
export function loadedRecords(reach: LoadedRecords['reach']): LoadedRecords {
  return { group: GROUP, reach };
}
