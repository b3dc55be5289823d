import type { WarehouseReader } from '@aorta/connectors';
import { pause } from '@aorta/runtime';
import { configuredWarehouse, type WarehouseSetting } from '../configuration/configured-warehouse.ts';
import { isUnpublished } from '../reading.ts';
import { type Loaded, newestLoaded, type Row, readBoard, type Selection } from './board.ts';

/** Milliseconds from one look to the next, unless the warehouse says otherwise. */
const EVERY_MS = 30_000;
/** Pulls of which it is remembered how they were shown last. */
const MOST_REMEMBERED = 100_000;

export interface Watched {
  readonly setting: WarehouseSetting;
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
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: not cut into steps yet
export async function watchBoard(watched: Watched, signal: AbortSignal): Promise<void> {
  const { setting, selection, limit } = watched;
  const { adapter, settings } = configuredWarehouse(setting);
  const everyMs = adapter.watchEveryMs ?? EVERY_MS;
  const shown = new Map<string, string>();
  let loaded: Loaded | undefined;
  let read: string | undefined;
  let waited = false;
  for (; !signal.aborted; await pause(everyMs, signal)) {
    // Differs as soon as other tables are published; undefined if only a query tells.
    const stamp = adapter.stampOf?.(settings);
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

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: not cut into steps yet
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
