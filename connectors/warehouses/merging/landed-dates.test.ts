import { expect, test } from 'vitest';
import { FIRST_DAY, LAST_DAY, partitionDay, SampleDays } from './landed-dates.ts';

const micros = (iso: string): number => Date.parse(iso) * 1000;
const dayOf = (iso: string): number => Date.parse(iso) / 86_400_000;

test('dates in implausible years go into the first or the last partition', () => {
  expect(partitionDay(micros('1970-01-01T00:00:00Z'))).toBe(FIRST_DAY);
  expect(partitionDay(micros('2010-01-01T23:59:59Z'))).toBe(FIRST_DAY);
  expect(partitionDay(micros('2036-12-31T00:00:00Z'))).toBe(LAST_DAY);
  expect(partitionDay(micros('2200-01-01T00:00:00Z'))).toBe(LAST_DAY);
  expect(partitionDay(micros('2026-03-28T23:59:59Z'))).toBe(dayOf('2026-03-28'));
});

test('days close to the time of receipt count as recent, and backfilled or future days count as old', () => {
  const days = new SampleDays();
  const add = (...texts: string[]) => {
    const starts = texts.map(micros);
    days.add(starts, Math.min(...starts), Math.max(...starts));
  };
  add('2026-03-28T23:59:00Z', '2026-03-29T00:01:00Z', '2026-03-29T00:02:00Z');
  add('2025-01-01T00:00:00Z', '2025-01-01T01:00:00Z');
  add('2030-01-01T00:00:00Z');
  add();
  expect(days.split(dayOf('2026-03-30'), 2)).toEqual({
    recent: { days: [dayOf('2026-03-28'), dayOf('2026-03-29')], rows: 3 },
    old: { days: [dayOf('2025-01-01'), dayOf('2030-01-01')], rows: 3 },
  });
});
