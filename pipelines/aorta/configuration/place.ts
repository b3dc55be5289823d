import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { defaultData, type WarehouseAdapter, type WarehouseOnDisk } from '@aorta/connectors';
import { builtIn } from '@aorta/connectors/registry';
import { ProgramError } from '../errors.ts';

/** Where the data of a run stands. The streams belong to one warehouse: no other is fed from them. */
export interface Place {
  readonly streams: string;
  /** Path of the warehouse, if it is on this machine; else the one that it would have here. */
  readonly warehouse: string;
}

/** What the command line says about the place. */
export interface PlaceOptions {
  readonly warehouse?: string | undefined;
  readonly data?: string | undefined;
}

/** A type of warehouse that is on this machine. */
export type WarehouseHere = WarehouseAdapter & { readonly onDisk: WarehouseOnDisk };

/** The types of warehouse that are on this machine, the default one first. */
export function warehousesHere(warehouses: readonly WarehouseAdapter[]): readonly WarehouseHere[] {
  return warehouses.filter((one): one is WarehouseHere => one.onDisk !== undefined);
}

/** Name of the streams in a data folder. */
export const streamsInData = 'streams';

/** The place in a data folder, of a warehouse of the default type unless another is given. */
export function placeInData(folder: string, { onDisk } = warehousesHere(builtIn.warehouses)[0]!): Place {
  return { streams: join(folder, streamsInData), warehouse: join(folder, onDisk.name) };
}

/** A warehouse that the command line names. */
export interface NamedWarehouse {
  readonly adapter: WarehouseHere;
  readonly path: string;
}

/** The place that a configuration means, and the type of its warehouse on this machine. */
export interface ConfiguredPlace {
  readonly place: Place;
  readonly adapter: WarehouseHere;
}

/**
 * The place that the command line and the configuration together mean. `--data FOLDER` is a data folder with `streams/`
 * and a warehouse in it. `--warehouse TYPE:PATH` is that file, with its own streams ({@link streamsOf}). `named` is that
 * warehouse, with an absolute path.
 */
export function placeOf(
  { place: configured, adapter }: ConfiguredPlace,
  data: string | undefined,
  named: NamedWarehouse | undefined,
  exists = existsSync,
): Place {
  if (data !== undefined) {
    const place = placeInData(data, adapter);
    return named === undefined ? place : { ...place, warehouse: named.path };
  }
  if (named === undefined || named.path === configured.warehouse) return configured;
  return { streams: streamsOf(named.path, named.adapter, exists), warehouse: named.path };
}

/**
 * Where the streams of a warehouse stand if nobody says it: in `PATH.streams` beside it, which no other warehouse has.
 * Only a warehouse by the name that it has in a data folder, `warehouse.duckdb` say, has `streams` there: in the default
 * one, and where that folder is.
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

/** The warehouse of `--warehouse TYPE:PATH`; relative paths start from the folder. Throws AORTA-USAGE. */
export function namedWarehouse(text: string, here: readonly WarehouseHere[], folder: string): NamedWarehouse {
  const adapter = here.find(({ type }) => text.startsWith(`${type}:`));
  const path = adapter === undefined ? text : text.slice(adapter.type.length + 1);
  if (adapter !== undefined && path !== '') return { adapter, path: resolve(folder, path) };
  const { type } = adapter ?? here[0]!;
  const bare = adapter === undefined && path !== '' && !/^[a-z][a-z0-9+-]+:/i.test(path);
  throw new ProgramError('AORTA-USAGE', {
    problem: '--warehouse names no warehouse that there is',
    hint: bare
      ? `Write --warehouse ${type}:${path}`
      : `Write --warehouse ${type}:PATH, for example --warehouse ${type}:health.${type}`,
  });
}
