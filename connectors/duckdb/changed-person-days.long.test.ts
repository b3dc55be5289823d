import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomOf } from '@aorta/people';
import { tables } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { isShown } from '../warehouses/views/dialect.ts';
import { views } from '../warehouses/views/views.ts';
import { CHANGED_PERSON_DAYS } from './changed-person-days.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { History } from './random-history.fixture.ts';
import { duckDbViews } from './views-dialect.ts';

/** Compares incremental models of the views by day, which follow `changed_person_days`, with the views themselves. */

/** The views by day, and the column with their date. `quality_flags` compares a day with the whole history. */
const followed = views(duckDbViews, tables, tables, {}).flatMap((view) => {
  if (!isShown(view) || view.group !== 'days' || ['quality_flags', CHANGED_PERSON_DAYS].includes(view.name)) return [];
  const date = view.columns.find(({ name }) => name === 'local_date' || name === 'night_date');
  return date === undefined ? [] : [{ name: view.name, date: date.name }];
});

/** The rows of each day, as sorted texts, by view, user and date. */
type Days = Map<string, readonly string[]>;

interface Seen {
  readonly days: Days;
  /** When each day has changed, by user and date. */
  readonly changes: ReadonlyMap<string, string>;
}

function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? Number(value.toPrecision(9)) : value;
}

/** Reads the views by day and the changed days from the published copy. */
async function read(path: string): Promise<Seen> {
  const reader = await openDuckDbReader({ path });
  const days: Days = new Map();
  const changes = new Map<string, string>();
  try {
    for (const { name, date } of followed)
      for await (const batch of (await reader.query(`select user_id, ${date}::varchar, v from ${name} v`)).rows)
        for (const [user, day, row] of batch) {
          const key = `${name} ${user} ${day}`;
          const text = JSON.stringify(row, (_, value) => shown(value));
          days.set(key, [...(days.get(key) ?? []), text].sort());
        }
    const changed = `select user_id, local_date::varchar, changed_at::varchar from ${CHANGED_PERSON_DAYS}`;
    for await (const batch of (await reader.query(changed)).rows)
      for (const [user, day, at] of batch) {
        expect(changes.has(`${user} ${day}`)).toBe(false);
        changes.set(`${user} ${day}`, String(at));
      }
    return { days, changes };
  } finally {
    await reader.close();
  }
}

const dayOf = (key: string): string => key.slice(key.indexOf(' ') + 1);

/** The models of a data engineer: only the changed days are read again. */
class IncrementalModels {
  readonly #path: string;
  #days: Days = new Map();
  #watermark = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Follows the changes, and checks that the models equal the views. Returns how many days it read again, and how many differed. */
  async update(): Promise<{ readonly read: number; readonly differing: number }> {
    const { days, changes } = await read(this.#path);
    const changed = new Set([...changes].filter(([, at]) => at > this.#watermark).map(([day]) => day));
    const before = this.#days;
    const differing = new Set<string>();
    for (const key of new Set([...before.keys(), ...days.keys()]))
      if (JSON.stringify(before.get(key)) !== JSON.stringify(days.get(key))) differing.add(dayOf(key));
    this.#days = new Map([...before].filter(([key]) => !changed.has(dayOf(key))));
    for (const [key, rows] of days) if (changed.has(dayOf(key))) this.#days.set(key, rows);
    this.#watermark = [this.#watermark, ...changes.values()].toSorted().at(-1)!;
    const missed = new Set([...this.#days.keys(), ...days.keys()]);
    expect([...missed].filter((key) => JSON.stringify(this.#days.get(key)) !== JSON.stringify(days.get(key)))).toEqual([]);
    return { read: changed.size, differing: differing.size };
  }
}

test('the incremental models follow all views by day', () => {
  expect(followed.map(({ name }) => name)).toEqual([
    'timeseries_daily',
    'source_days',
    'metric_days',
    'quality_days',
    'sleep_nights',
    'workouts_deduplicated',
    'steps_hours',
    'heartrate_hours',
    'glucose_days',
    'person_days',
    'person_calendar',
  ]);
});

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  'incremental models equal the views after a random history (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const folder = mkdtempSync(join(tmpdir(), 'aorta-changed-'));
    const path = join(folder, 'warehouse.duckdb');
    try {
      const history = await History.begin(random, path, { days: 10, isFar: false });
      const models = new IncrementalModels(path);
      const differing: number[] = [];
      for (let step = 0; step < 12; step += 1) {
        await history.step();
        if (seed % 2 === 0 && step === 6) await history.prefer({ steps: ['garmin/watch'], sleep: ['fitbit/watch'] });
        if (seed % 3 === 0 && step === 9) await history.erase('u2');
        await history.publish();
        differing.push((await models.update()).differing);
      }
      expect(differing.filter((days) => days > 0).length).toBeGreaterThan(2);
      await history.end();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
