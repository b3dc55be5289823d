import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AortaError } from '@aorta/telemetry';

/** Where the data of a run stands. The streams belong to one warehouse: no other is fed from them. */
export interface Place {
  readonly streams: string;
  readonly warehouse: string;
}

/** What the command line says about the place. */
export interface PlaceOptions {
  readonly warehouse?: string | undefined;
  readonly data?: string | undefined;
}

/** Places in a data folder. */
export const dataLayout = { streams: 'streams', warehouse: 'warehouse.duckdb' } as const;

/** The data folder where nothing is configured. */
export const defaultData = 'aorta-data';

export function placeInData(folder: string): Place {
  return { streams: join(folder, dataLayout.streams), warehouse: join(folder, dataLayout.warehouse) };
}

/**
 * The place that the command line and the configuration together mean. `--data FOLDER` is a data folder with `streams/`
 * and `warehouse.duckdb` in it. `--warehouse duckdb:PATH` is that file, with its own streams ({@link streamsOf}).
 */
export function placeOf(configured: Place, options: PlaceOptions, folder: string, exists = existsSync): Place {
  const warehouse = options.warehouse === undefined ? undefined : resolve(folder, warehousePath(options.warehouse));
  if (options.data !== undefined) {
    const place = placeInData(resolve(folder, options.data));
    return warehouse === undefined ? place : { ...place, warehouse };
  }
  if (warehouse === undefined || warehouse === configured.warehouse) return configured;
  return { streams: streamsOf(warehouse, exists), warehouse };
}

/**
 * Where the streams of a warehouse stand if nobody says it: in `PATH.streams` beside it, which no other warehouse has.
 * Only a `warehouse.duckdb` in a data folder has `streams` there: in the default one, and where that folder is.
 */
export function streamsOf(warehouse: string, exists: (path: string) => boolean = existsSync): string {
  const own = `${warehouse}.streams`;
  const folder = dirname(warehouse);
  if (basename(warehouse) !== dataLayout.warehouse || exists(own)) return own;
  const inData = join(folder, dataLayout.streams);
  return basename(folder) === defaultData || exists(inData) ? inData : own;
}

/** The path of `duckdb:PATH`. */
function warehousePath(text: string): string {
  const [kind, path] = text.startsWith('duckdb:') ? ['duckdb', text.slice('duckdb:'.length)] : [undefined, text];
  if (kind === undefined || path === '') {
    const bare = kind === undefined && path !== '' && !/^[a-z][a-z0-9+-]+:/i.test(path);
    throw new AortaError('AORTA-USAGE', {
      problem: '--warehouse names no warehouse that there is',
      hint: bare
        ? `Write --warehouse duckdb:${path}`
        : 'Write --warehouse duckdb:PATH, for example --warehouse duckdb:health.duckdb',
    });
  }
  return path;
}
