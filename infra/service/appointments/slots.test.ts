import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant, LAST_INSTANT } from '../api/times.ts';
import { middleOf, sites, sitesOf, zoneOf } from './sites.ts';
import { bookingKeyOf, bookingOf, firstSlotFrom, slotsFrom } from './slots.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const PHOENIX = 'America/Phoenix';

test('slots begin tomorrow, on the full hours of working days', () => {
  const days = slotsFrom(PHOENIX, NOW);
  expect(days.map(({ date }) => date)).toEqual(['2026-01-02', '2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08']);
  expect(days[0]!.slots.map(({ start }) => instant(start).slice(0, 16))).toEqual([
    '2026-01-02T15:00',
    '2026-01-02T16:00',
    '2026-01-02T17:00',
    '2026-01-02T18:00',
    '2026-01-02T19:00',
    '2026-01-02T20:00',
    '2026-01-02T21:00',
    '2026-01-02T22:00',
    '2026-01-02T23:00',
  ]);
  expect(days[0]!.slots.every(({ start, end }) => end - start === 3_600_000)).toBe(true);
});

test('tomorrow is the local one', () => {
  // It is still Thursday in Honolulu, and already Friday in New York.
  const now = Date.UTC(2026, 0, 2, 6);
  expect(slotsFrom('Pacific/Honolulu', now)[0]!.date).toBe('2026-01-02');
  expect(slotsFrom('America/New_York', now)[0]!.date).toBe('2026-01-05');
});

test.each([
  ['2025-01-01', '2026-01-02'],
  ['2026-01-01', '2026-01-02'],
  ['2026-01-03', '2026-01-05'],
  ['2026-02-04', '2026-02-04'],
])('slots from %s on begin on %s', (startDate, first) => {
  expect(slotsFrom(PHOENIX, NOW, startDate)[0]!.date).toBe(first);
});

test('slots keep the local hours when the clocks change', () => {
  // New York changes its clocks on Sunday, 8 March 2026.
  const days = slotsFrom('America/New_York', Date.UTC(2026, 2, 5, 12));
  expect(days.map(({ date, slots }) => [date, instant(slots[0]!.start).slice(11, 16), slots.length])).toEqual([
    ['2026-03-06', '13:00', 9],
    ['2026-03-09', '12:00', 9],
    ['2026-03-10', '12:00', 9],
    ['2026-03-11', '12:00', 9],
    ['2026-03-12', '12:00', 9],
  ]);
});

test('there are no slots after the end of the virtual clock', () => {
  expect(slotsFrom(PHOENIX, NOW, '9999-12-31').flatMap(({ slots }) => slots.map(({ start }) => instant(start)))).toEqual(
    ['15', '16', '17', '18', '19', '20', '21', '22'].map((hour) => `9999-12-31T${hour}:00:00.000+00:00`),
  );
  expect(slotsFrom(PHOENIX, LAST_INSTANT)).toEqual([]);
});

test('the first slot from a time on ends at that time or later', () => {
  const first = (time: number) => instant(firstSlotFrom(PHOENIX, NOW, time)!.start);
  expect(first(Date.UTC(2026, 0, 5, 17))).toBe('2026-01-05T16:00:00.000+00:00');
  expect(first(Date.UTC(2026, 0, 5, 17, 1))).toBe('2026-01-05T17:00:00.000+00:00');
  expect(first(Date.UTC(2026, 0, 3, 20)), 'on a Saturday').toBe('2026-01-05T15:00:00.000+00:00');
  expect(first(NOW), 'today').toBe('2026-01-02T15:00:00.000+00:00');
});

test('the time zone is that of the state, or else that of the postal region', () => {
  const zones = [
    { state: 'AZ', zip_code: '85004' },
    { state: ' ny ', zip_code: '10017' },
    { state: 'HI', zip_code: '96801' },
    { state: 'Texas', zip_code: '75001' },
    { state: '', zip_code: '00601' },
  ].map(zoneOf);
  expect(zones).toEqual(['America/Phoenix', 'America/New_York', 'Pacific/Honolulu', 'America/Chicago', 'America/New_York']);
  expect(middleOf('94105-1234')).toEqual({ lng: expect.closeTo(-120, 0), lat: expect.closeTo(39, 0) });
});

describe('booking keys', () => {
  const anySite = fc.constantFrom(...sites);
  test('a key names its slot', () => {
    fc.assert(
      fc.property(anySite, fc.nat(5000), fc.nat(44), ({ code, zone }, days, number) => {
        const now = NOW + days * 86_400_000;
        const slots = slotsFrom(zone, now).flatMap((day) => day.slots);
        const slot = slots[number % slots.length]!;
        const key = bookingKeyOf('patient_service_center', code, slot);
        expect(bookingOf(key, 'patient_service_center', now)).toEqual({ ...slot, place: code, zone });
        expect(bookingOf(bookingKeyOf('phlebotomy', zone, slot), 'phlebotomy', now)).toEqual({ ...slot, place: zone, zone });
      }),
      { numRuns: 50 },
    );
  });

  test('no text makes the reading of a key fail', () => {
    const anyPart = fc.oneof(fc.string(), fc.constantFrom('phlebotomy', 'patient_service_center', 'AZ1', PHOENIX, 'toString'));
    fc.assert(
      fc.property(anyPart, anyPart, fc.oneof(fc.string(), fc.date({ noInvalidDate: true }).map(String)), (...parts) => {
        expect(bookingOf(parts.join('|'), 'phlebotomy', NOW)).toEqual({ refused: expect.stringMatching(/^booking_key /) });
      }),
    );
  });
});

test('sites are found by their codes, and by the distance of a postal code', () => {
  const found = (search: Parameters<typeof sitesOf>[0]) => sitesOf(search).map(({ site, distance }) => [site.code, distance]);
  expect(found({ radius: 25 })).toEqual([
    ['AZ1', null],
    ['AZ2', null],
    ['NY1', null],
  ]);
  expect(found({ zip_code: '85014', radius: 25 })).toEqual([
    ['AZ2', 2],
    ['AZ1', 10],
  ]);
  expect(found({ zip_code: '85014', radius: 10 })).toHaveLength(2);
  expect(found({ zip_code: '85015', radius: 10 })).toEqual([['AZ2', 1]]);
  expect(found({ site_codes: ['AZ1', 'NY1'], zip_code: '85004', radius: 100 })).toEqual([['AZ1', 0]]);
  expect(found({ site_codes: ['NOWHERE'], radius: 25 })).toEqual([]);
  expect(found({ zip_code: '99501', radius: 100 })).toEqual([]);
});
