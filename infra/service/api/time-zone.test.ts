import { expect, test } from 'vitest';
import { canonicalZone } from './time-zone.ts';

// The pairs are links of the file `backward` of the IANA database, release 2025b.
test.each([
  ['US/Eastern', 'America/New_York'],
  ['US/Pacific', 'America/Los_Angeles'],
  ['EST5EDT', 'America/New_York'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Argentina/ComodRivadavia', 'America/Argentina/Catamarca'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Rosario', 'America/Argentina/Cordoba'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['America/Fort_Wayne', 'America/Indiana/Indianapolis'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['US/East-Indiana', 'America/Indiana/Indianapolis'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Godthab', 'America/Nuuk'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Asia/Istanbul', 'Europe/Istanbul'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Japan', 'Asia/Tokyo'],
  ['NZ-CHAT', 'Pacific/Chatham'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  // The database links these zones to those of other countries. Each country keeps its own.
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])('%s is an earlier name of %s', (earlier, canonical) => {
  expect([canonicalZone(earlier), canonicalZone(canonical)]).toEqual([canonical, canonical]);
});

test.each(['Etc/UTC', 'UTC', 'Zulu', 'Universal', 'Etc/UCT', 'GMT', 'Etc/GMT+0'])('%s is UTC', (id) => {
  expect(canonicalZone(id)).toBe('UTC');
});

test.each([
  'Europe/Berlin',
  'Europe/Oslo',
  'America/Port-au-Prince',
  'Africa/Dar_es_Salaam',
  'Etc/GMT-5',
  'America/Ciudad_Juarez',
])('%s is canonical', (id) => {
  expect(canonicalZone(id)).toBe(id);
});

test.each([
  ...['europe/berlin', 'EUROPE/BERLIN', 'Europe/berlin', 'Asia/kolkata', 'ASIA/KOLKATA', 'asia/calcutta', 'US/eastern', 'utc'],
  ...['Berlin', '+01:00', 'CEST', '', 'Mars/Olympus', ' Europe/Berlin', 'Europe/Berlin/'],
])('%j is no name of the database', (id) => {
  expect(canonicalZone(id)).toBe(undefined);
});
