import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomOf } from '@aorta/people';
import { tables } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { followedViews, IncrementalModels, type Rows } from '../warehouses/incremental-models.fixture.ts';
import { History } from '../warehouses/random-history.fixture.ts';
import { views } from '../warehouses/views/views.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { historyFile } from './history-file.fixture.ts';
import { duckDbViews } from './views-dialect.ts';

/** Compares incremental models of the views by day, which follow `changed_person_days`, with the views themselves. */

const followed = followedViews(views(duckDbViews, tables, tables, {}));

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

/** Reads the published copy. */
const rowsOf =
  (path: string): Rows =>
  async (sql) => {
    const reader = await openDuckDbReader({ path });
    try {
      return (await Array.fromAsync((await reader.query(sql)).rows)).flat();
    } finally {
      await reader.close();
    }
  };

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
      const history = await History.begin(random, historyFile(path), { days: 10, isFar: false });
      const models = new IncrementalModels(rowsOf(path), followed);
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
