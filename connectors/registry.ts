import { AortaError } from '@aorta/runtime';
import { warehouse as bigQuery } from './bigquery/adapter.ts';
import { warehouse as duckDb } from './duckdb/adapter.ts';
import { eventHubs } from './event-hubs/adapter.ts';
import { files } from './files/adapter.ts';
import { kafka } from './kafka/source/adapter.ts';
import { streamLog as kafkaStreams } from './kafka/streams/adapter.ts';
import { streamLog as localStreams } from './log/adapter.ts';
import type { SourceAdapter } from './source.ts';
import type { StreamLogAdapter } from './stream-log.ts';
import type { WarehouseAdapter } from './warehouse.ts';
import { webhook } from './webhook/adapter.ts';

export { SmallFiles } from './files/content.ts';
// `aorta load` reads event files given on the command line, without a configuration.
export { pathsMeant } from './files/path-words.ts';
export { type Expansion, expand } from './files/paths.ts';
export { FilesSource, type FilesSourceOptions } from './files/source.ts';

/** The adapters that a configuration can name. The first stream log and the first warehouse are the defaults. */
export interface Registry {
  readonly sources: readonly SourceAdapter[];
  readonly streamLogs: readonly StreamLogAdapter[];
  readonly warehouses: readonly WarehouseAdapter[];
}

/** The adapters that ship with Aorta. To add an adapter, create a folder for it and list it here. */
export const builtIn: Registry = {
  sources: [files, eventHubs, kafka, webhook],
  streamLogs: [localStreams, kafkaStreams],
  warehouses: [duckDb, bigQuery],
};

/**
 * Returns a registry with custom adapters: `composeRegistry({ sources: [...builtIn.sources, mine] })`. A list that is
 * not given is taken from {@link builtIn}. The adapters in one list must have different types.
 */
export function composeRegistry(lists: Partial<Registry>): Registry {
  return { ...builtIn, ...lists };
}

/** Returns the adapter whose type the settings name. Throws AORTA-BUG if there is none. */
export function adapterOf<Adapter extends { readonly type: string }>(
  adapters: readonly Adapter[],
  { type }: { readonly type: string },
): Adapter {
  const adapter = adapters.find((one) => one.type === type);
  if (adapter === undefined) throw new AortaError('AORTA-BUG', { place: 'registry', problem: `no adapter of type ${type}` });
  return adapter;
}
