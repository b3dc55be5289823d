import { expect, test } from 'vitest';
import { dayNumber, dayText, instantText, microText, weekday } from './calendar.ts';

test.each(['2026-02-30', 'today'])('a day that is no date is refused: %s', (text) => {
  expect(() => dayNumber(text)).toThrow('YYYY-MM-DD');
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
