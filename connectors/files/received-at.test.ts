import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReceivedAt } from '../sources/delivery.ts';

test.each([
  ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5) * 1000],
  ['2026-01-02t03:04:05z', Date.UTC(2026, 0, 2, 3, 4, 5) * 1000],
  ['2026-01-02 03:04:05.1+00:00', Date.UTC(2026, 0, 2, 3, 4, 5) * 1000 + 100_000],
  ['2026-01-02T03:04:05.123456789-05:30', Date.UTC(2026, 0, 2, 8, 34, 5) * 1000 + 123_456],
  ['2024-02-29T23:59:59.999999Z', Date.UTC(2024, 1, 29, 23, 59, 59) * 1000 + 999_999],
  ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1) * 1000],
  ['1969-12-31T23:59:59.999999Z', -1],
])('parseReceivedAt parses %s', (text, expected) => {
  expect(parseReceivedAt(text)).toBe(expected);
});

test.each([
  '',
  '2026-01-02',
  '2026-01-02T03:04:05',
  '2026-01-02T03:04Z',
  '2026-02-29T03:04:05Z',
  '2026-13-01T03:04:05Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:61Z',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00:00,5Z',
  '2026-01-01T00:00:00.1234567890Z',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00Z\n',
  '0000-01-01T00:00:00Z',
  '9999-01-01T00:00:00Z',
  '1700000000',
])('parseReceivedAt returns NaN for %j', (text) => {
  expect(parseReceivedAt(text)).toBeNaN();
});

test('parseReceivedAt agrees with Date to the microsecond at any UTC offset', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1900-01-02T00:00:00Z'), max: new Date('2200-12-30T00:00:00Z'), noInvalidDate: true }),
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: -1439, max: 1439 }),
      (date, micros, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(offset / 60))}:${two(offset % 60)}`;
        expect(parseReceivedAt(`${local}${String(micros).padStart(3, '0')}${zone}`)).toBe(date.getTime() * 1000 + micros);
      },
    ),
  );
});
