import { AortaError } from '@aorta/runtime';
import type { SourceAdapter } from './source.ts';
import { eventHubs } from './sources/event-hubs/adapter.ts';
import { files } from './sources/files/adapter.ts';
import { kafka } from './sources/kafka/adapter.ts';
import type { StreamLogAdapter } from './stream-log-adapter.ts';
import { streamLog as kafkaStreams } from './streams/kafka/adapter.ts';
import { streamLog as localStreams } from './streams/local/adapter.ts';
import type { WarehouseAdapter } from './warehouse-adapter.ts';
import { warehouse as bigQuery } from './warehouses/bigquery/adapter.ts';
import { warehouse as duckDb } from './warehouses/duckdb/adapter.ts';

// `aorta load` reads event files that no configuration names, by the paths of a command line.
export { expand } from './sources/files/paths.ts';
export { SmallFiles } from './sources/files/small-files.ts';
export { FilesSource, type FilesSourceOptions } from './sources/files/source.ts';

/** The adapters that a configuration may name, by what they stand for. The first stream log and the first warehouse are those of a configuration that names none. */
export interface Registry {
  readonly sources: readonly SourceAdapter[];
  readonly streamLogs: readonly StreamLogAdapter[];
  readonly warehouses: readonly WarehouseAdapter[];
}

/** Everything that comes with Aorta. A new adapter is one folder, and one word here. */
export const builtIn: Registry = {
  sources: [files, eventHubs, kafka],
  streamLogs: [localStreams, kafkaStreams],
  warehouses: [duckDb, bigQuery],
};

/**
 * A registry with adapters of one's own: `composeRegistry({ sources: [...builtIn.sources, mine] })`. A list that is left out
 * is that of {@link builtIn}. Two adapters of one list differ in their type.
 */
export function composeRegistry(lists: Partial<Registry>): Registry {
  return { ...builtIn, ...lists };
}

/** The adapter for settings that were read by its options. */
export function adapterOf<Adapter extends { readonly type: string }>(
  adapters: readonly Adapter[],
  { type }: { readonly type: string },
): Adapter {
  const adapter = adapters.find((one) => one.type === type);
  if (adapter === undefined) throw new AortaError('AORTA-BUG', { place: 'registry', problem: `no adapter of type ${type}` });
  return adapter;
}
