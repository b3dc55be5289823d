import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { defaultData, type WarehouseAdapter, type WarehouseOnDisk } from '@aorta/connectors';
import { builtIn } from '@aorta/connectors/registry';
import { ProgramError } from '../errors.ts';

/** Name of the streams folder in a data folder. */
export const streamsInData = 'streams';

/** Paths of the streams and the warehouse that a command uses. Each warehouse has its own streams. */
export interface DataLocation {
  readonly streams: string;
  /** Path of the warehouse. If the warehouse is not on this machine, the path that a local warehouse would have. */
  readonly warehouse: string;
}

/** Command-line options that set the location of the data. */
export interface PlaceOptions {
  readonly warehouse?: string | undefined;
  readonly data?: string | undefined;
}

/** The adapter of a warehouse that is stored on this machine. */
export type WarehouseHere = WarehouseAdapter & { readonly onDisk: WarehouseOnDisk };

/** Returns the adapters of warehouses that are stored on this machine, the default one first. */
export function warehousesHere(warehouses: readonly WarehouseAdapter[]): readonly WarehouseHere[] {
  return warehouses.filter((one): one is WarehouseHere => one.onDisk !== undefined);
}

/**
 * Returns the location of the streams and the warehouse in a data folder. If no warehouse adapter is given, uses the first
 * built-in adapter whose warehouse is stored on this machine.
 */
export function placeInData(folder: string, { onDisk } = warehousesHere(builtIn.warehouses)[0]!): DataLocation {
  return { streams: join(folder, streamsInData), warehouse: join(folder, onDisk.name) };
}

/** A warehouse named with `--warehouse`, with its absolute path. */
export interface NamedWarehouse {
  readonly adapter: WarehouseHere;
  readonly path: string;
}

/** The configured location of the data, and the adapter of the local warehouse at that location. */
export interface ConfiguredPlace {
  readonly place: DataLocation;
  readonly adapter: WarehouseHere;
}

/**
 * Returns the location that the command line and the configuration set. `data` is a data folder, which contains `streams/`
 * and a warehouse. `named` is a warehouse with its own streams ({@link streamsOf}).
 */
export function placeOf(
  { place: configured, adapter }: ConfiguredPlace,
  data: string | undefined,
  named: NamedWarehouse | undefined,
  exists = existsSync,
): DataLocation {
  if (data !== undefined) {
    const place = placeInData(data, adapter);
    return named === undefined ? place : { ...place, warehouse: named.path };
  }
  if (named === undefined || named.path === configured.warehouse) return configured;
  return { streams: streamsOf(named.path, named.adapter, exists), warehouse: named.path };
}

/**
 * Returns the default streams folder of the warehouse at PATH. In a data folder, it is the folder `streams` next to the
 * warehouse. Otherwise, or if `PATH.streams` exists, it is `PATH.streams`. A warehouse is in a data folder if its file has
 * the default name (`warehouse.duckdb`), and its folder contains `streams` or is the default data folder.
 */
export function streamsOf(
  warehouse: string,
  { onDisk }: Pick<WarehouseHere, 'onDisk'>,
  exists: (path: string) => boolean = existsSync,
): string {
  const own = `${warehouse}.streams`;
  const folder = dirname(warehouse);
  if (basename(warehouse) !== onDisk.name || exists(own)) return own;
  const inData = join(folder, streamsInData);
  return basename(folder) === defaultData || exists(inData) ? inData : own;
}

/** Parses `--warehouse TYPE:PATH`. Resolves a relative path against `folder`. Throws AORTA-USAGE if `text` is invalid. */
export function namedWarehouse(text: string, here: readonly WarehouseHere[], folder: string): NamedWarehouse {
  const adapter = here.find(({ type }) => text.startsWith(`${type}:`));
  const path = adapter === undefined ? text : text.slice(adapter.type.length + 1);
  if (adapter !== undefined && path !== '') return { adapter, path: resolve(folder, path) };
  const { type } = adapter ?? here[0]!;
  const bare = adapter === undefined && path !== '' && !/^[a-z][a-z0-9+-]+:/i.test(path);
  throw new ProgramError('AORTA-USAGE', {
    problem: '--warehouse does not name a warehouse',
    hint: bare
      ? `Write --warehouse ${type}:${path}`
      : `Write --warehouse ${type}:PATH, for example --warehouse ${type}:health.${type}`,
  });
}
