import type { Row } from './loaded-views.ts';
import { noSleep } from './people.fixture.ts';
import type { SleepRecord } from './sleep-oracle.ts';

let ids = 0;
/** A sleep from one time to another, in UTC, such as `03-01 22:00`. */
export const sleep = (from: string, to: string, more: Partial<SleepRecord> = {}): SleepRecord => {
  const at = (text: string): string => `2026-${text.replace(' ', 'T')}:00Z`;
  const seconds = (Date.parse(at(to)) - Date.parse(at(from))) / 1000;
  return {
    ...noSleep,
    id: `sleep-${String(++ids).padStart(4, '0')}`,
    bedtime_start: at(from),
    bedtime_stop: at(to),
    duration_s: seconds,
    total_s: seconds,
    ...more,
  };
};

export interface Case {
  readonly title: string;
  readonly records: readonly SleepRecord[];
  /** The expected nights, each with some of its columns. */
  readonly nights: readonly Row[];
  /** Spans of `user_time_zones`: from, to, offset or time zone. */
  readonly zones?: readonly (readonly [string, string | null, number | string])[];
}

export const watch = { provider: 'garmin', source_type: 'watch' };
export const nap = { sleep_type: 'acknowledged_nap' };

/** Cases of records, sessions and dates. */
export const sessionCases: readonly Case[] = [
  {
    title: 'one source has the efficiency 0.91 and another 88: the efficiency is that of the ring',
    records: [
      sleep('03-01 22:00', '03-02 06:00', { efficiency: 0.91 }),
      sleep('03-01 22:10', '03-02 06:00', { ...watch, efficiency: 88 }),
    ],
    nights: [{ night_date: '2026-03-02', efficiency: 0.91, source: 'oura/ring' }],
  },
  {
    title: 'an efficiency above 1 is a percentage',
    records: [sleep('03-01 22:00', '03-02 06:00', { efficiency: 88 })],
    nights: [{ efficiency: 0.88 }],
  },
  {
    title: 'a missing efficiency is the share of the time asleep',
    records: [sleep('03-01 22:00', '03-02 06:00', { total_s: 21_600 })],
    nights: [{ efficiency: 0.75 }],
  },
  {
    title: 'more time asleep than the night lasts gives no efficiency',
    records: [sleep('03-01 22:00', '03-02 06:00', { total_s: 30_000 })],
    nights: [{ efficiency: null, total_s: 30_000 }],
  },
  {
    title: 'all values of a night come from one source, even if another one has more of them',
    records: [
      sleep('03-01 22:00', '03-02 06:00', { light_s: 10_000 }),
      sleep('03-01 21:50', '03-02 06:10', { ...watch, light_s: 11_000, deep_s: 3000, average_hrv_ms: 50, score: 80 }),
    ],
    nights: [
      {
        source: 'oura/ring',
        light_s: 10_000,
        deep_s: null,
        hrv_ms: null,
        score: null,
        duration_s: 28_800,
        other_sources: [{ provider: 'garmin', source_type: 'watch', total_s: 30_000, is_partial: false }],
      },
    ],
  },
  {
    title: 'fragments that are 60 minutes apart are one session',
    records: [
      sleep('03-01 22:00', '03-02 01:00', { light_s: 5000, average_hrv_ms: 40, score: 60, latency_s: 300, hr_lowest_bpm: 50 }),
      sleep('03-02 02:00', '03-02 08:00', { light_s: 9000, average_hrv_ms: 70, score: 75, latency_s: 900, hr_lowest_bpm: 47 }),
    ],
    nights: [
      {
        fragments: 2,
        start_at: '2026-03-01T22:00:00.000Z',
        end_at: '2026-03-02T08:00:00.000Z',
        duration_s: 36_000,
        total_s: 32_400,
        light_s: 14_000,
        hrv_ms: 60,
        score: 75,
        latency_s: 300,
        hr_lowest_bpm: 47,
        naps: 0,
        other_sleeps: 0,
      },
    ],
  },
  {
    title: 'fragments that are 61 minutes apart are two sessions, of which the longer one is the main sleep',
    records: [sleep('03-01 22:00', '03-02 01:00'), sleep('03-02 02:01', '03-02 08:00')],
    nights: [{ fragments: 1, start_at: '2026-03-02T02:01:00.000Z', other_sleeps: 1, other_sleeps_total_s: 10_800 }],
  },
  {
    title: 'fragments of different sources are not one session',
    records: [sleep('03-01 22:00', '03-02 02:00'), sleep('03-02 02:10', '03-02 08:00', watch)],
    nights: [{ source: 'oura/ring', fragments: 1, total_s: 14_400 }],
  },
  {
    title: 'a sum is NULL if a fragment does not have the value',
    records: [sleep('03-01 22:00', '03-02 01:00', { deep_s: 3000 }), sleep('03-02 01:30', '03-02 06:00')],
    nights: [{ fragments: 2, deep_s: null, total_s: 27_000 }],
  },
  {
    title: 'a confirmed record replaces a longer tentative one of the same sleep',
    records: [
      sleep('03-01 22:00', '03-02 07:00', { ...watch, state: 'tentative', total_s: 30_000 }),
      sleep('03-01 22:30', '03-02 06:30', { ...watch, state: 'confirmed', total_s: 27_000 }),
    ],
    nights: [{ state: 'confirmed', total_s: 27_000, fragments: 1, other_sleeps: 0 }],
  },
  {
    title: 'a confirmed session comes before a longer tentative one of the same night',
    records: [
      sleep('03-01 20:00', '03-02 00:00', { ...watch, state: 'confirmed' }),
      sleep('03-02 02:00', '03-02 08:00', { ...watch, state: 'tentative' }),
    ],
    nights: [{ state: 'confirmed', total_s: 14_400, other_sleeps: 1 }],
  },
  {
    title: 'a tentative night of a ring comes before a confirmed one of a watch',
    records: [
      sleep('03-01 22:00', '03-02 06:00', { state: 'tentative' }),
      sleep('03-01 22:00', '03-02 06:30', { ...watch, state: 'confirmed' }),
    ],
    nights: [{ source: 'oura/ring', state: 'tentative' }],
  },
  {
    title: 'an acknowledged nap is not the main sleep, even if it is longer',
    records: [sleep('03-02 00:00', '03-02 02:00', { sleep_type: 'short_sleep' }), sleep('03-02 12:00', '03-02 15:00', nap)],
    nights: [{ total_s: 7200, naps: 1, nap_total_s: 10_800 }],
  },
  {
    title: 'a short sleep beside a long one is a nap',
    records: [sleep('03-01 22:00', '03-02 06:00'), sleep('03-02 14:00', '03-02 14:40', { sleep_type: 'short_sleep' })],
    nights: [{ total_s: 28_800, naps: 1, nap_total_s: 2400, other_sleeps: 0 }],
  },
  {
    title: 'a nap is no fragment of the main sleep',
    records: [sleep('03-01 22:00', '03-02 06:00'), sleep('03-02 06:30', '03-02 07:00', nap)],
    nights: [{ fragments: 1, total_s: 28_800, naps: 1, nap_total_s: 1800 }],
  },
  {
    title: 'a date with only naps has no main sleep',
    records: [sleep('03-02 13:00', '03-02 13:30', { ...nap, score: 5 })],
    nights: [
      {
        night_date: '2026-03-02',
        start_at: null,
        total_s: null,
        score: null,
        ids: null,
        fragments: null,
        local_basis: null,
        provider: null,
        source_type: null,
        source: null,
        others: 0,
        partial_others: 0,
        other_sources: [],
        other_sleeps: 0,
        naps: 1,
        nap_total_s: 1800,
        nap_sources: 'oura/ring',
      },
    ],
  },
  {
    title: 'a source with only a nap does not replace the main sleep of another source',
    records: [sleep('03-02 13:00', '03-02 13:30', nap), sleep('03-01 22:00', '03-02 06:00', watch)],
    nights: [{ source: 'garmin/watch', total_s: 28_800, naps: 1, nap_total_s: 1800, nap_sources: 'oura/ring' }],
  },
  {
    title: 'a midpoint before 18:00 local time belongs to the date, and one at 18:00 to the next date',
    records: [
      sleep('03-02 15:00', '03-02 20:59', { timezone_offset_s: 0 }),
      sleep('03-05 15:00', '03-05 21:00', { timezone_offset_s: 0 }),
      sleep('03-08 14:00', '03-08 20:00', { timezone_offset_s: 3600 }),
    ],
    nights: [{ night_date: '2026-03-02' }, { night_date: '2026-03-06' }, { night_date: '2026-03-09' }],
  },
  {
    title: 'the local date counts, not that of UTC or of the record',
    records: [sleep('03-02 06:30', '03-02 14:30', { timezone_offset_s: -28_800, calendar_date: '2026-03-01' })],
    nights: [{ night_date: '2026-03-02', local_start_at: '2026-03-01T22:30:00.000', local_basis: 'offset' }],
  },
  {
    title: 'without an offset, the user has an offset at that time',
    records: [
      sleep('03-01 16:00', '03-01 23:00', { timezone_offset_s: null }),
      sleep('03-10 16:00', '03-10 23:00', { timezone_offset_s: null }),
    ],
    zones: [
      ['1970-01-01T00:00:00Z', '2026-03-05T00:00:00Z', 28_800],
      ['2026-03-05T00:00:00Z', null, 0],
    ],
    nights: [
      { night_date: '2026-03-02', local_start_at: '2026-03-02T00:00:00.000', local_basis: 'zone' },
      { night_date: '2026-03-11', local_start_at: '2026-03-10T16:00:00.000', local_basis: 'zone' },
    ],
  },
  {
    title: 'without an offset, the transitions of the time zone give the offset',
    records: [
      sleep('03-28 22:00', '03-29 00:30', { timezone_offset_s: null }),
      sleep('03-29 16:30', '03-29 20:30', { timezone_offset_s: null }),
    ],
    zones: [['2026-01-01T00:00:00Z', null, 'Europe/Berlin']],
    nights: [
      { night_date: '2026-03-29', local_start_at: '2026-03-28T23:00:00.000' },
      { night_date: '2026-03-30', local_start_at: '2026-03-29T18:30:00.000' },
    ],
  },
  {
    title: 'without any offset, the date of the record counts',
    records: [sleep('03-01 22:00', '03-02 06:00', { timezone_offset_s: null, calendar_date: '2026-03-04' })],
    nights: [
      { night_date: '2026-03-04', local_start_at: null, start_at: '2026-03-01T22:00:00.000Z', local_basis: 'calendar_date' },
    ],
  },
  {
    title: 'a record without times has the date and the duration that were sent',
    records: [{ ...noSleep, id: 'no-times', duration_s: 28_800, total_s: 25_200 }],
    nights: [{ night_date: '2026-03-02', start_at: null, duration_s: 28_800, total_s: 25_200, efficiency: 0.875 }],
  },
  {
    title: 'a record of more than 24 hours is no sleep',
    records: [sleep('03-01 22:00', '03-04 06:00')],
    nights: [],
  },
];
