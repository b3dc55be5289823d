import { expect, test } from 'vitest';
import { Database } from '../storage/database.ts';
import { Clock } from './clock.ts';

test('a running clock ends with the year 9999', () => {
  const database = Database.open(':memory:');
  let real = 0;
  const clock = new Clock(database, { start: Date.UTC(9999, 11, 31, 23, 59, 59), runs: true }, () => real);
  real = 500;
  expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T23:59:59.500Z');
  real = 5000;
  expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T23:59:59.999Z');
  database.close();
});
