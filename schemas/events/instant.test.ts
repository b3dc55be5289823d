import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayOfInstant, isBeyondRange, parseDate, parseInstant } from './instant.ts';

describe('parseInstant', () => {
  test.each([
    ['2023-02-13T14:30:52+00:00', '2023-02-13T14:30:52.000Z', 0],
    ['2023-02-13T14:30:52Z', '2023-02-13T14:30:52.000Z', 0],
    ['2023-02-13t14:30:52z', '2023-02-13T14:30:52.000Z', 0],
    ['2023-02-13 14:30:52', '2023-02-13T14:30:52.000Z', 0],
    ['2024-11-26T18:53:53.739080+00:00', '2024-11-26T18:53:53.739Z', 80],
    ['2024-11-26T18:53:53.7390809999Z', '2024-11-26T18:53:53.739Z', 80],
    ['2024-02-29T00:00:00+05:30', '2024-02-28T18:30:00.000Z', 0],
    ['2024-01-01T00:00:00-0330', '2024-01-01T03:30:00.000Z', 0],
    ['2024-01-01T00:00:00+14', '2023-12-31T10:00:00.000Z', 0],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.500Z', 0],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z', 0],
  ])('"%s" is parsed to the microsecond', (text, iso, micros) => {
    expect(parseInstant(text)).toBe(Date.parse(iso) * 1000 + micros);
  });

  test.each([
    '',
    '2023-02-13',
    '2023-02-29T00:00:00Z',
    '2023-13-01T00:00:00Z',
    '2023-01-01T24:00:00Z',
    '2023-01-01T00:60:00Z',
    '2023-01-01T00:00:61Z',
    '2023-01-01T00:00:00.Z',
    '2023-01-01T00:00:00+24:00',
    '2023-01-01T00:00:00+01:60',
    '2023-01-01T00:00:00 Z',
    '2023-01-01T00:00:00Zx',
    '2023-01-01T00:00:0xZ',
    '0000-01-01T00:00:00Z',
    '1500-01-01T00:00:00Z',
    '1827-04-15T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '162662560',
    'not a time at all, not at all',
  ])('"%s" is not an instant', (text) => {
    expect(parseInstant(text)).toBeNaN();
  });

  test.each([
    ['9999-12-31T23:59:59Z', true],
    ['0000-02-29T00:00:00Z', true],
    ['1500-01-01T00:00:00+14:00', true],
    ['2300-02-28T12:00:00.123456', true],
    ['2300-02-29T12:00:00Z', false],
    ['9999-12-31T24:00:00Z', false],
    ['9999-12-31', false],
    ['2026-02-30T00:00:00Z', false],
    ['2026-02-28T00:00:00Z', false],
    ['+9999-12-31T00:00:00Z', false],
    ['tomorrow-at-noon-or-so', false],
  ])('isBeyondRange("%s") is %s', (text, beyond) => {
    expect(isBeyondRange(text)).toBe(beyond);
  });

  test('parseInstant agrees with Date for every millisecond in its range, even after parsing a different date', () => {
    const instants = fc.date({ min: new Date('1827-04-17'), max: new Date('2255-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, instants, (before, date) => {
        parseInstant(before.toISOString());
        const micros = parseInstant(date.toISOString());
        expect(micros).toBe(date.getTime() * 1000);
        expect(dayOfInstant(micros)).toBe(Math.floor(date.getTime() / 86_400_000));
      }),
    );
  });
});

describe('parseDate', () => {
  test('parseDate returns days since 1970 for years 1 to 9999', () => {
    expect(parseDate('1970-01-02')).toBe(1);
    expect(parseDate('2000-02-29')).toBe(Date.UTC(2000, 1, 29) / 86_400_000);
    expect(parseDate('9999-12-31')).toBe(Date.UTC(9999, 11, 31) / 86_400_000);
    expect(parseDate('0001-01-01')).toBe(-719_162);
  });

  test.each(['0000-01-01', '1900-02-29', '2023-1-1', '2023-01-01T00:00:00', '2023/01/01', 'abcd-ef-gh'])(
    '"%s" is not a date',
    (text) => {
      expect(parseDate(text)).toBeUndefined();
    },
  );
});
