import { statSync } from 'node:fs';
import { pause } from '@aorta/telemetry';
import { publishedPath, type WarehouseReader } from '@aorta/warehouse';
import type { Setting } from '../configuration/configuration.ts';
import { isUnpublished } from '../reading.ts';
import { type Loaded, newestLoaded, type Row, readBoard, type Selection } from './board.ts';

/** How often it is looked whether anything has changed: a file costs nothing, and a query of BigQuery does. Milliseconds. */
const EVERY_MS = { duckdb: 2_000, bigquery: 30_000 } as const;
/** Pulls of which it is remembered how they were shown last. */
const MOST_REMEMBERED = 100_000;

export interface Watched {
  readonly setting: Setting;
  readonly selection: Selection;
  /** Pulls that are shown at a time, at most. */
  readonly limit: number;
  open(): Promise<WarehouseReader>;
  /** Shows the board as it is at first. Gives the pulls that were shown. */
  begin(reader: WarehouseReader): Promise<readonly Row[]>;
  /** Shows pulls that have changed; `more`: others have, too. */
  changed(rows: readonly Row[], more: boolean): Promise<void>;
  /** There are no tables yet. */
  waits(): Promise<void>;
}

/** Shows the board, and then only what changes on it, until the signal comes. */
export async function watchBoard(watched: Watched, signal: AbortSignal): Promise<void> {
  const { setting, selection, limit } = watched;
  const everyMs = EVERY_MS[setting.configuration.warehouse.type];
  const shown = new Map<string, string>();
  let loaded: Loaded | undefined;
  let read: string | undefined;
  let waited = false;
  for (; !signal.aborted; await pause(everyMs, signal)) {
    const stamp = stampOf(setting);
    if (stamp !== undefined && stamp === read) continue;
    try {
      const reader = await watched.open();
      try {
        const newest = await newestLoaded(reader);
        if (loaded === undefined) for (const row of await watched.begin(reader)) isNews(row, shown);
        else await showChanged(watched, reader, loaded, { selection, limit }, shown);
        loaded = newest;
        read = stamp;
      } finally {
        await reader.close();
      }
    } catch (error) {
      // A first run makes the tables in a moment.
      if (!isUnpublished(error)) throw error;
      if (!waited) await watched.waits();
      waited = true;
    }
  }
}

async function showChanged(
  { changed }: Watched,
  reader: WarehouseReader,
  loaded: Loaded,
  { selection, limit }: Pick<Watched, 'selection' | 'limit'>,
  shown: Map<string, string>,
): Promise<void> {
  const news: Row[] = [];
  let more = false;
  for (const by of ['track', 'answer'] as const)
    for await (const rows of readBoard(reader, { selection, limit: limit + 1, changed: { by, after: loaded[by] } }))
      for (const row of rows) {
        if (!isNews(row, shown)) continue;
        if (news.length < limit) news.push(row);
        else more = true;
      }
  if (news.length > 0) await changed(news, more);
}

/** Whether something else is said of the pull than when it was shown last; it counts as shown from now on. */
function isNews(row: Row, shown: Map<string, string>): boolean {
  const key = JSON.stringify([row.user_id, row.provider, row.resource]);
  const said = JSON.stringify([row.standing, row.since, row.reason, row.state, row.status, row.scheduled_at, row.provisional]);
  if (shown.get(key) === said) return false;
  shown.delete(key);
  shown.set(key, said);
  if (shown.size > MOST_REMEMBERED) shown.delete(shown.keys().next().value!);
  return true;
}

/** What is another one as soon as other tables are published; undefined where only a query tells. */
function stampOf({ place, configuration }: Setting): string | undefined {
  if (configuration.warehouse.type !== 'duckdb') return undefined;
  for (const path of [publishedPath(place.warehouse), place.warehouse])
    try {
      const { ino, mtimeMs, size } = statSync(path);
      return `${path} ${ino} ${mtimeMs} ${size}`;
    } catch {
      // Not there: the next one, or none yet.
    }
  return undefined;
}
