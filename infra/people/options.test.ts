import { expect, test } from 'vitest';
import { dayNumber, dayText, instantText, microText, weekday } from './calendar.ts';
import { settle } from './options.ts';

const good = { seed: 1, people: 2, days: 3 };

test('omitted options get their default values', () => {
  expect(settle(good)).toMatchObject({
    partitions: 4,
    source: 'people',
    samplesPerEvent: 100,
    firstDay: dayNumber('2026-03-20'),
  });
  expect(settle({ ...good, rates: { late: 0 } }).rates).toMatchObject({ late: 0, redelivery: 0.02 });
});

test.each([
  [{ seed: 1.5 }, 'seed'],
  [{ people: 0 }, 'people'],
  [{ days: -1 }, 'days'],
  [{ partitions: 0 }, 'partitions'],
  [{ firstDay: '2026-02-30' }, 'YYYY-MM-DD'],
  [{ firstDay: 'today' }, 'YYYY-MM-DD'],
  [{ source: '../x' }, 'source'],
  [{ rates: { late: 1.1 } }, 'rates.late'],
  [{ rates: { outage: Number.NaN } }, 'rates.outage'],
  [{ heartRateSeconds: 0 }, 'heartRateSeconds'],
])('the error for an invalid option names the option: %o', (change, name) => {
  expect(() => settle({ ...good, ...change })).toThrow(name);
});

test('days and instants have the formats that the service uses', () => {
  const noon = Date.parse('2026-03-20T12:05:09.042Z');
  expect(dayText(dayNumber('1969-12-31'))).toBe('1969-12-31');
  expect(weekday(dayNumber('2026-03-22'))).toBe(7);
  expect(weekday(dayNumber('1969-12-29'))).toBe(1);
  expect(instantText(noon, 'offset')).toBe('2026-03-20T12:05:09+00:00');
  expect(instantText(noon, 'z')).toBe('2026-03-20T12:05:09Z');
  expect(instantText(noon, 'offset-millis')).toBe('2026-03-20T12:05:09.042+00:00');
  expect(instantText(noon, 'z-millis')).toBe('2026-03-20T12:05:09.042Z');
  expect(instantText(noon, 'offset-micros')).toBe('2026-03-20T12:05:09.042000+00:00');
  expect(microText(noon * 1000 + 7)).toBe('2026-03-20T12:05:09.042007Z');
});
