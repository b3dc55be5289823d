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
export async function watchBoard(watched: Watched, signal: AbortSignal): Promise<void> {
  const { adapter, settings } = configuredWarehouse(watched.setting);
  const everyMs = adapter.watchEveryMs ?? EVERY_MS;
  const board = new ShownBoard(watched);
  let read: string | undefined;
  let waited = false;
  for (; !signal.aborted; await pause(everyMs, signal)) {
    // Differs as soon as other tables are published; undefined if only a query tells.
    const stamp = adapter.stampOf?.(settings);
    if (stamp !== undefined && stamp === read) continue;
    try {
      await using reader = await watched.open();
      await board.look(reader);
      read = stamp;
    } catch (error) {
      // A first run makes the tables in a moment.
      if (!isUnpublished(error)) throw error;
      if (!waited) await watched.waits();
      waited = true;
    }
  }
}

/** What of the board was shown, and how. */
class ShownBoard {
  readonly #watched: Watched;
  /** How each pull was shown last, by its key. */
  readonly #shown = new Map<string, string>();
  #loaded: Loaded | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** Shows the board at first, and then what has changed since the look before. */
  async look(reader: WarehouseReader): Promise<void> {
    const newest = await newestLoaded(reader);
    if (this.#loaded === undefined) for (const row of await this.#watched.begin(reader)) this.#isNews(row);
    else await this.#showChanged(reader, this.#loaded);
    this.#loaded = newest;
  }

  async #showChanged(reader: WarehouseReader, loaded: Loaded): Promise<void> {
    const { limit, changed } = this.#watched;
    const news: Row[] = [];
    let more = false;
    for await (const row of this.#changedSince(reader, loaded)) {
      if (!this.#isNews(row)) continue;
      if (news.length < limit) news.push(row);
      else more = true;
    }
    if (news.length > 0) await changed(news, more);
  }

  async *#changedSince(reader: WarehouseReader, loaded: Loaded): AsyncGenerator<Row> {
    const { selection, limit } = this.#watched;
    for (const by of ['track', 'answer'] as const)
      for await (const rows of readBoard(reader, { selection, limit: limit + 1, changed: { by, after: loaded[by] } }))
        yield* rows;
  }

  /** Whether a pull differs from how it was shown last; it counts as shown from now on. */
  #isNews(row: Row): boolean {
    const key = JSON.stringify([row.user_id, row.provider, row.resource]);
    const said = JSON.stringify([row.standing, row.since, row.reason, row.state, row.status, row.scheduled_at, row.provisional]);
    if (this.#shown.get(key) === said) return false;
    this.#shown.delete(key);
    this.#shown.set(key, said);
    if (this.#shown.size > MOST_REMEMBERED) this.#shown.delete(this.#shown.keys().next().value!);
    return true;
  }
}
