import { noSleep } from './people.fixture.ts';
import { type Case, nap, sleep, watch } from './sleep-sessions.cases.ts';

const apple = { provider: 'apple_health_kit', source_type: 'watch' };
const phone = { provider: 'apple_health_kit', source_type: 'phone' };
const manual = { provider: 'manual', source_type: 'app' };
const short = { sleep_type: 'short_sleep' };
const partialRing = (total_s: number) => [{ provider: 'oura', source_type: 'ring', total_s, is_partial: true }];

const impossible: readonly Case[] = [
  {
    title: 'a record of 0 s asleep is no record of a sleep',
    records: [
      sleep('03-01 23:00', '03-02 07:00', { total_s: 0 }),
      sleep('03-01 23:00', '03-02 07:00', { ...watch, total_s: 27_000 }),
    ],
    nights: [{ source: 'garmin/watch', total_s: 27_000, others: 0, other_sources: [] }],
  },
  {
    title: 'a user whose only record has 0 s asleep has no night',
    records: [sleep('03-01 23:00', '03-02 07:00', { total_s: 0 })],
    nights: [],
  },
  {
    title: 'a record without a time asleep counts with its duration',
    records: [sleep('03-01 23:00', '03-02 07:00', { total_s: null }), sleep('03-01 23:00', '03-02 02:00', watch)],
    nights: [{ source: 'oura/ring', total_s: null, partial_others: 1 }],
  },
  {
    title: 'a value outside the plausible range is no value',
    records: [
      sleep('03-01 22:00', '03-02 06:00', { score: 0, hr_lowest_bpm: 5, average_hrv_ms: 0, total_s: 21_600, efficiency: 0 }),
    ],
    nights: [{ score: null, hr_lowest_bpm: null, hrv_ms: null, total_s: 21_600, efficiency: 0.75 }],
  },
  {
    title: 'a record with an impossible duration and a plausible time asleep is a record of a sleep',
    records: [{ ...noSleep, id: 'days', duration_s: 200_000, total_s: 25_200 }],
    nights: [{ total_s: 25_200, duration_s: null, efficiency: null }],
  },
  {
    title: 'an impossible duration is no time asleep',
    records: [
      { ...noSleep, id: 'days', duration_s: 200_000 },
      { ...noSleep, ...watch, id: 'night', total_s: 25_200 },
    ],
    nights: [{ source: 'garmin/watch', partial_others: 1 }],
  },
  {
    title: 'an efficiency of 101 % is no value',
    records: [sleep('03-01 22:00', '03-02 06:00', { total_s: 21_600, efficiency: 101 })],
    nights: [{ efficiency: 0.75 }],
  },
];

