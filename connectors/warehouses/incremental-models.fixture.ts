import { expect } from 'vitest';
import { CHANGED_PERSON_DAYS } from './views/changed-person-days.ts';
import { isShown } from './views/dialect.ts';
import type { GroupedView } from './views/views.ts';

/** Incremental models of views by day, which follow `changed_person_days`. */

export interface FollowedView {
  readonly name: string;
  /** The column with the date. */
  readonly date: string;
  /** The other columns. */
  readonly columns: readonly string[];
}

/** Returns the views by day, except for `quality_flags`, which compares a day with the whole history. */
export const followedViews = (views: readonly GroupedView[]): FollowedView[] =>
  views.flatMap((view): FollowedView[] => {
    if (!isShown(view) || view.group !== 'days' || ['quality_flags', CHANGED_PERSON_DAYS].includes(view.name)) return [];
    const columns = view.columns.map(({ name }) => name);
    const date = columns.find((name) => name === 'local_date' || name === 'night_date');
    return date === undefined ? [] : [{ name: view.name, date, columns }];
  });

/** Runs a query, and returns all rows. */
export type Rows = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** The rows of each day, as sorted texts, by view, user and date. */
type Days = ReadonlyMap<string, readonly string[]>;

function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? Number(value.toPrecision(9)) : value;
}

async function readDays(rows: Rows, views: readonly FollowedView[]): Promise<Days> {
  const days = new Map<string, readonly string[]>();
  for (const { name, date, columns } of views)
    for (const [user, day, ...row] of await rows(`select user_id, cast(${date} as string), ${columns.join(', ')} from ${name}`)) {
      const key = `${name} ${user} ${day}`;
      const text = JSON.stringify(row, (_, value) => shown(value));
      days.set(key, [...(days.get(key) ?? []), text].sort());
    }
  return days;
}

const differs = (a: Days, b: Days) => (key: string) => JSON.stringify(a.get(key)) !== JSON.stringify(b.get(key));

/** Copies of views, in which each update replaces only the changed days. */
export class IncrementalModels {
  readonly #rows: Rows;
  readonly #views: readonly FollowedView[];
  #days: Days = new Map();
  #watermark = '';

  constructor(rows: Rows, views: readonly FollowedView[]) {
    this.#rows = rows;
    this.#views = views;
  }

  /**
   * Follows the changes, and checks that the copies equal the views. Returns how many days of the views differed, and how many it did
   * not read again.
   */
  async update(): Promise<{ readonly differing: number; readonly left: number }> {
    const days = await readDays(this.#rows, this.#views);
    const changes = await this.#rows(
      `select user_id, cast(local_date as string), cast(changed_at as string) from ${CHANGED_PERSON_DAYS}`,
    );
    const changed = new Set(
      changes.filter(([, , at]) => String(at) > this.#watermark).map(([user, day]) => `${user ?? 'all'} ${day ?? 'all'}`),
    );
    const isChanged = (key: string): boolean => {
      const [, user, day] = key.split(' ');
      return [`${user} ${day}`, `${user} all`, 'all all'].some((one) => changed.has(one));
    };
    const before = this.#days;
    const keys = [...new Set([...before.keys(), ...days.keys()])];
    const copies = new Map([...before].filter(([key]) => !isChanged(key)));
    for (const [key, rows] of days) if (isChanged(key)) copies.set(key, rows);
    this.#days = copies;
    this.#watermark = [this.#watermark, ...changes.map(([, , at]) => String(at))].toSorted().at(-1)!;
    expect(keys.filter(differs(copies, days))).toEqual([]);
    return { differing: keys.filter(differs(before, days)).length, left: keys.filter((key) => !isChanged(key)).length };
  }
}
