import { tables } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { keptTables } from '../warehouses/kept/kept-tables.ts';
import { views } from '../warehouses/views/views.ts';
import { definedTables } from './kept-definitions.ts';
import { duckDbViews } from './views-dialect.ts';

test('a kept table reads the tables in its queries, and not those that a text of a query names', () => {
  const kept = definedTables(keptTables({}), views(duckDbViews, tables, tables, {}));
  const names = [...tables, ...keptTables({})].map(({ name }) => name);
  const read = kept.map(({ table, reads }) => [table.name, names.filter((name) => reads.has(name)).toSorted()]);
  expect(Object.fromEntries(read)).toEqual({
    user_offset_days: ['blood_pressure', 'notes', 'timeseries'],
    user_time_zones: ['activity', 'electrocardiogram', 'sleep', 'sleep_cycle', 'user_offset_days', 'users', 'workouts'],
    timeseries_daily: ['timeseries', 'user_time_zones'],
    source_days: ['activity', 'blood_pressure', 'body', 'sleep', 'timeseries_daily', 'user_time_zones', 'workouts'],
    metric_days: ['activity', 'body', 'timeseries', 'timeseries_daily', 'user_time_zones'],
  });
});