const naps: readonly Case[] = [
  {
    title: 'a short sleep of a ring in the afternoon is a nap, although only the watch recorded the night',
    records: [
      sleep('03-01 23:00', '03-02 07:00', { ...watch, total_s: 27_000 }),
      sleep('03-02 13:00', '03-02 13:22', { ...short, total_s: 1200 }),
    ],
    nights: [
      {
        night_date: '2026-03-02',
        source: 'garmin/watch',
        total_s: 27_000,
        others: 0,
        other_sleeps: 0,
        naps: 1,
        nap_total_s: 1200,
        nap_sources: 'oura/ring',
      },
    ],
  },
  {
    title: 'less than 3 hours of sleep are a night from a midpoint of 21:00 until 09:00, otherwise a nap',
    records: [
      sleep('03-02 19:59', '03-02 21:59'),
      sleep('03-05 20:00', '03-05 22:00'),
      sleep('03-08 07:58', '03-08 09:58'),
      sleep('03-10 08:00', '03-10 10:00'),
      sleep('03-12 10:30', '03-12 13:29', { total_s: 10_740 }),
      sleep('03-14 10:30', '03-14 13:30', { total_s: 10_800 }),
    ],
    nights: [
      { night_date: '2026-03-03', source: null, naps: 1 },
      { night_date: '2026-03-06', total_s: 7200, naps: 0 },
      { night_date: '2026-03-08', total_s: 7200, naps: 0 },
      { night_date: '2026-03-10', source: null, naps: 1 },
      { night_date: '2026-03-12', source: null, naps: 1 },
      { night_date: '2026-03-14', total_s: 10_800, naps: 0 },
    ],
  },
  {
    title: 'less than an hour of sleep is a night from a midpoint of 00:00 until 08:00, otherwise a nap',
    records: [
      sleep('03-01 23:39', '03-02 00:19'),
      sleep('03-04 23:40', '03-05 00:20'),
      sleep('03-08 07:39', '03-08 08:19'),
      sleep('03-10 07:40', '03-10 08:20'),
      sleep('03-12 08:00', '03-12 09:00'),
    ],
    nights: [
      { night_date: '2026-03-02', source: null, naps: 1 },
      { night_date: '2026-03-05', total_s: 2400, naps: 0 },
      { night_date: '2026-03-08', total_s: 2400, naps: 0 },
      { night_date: '2026-03-10', source: null, naps: 1 },
      { night_date: '2026-03-12', total_s: 3600, naps: 0 },
    ],
  },
  {
    title: 'a short record that overlaps the night of another device is no nap',
    records: [sleep('03-01 21:00', '03-01 22:10', { ...short, total_s: 3000 }), sleep('03-01 22:05', '03-02 06:05', watch)],
    nights: [{ source: 'garmin/watch', naps: 0, others: 1, partial_others: 1, other_sources: partialRing(3000) }],
  },
  {
    title: 'a short record has the date of the night of another device that it overlaps',
    records: [sleep('03-02 17:20', '03-02 18:20', { total_s: 3600 }), sleep('03-02 18:10', '03-03 02:10', watch)],
    nights: [{ night_date: '2026-03-03', source: 'garmin/watch', naps: 0, other_sources: partialRing(3600) }],
  },
  {
    title: 'a record that begins when the night of another device ends is a nap',
    records: [sleep('03-02 09:30', '03-02 10:30', short), sleep('03-02 01:30', '03-02 09:30', watch)],
    nights: [{ source: 'garmin/watch', naps: 1, others: 0 }],
  },
  {
    title: 'a record that overlaps a sleep of less than 3 hours of another device may be a nap',
    records: [sleep('03-02 13:00', '03-02 14:00', short), sleep('03-02 13:30', '03-02 16:00', watch)],
    nights: [{ source: null, naps: 1, nap_total_s: 3600, nap_sources: 'oura/ring' }],
  },
  {
    title: 'an acknowledged nap during the night of another device stays a nap',
    records: [sleep('03-02 01:00', '03-02 05:00', nap), sleep('03-01 23:00', '03-02 07:00', watch)],
    nights: [{ source: 'garmin/watch', others: 0, naps: 1, nap_total_s: 14_400 }],
  },
  {
    title: 'without local time, a short sleep is a nap if its device has a long sleep on its date',
    records: [
      { ...noSleep, id: 'long', timezone_offset_s: null, total_s: 25_200 },
      { ...noSleep, ...short, id: 'short', timezone_offset_s: null, total_s: 3000 },
      { ...noSleep, ...short, ...watch, id: 'other', timezone_offset_s: null, total_s: 3600 },
    ],
    nights: [{ source: 'oura/ring', total_s: 25_200, naps: 1, nap_total_s: 3000, others: 1, partial_others: 1 }],
  },
  {
    title: 'naps of two devices that overlap by half of the shorter one are one nap, as the better device recorded it',
    records: [
      sleep('03-02 13:00', '03-02 13:40', { ...watch, total_s: 2000 }),
      sleep('03-02 13:20', '03-02 14:00', { ...short, total_s: 1500 }),
      sleep('03-01 23:00', '03-02 07:00', watch),
    ],
    nights: [{ source: 'garmin/watch', naps: 1, nap_total_s: 1500, nap_sources: 'oura/ring' }],
  },
  {
    title: 'naps of two devices that overlap by less than half of the shorter one are two naps',
    records: [
      sleep('03-02 13:00', '03-02 13:40', { ...watch, total_s: 2000 }),
      sleep('03-02 13:21', '03-02 14:01', { ...short, total_s: 1500 }),
    ],
    nights: [{ source: null, naps: 2, nap_total_s: 3500, nap_sources: 'garmin/watch, oura/ring' }],
  },
  {
    title: 'two records of a nap with midpoints before and after 18:00 are one nap',
    records: [sleep('03-02 17:20', '03-02 18:30', nap), sleep('03-02 17:30', '03-02 18:40', { ...watch, ...nap })],
    nights: [{ night_date: '2026-03-02', naps: 1, nap_sources: 'oura/ring' }],
  },
  {
    title: 'among naps of equal devices, the device that the user had on more nights counts',
    records: [
      sleep('03-01 23:00', '03-02 07:00', apple),
      sleep('03-02 23:00', '03-03 07:00', apple),
      sleep('03-03 14:00', '03-03 15:00', { ...watch, total_s: 3000 }),
      sleep('03-03 14:00', '03-03 15:00', { ...apple, total_s: 3100 }),
    ],
    nights: [{ naps: 0 }, { naps: 1, nap_total_s: 3100, nap_sources: 'apple_health_kit/watch' }],
  },
];

