import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ageOn, dateText, instant, timeOf } from './times.ts';

const anyTime = fc.integer({ min: -8.64e15, max: 8.64e15 });
const commonTime = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2100, 0, 1) });

test('instants and dates are those of ISO 8601 in UTC, whichever was written before', () => {
  expect(instant(Date.UTC(2026, 0, 31, 23, 59, 59, 7))).toBe('2026-01-31T23:59:59.007+00:00');
  fc.assert(
    fc.property(fc.array(fc.oneof(anyTime, commonTime), { minLength: 1 }), (times) => {
      for (const time of times) {
        const iso = new Date(time).toISOString();
        expect(instant(time)).toBe(iso.replace('Z', '+00:00'));
        expect(dateText(time)).toBe(iso.slice(0, iso.indexOf('T')));
      }
    }),
  );
});

test('an instant is read as the language reads it, in all spellings of providers', () => {
  const spellings = [
    (iso: string) => iso,
    (iso: string) => iso.replace('Z', '+00:00'),
    (iso: string) => iso.replace(/\.\d{3}Z/, 'Z'),
    (iso: string) => iso.replace('Z', '567+00:00'),
    (iso: string) => iso.replace('Z', '-05:30'),
    (iso: string) => iso.replace(/\d\d\.\d{3}Z/, '00.5Z'),
    (iso: string) => iso.replace(/T.*/, 'T24:00:00Z'),
    (iso: string) => iso.replace(/T.*/, ''),
  ];
  fc.assert(
    fc.property(fc.array(fc.tuple(commonTime, fc.constantFrom(...spellings)), { minLength: 1 }), (given) => {
      for (const [time, spelled] of given) {
        const text = spelled(new Date(time).toISOString());
        expect(timeOf(text), text).toBe(Date.parse(text));
      }
    }),
  );
});

test('a text or a number that is no instant is refused', () => {
  for (const text of [
    '',
    'soon',
    '2026-02-32T00:00:00Z',
    '2026-13-01T00:00:00.000+00:00',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:60:00Z',
  ])
    expect(() => timeOf(text), text).toThrow(RangeError);
  for (const time of [Number.NaN, 8.64e15 + 1]) expect(() => instant(time)).toThrow(RangeError);
});

test.each([
  ['2026-03-05', '1990-03-05', 36],
  ['2026-03-04', '1990-03-05', 35],
  ['2026-02-28', '1990-03-05', 35],
  ['2026-12-31', '1990-03-05', 36],
  ['2027-01-01', '1990-03-05', 36],
  ['2026-03-05', '2026-03-05', 0],
  ['2026-02-28', '2000-02-29', 25],
  ['2026-03-01', '2000-02-29', 26],
  ['2028-02-28', '2000-02-29', 27],
  ['2028-02-29', '2000-02-29', 28],
])('on %s, a person born on %s is %i years old', (date, birthDate, age) => {
  expect(ageOn(date, birthDate)).toBe(age);
});
