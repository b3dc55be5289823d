import { expect, test } from 'vitest';
import { clockChanges, moveClocks } from '../../machine/system-clock.fixture.ts';
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

test.each(clockChanges)('if the machine’s clock is %s, a running clock moves on as before', (_, jump) => {
  const machine = moveClocks();
  const database = Database.open(':memory:');
  const start = Date.UTC(2026, 4, 6);
  const clock = new Clock(database, { start, runs: true });
  machine.set(jump);
  machine.pass(5_000);
  expect(clock.now()).toBe(start + 5_000);
  database.close();
});

test('if the machine’s clock was set back since the last start, a running clock moves on from its last time', () => {
  const database = Database.open(':memory:');
  const start = Date.UTC(2026, 4, 6);
  let real = 10_000_000;
  new Clock(database, { start, runs: true }, () => real);
  real -= 7_200_000;
  const clock = new Clock(database, { start, runs: true }, () => real);
  real += 5_000;
  expect(clock.now()).toBe(start + 5_000);
  database.close();
});