const sources: readonly Case[] = [
  {
    title: 'a ring that recorded a part of the night of a watch does not decide',
    records: [sleep('03-02 02:00', '03-02 04:30'), sleep('03-01 23:00', '03-02 07:00', watch)],
    nights: [
      { source: 'garmin/watch', total_s: 28_800, others: 1, partial_others: 1, other_sources: partialRing(9000), naps: 0 },
    ],
  },
  {
    title: 'a ring whose battery is empty soon after bedtime does not decide',
    records: [sleep('03-01 22:00', '03-01 23:30'), sleep('03-01 22:05', '03-02 06:05', watch)],
    nights: [{ night_date: '2026-03-02', source: 'garmin/watch', naps: 0, partial_others: 1, other_sources: partialRing(5400) }],
  },
  {
    title: 'a ring with half of the night of a watch decides',
    records: [sleep('03-02 03:00', '03-02 07:00'), sleep('03-01 23:00', '03-02 07:00', watch)],
    nights: [{ source: 'oura/ring', others: 1, partial_others: 0 }],
  },
  {
    title: 'a long night of a phone or an entry by hand does not make a ring partial',
    records: [
      sleep('03-02 01:00', '03-02 05:00'),
      sleep('03-01 20:00', '03-02 08:00', phone),
      sleep('03-01 20:00', '03-02 08:00', manual),
    ],
    nights: [{ source: 'oura/ring', total_s: 14_400, others: 2, partial_others: 0 }],
  },
  {
    title: 'a phone with little of the night of a watch is partial',
    records: [sleep('03-02 01:00', '03-02 03:00', phone), sleep('03-01 23:00', '03-02 07:00', watch)],
    nights: [{ source: 'garmin/watch', partial_others: 1 }],
  },
  {
    title: 'a main sleep of more than 14 hours does not make another one partial, and one of 14 hours does',
    records: [
      sleep('03-02 01:00', '03-02 06:00'),
      sleep('03-01 18:00', '03-02 08:01', watch),
      sleep('03-05 01:00', '03-05 06:00'),
      sleep('03-04 18:00', '03-05 08:00', watch),
    ],
    nights: [
      { source: 'oura/ring', partial_others: 0 },
      { source: 'garmin/watch', partial_others: 1 },
    ],
  },
  // For each order of the two, so that the order by the hash of user and source is wrong for one of them.
  ...[[watch, apple] as const, [apple, watch] as const].map(([usual, other]) => ({
    title: `among equal devices, that of ${usual.provider} decides if it has more of the nights before, not the longer record`,
    records: [
      ...['01', '02', '03'].map((day) => sleep(`03-${day} 01:00`, `03-${day} 07:00`, usual)),
      sleep('03-04 01:00', '03-04 07:00', { ...usual, state: 'tentative' }),
      sleep('03-04 00:30', '03-04 07:30', other),
    ],
    nights: [{}, {}, {}, { source: `${usual.provider}/watch`, others: 1, partial_others: 0 }],
  })),
  {
    title: 'among equal devices, nights of more than 14 days before do not count',
    records: [
      ...['01', '02', '03'].map((day) => sleep(`03-${day} 01:00`, `03-${day} 07:00`, watch)),
      sleep('03-10 01:00', '03-10 07:00', apple),
      sleep('03-18 01:00', '03-18 07:00', watch),
      sleep('03-18 01:00', '03-18 07:00', apple),
    ],
    nights: [{}, {}, {}, {}, { night_date: '2026-03-18', source: 'apple_health_kit/watch' }],
  },
  {
    title: 'two long sleeps that overlap, with midpoints before and after 18:00, are one night: that of the longer one',
    records: [sleep('03-02 14:00', '03-02 21:50'), sleep('03-02 14:10', '03-02 22:10', watch)],
    nights: [{ night_date: '2026-03-03', source: 'oura/ring', total_s: 28_200, others: 1, partial_others: 0 }],
  },
  {
    title: 'of two equally long sleeps, the one that begins later has the night of the other one',
    records: [sleep('03-02 14:10', '03-02 22:10'), sleep('03-02 13:50', '03-02 21:50', watch)],
    nights: [{ night_date: '2026-03-02', source: 'oura/ring', others: 1 }],
  },
];

/** Cases of naps, partial nights and the choice of a source. */
export const nightCases: readonly Case[] = [...impossible, ...naps, ...sources];
