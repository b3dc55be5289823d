import type { WarehouseReader } from '@aorta/connectors';
import { pause } from '@aorta/runtime';
import { configuredWarehouse, type WarehouseSetting } from '../../config/adapters.ts';
import { isUnpublished } from '../stored-data.ts';
import { type Loaded, newestLoaded, type Row, readBoard, type Selection } from './board.ts';

/** Milliseconds between two reads of the board, unless the warehouse sets its own interval. */
const EVERY_MS = 30_000;
/** Maximum number of pulls whose last printed state is kept in memory. */
const MOST_REMEMBERED = 100_000;

export interface Watched {
  readonly setting: WarehouseSetting;
  readonly selection: Selection;
  /** Maximum number of pulls printed at a time. */
  readonly limit: number;
  open(): Promise<WarehouseReader>;
  /** Prints the initial board and returns the printed pulls. */
  begin(reader: WarehouseReader): Promise<readonly Row[]>;
  /** Prints changed pulls. `more`: whether further pulls have changed. */
  changed(rows: readonly Row[], more: boolean): Promise<void>;
  /** Called once if the tables do not exist yet. */
  waits(): Promise<void>;
}

/** Prints the board, then only its changes, until the signal aborts. */
export async function watchBoard(watched: Watched, signal: AbortSignal): Promise<void> {
  const { adapter, settings } = configuredWarehouse(watched.setting);
  const everyMs = adapter.watchEveryMs ?? EVERY_MS;
  const board = new ShownBoard(watched);
  let read: string | undefined;
  let waited = false;
  for (; !signal.aborted; await pause(everyMs, signal)) {
    // The stamp changes when new tables are published. If the adapter has none, only a query can detect new tables.
    const stamp = adapter.stampOf?.(settings);
    if (stamp !== undefined && stamp === read) continue;
    try {
      await using reader = await watched.open();
      await board.look(reader);
      read = stamp;
    } catch (error) {
      // The tables do not exist yet, but a first run may create them soon.
      if (!isUnpublished(error)) throw error;
      if (!waited) await watched.waits();
      waited = true;
    }
  }
}

/** Remembers the part of the board that was printed, to detect changes. */
class ShownBoard {
  readonly #watched: Watched;
  /** Last printed state of each pull, by key. */
  readonly #shown = new Map<string, string>();
  #loaded: Loaded | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** Prints the board on the first call. Later calls print only the changes since the previous call. */
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

  /** Returns whether a pull differs from its last printed state, and remembers the new state. */
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
