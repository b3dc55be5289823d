import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadedViews, OpenViews, Row } from './loaded-views.ts';
import { storedTables, storedViews } from './stored-tables.ts';

/** Situations from public reports, in which days and latest values were wrong. */

const DATE = '2026-05-04';
const watch = { provider: 'garmin', source_type: 'watch' };
const otherWatch = { provider: 'fitbit', source_type: 'watch' };
const phone = { provider: 'apple_health_kit', source_type: 'phone' };
const scale = { provider: 'withings', source_type: 'scale' };
const sensor = { provider: 'dexcom_v3', source_type: 'automatic' };
const received = { _received_at: '2026-05-06T00:00:00Z' };

/** Units by resource. */
const units: Readonly<Record<string, string>> = { heartrate: 'bpm', blood_oxygen: '%', glucose: 'mmol/L' };
/** A sample of a resource at a time of the day, such as `heartrate 08:00:00`. */
const sample = (user_id: string, source: Row, what: string, value: number, more: Row = {}): Row => {
  const [resource, at] = what.split(' ') as [string, string];
  return {
    user_id,
    ...source,
    resource,
    value,
    unit: units[resource],
    start_at: `${DATE}T${at}Z`,
    time_basis: 'utc',
    timezone_offset_s: 0,
    local_date: DATE,
    sample_type: '',
    source_workout_id: '',
    ...received,
    ...more,
  };
};
const activity = (user_id: string, source: Row, values: Row, calendar_date = DATE): Row => ({
  id: `${user_id} ${source.provider} ${calendar_date}`,
  user_id,
  ...source,
  calendar_date,
  ...values,
  ...received,
});
const body = (user_id: string, source: Row, values: Row): Row => ({
  id: `${user_id} ${source.provider}`,
  user_id,
  ...source,
  calendar_date: DATE,
  ...values,
  ...received,
});
const clock = (minutes: number): string => `${new Date(minutes * 60_000).toISOString().slice(11, 19)}`;
const every = (fromMinute: number, toMinute: number, step: number): string[] =>
  Array.from({ length: Math.ceil((toMinute - fromMinute) / step) }, (_, index) => clock(fromMinute + index * step));

const reading = (user_id: string, at: string, systolic_mmhg: number, diastolic_mmhg: number): Row => ({
  user_id,
  provider: 'omron',
  source_type: 'cuff',
  resource: 'blood_pressure',
  unit: 'mmHg',
  systolic_mmhg,
  diastolic_mmhg,
  start_at: `${DATE}T${at}Z`,
  local_date: DATE,
  timezone_offset_s: 0,
  time_basis: 'utc',
  sample_type: '',
  source_workout_id: '',
  ...received,
});

const stored = storedTables({
  activity: [
    activity('zero', watch, { heart_rate_resting_bpm: 0 }),
    activity('zero', phone, { heart_rate_resting_bpm: 58 }),
    activity('desk', watch, { steps: 0, distance_m: 0, calories_active_kcal: 0, floors_climbed: 0, calories_total_kcal: 1650 }),
    activity('desk', phone, { steps: 9140, distance_m: 6300, calories_active_kcal: 310, calories_total_kcal: 2100 }),
    // No device shows movement, so the better source counts.
    activity('in-bed', watch, { steps: 0, calories_total_kcal: 1650 }),
    activity('in-bed', phone, { steps: 0 }),
    // A ride has no steps, but the watch was worn.
    activity('cyclist', watch, { steps: 0, distance_m: 20_000, calories_active_kcal: 600 }),
    activity('cyclist', phone, { steps: 1200 }),
    // An impossible number of steps is no movement.
    activity('garbage', watch, { steps: 900_000 }),
    activity('garbage', phone, { steps: 4000 }),
    // Two watches: on 14 days before, one of them counts more often.
    ...['garmin', 'fitbit'].map((provider) =>
      activity('two-watches', { provider, source_type: 'watch' }, { steps: provider.length }),
    ),
    ...['2026-04-20', '2026-05-03'].map((date) => activity('two-watches', otherWatch, { steps: 1 }, date)),
    ...['2026-04-19', '2026-05-02'].map((date) => activity('two-watches', watch, { steps: 2 }, date)),
    // The watch has no total that another source has, too.
    activity('alone', watch, { calories_total_kcal: 1650 }),
    activity('alone', otherWatch, { floors_climbed: 0 }),
    activity('alone', phone, { steps: 4000 }),
    // A watch that lay on the desk for two weeks is not the usual one.
    ...[1, 2, 3].flatMap((day) => [
      activity('usual', watch, { steps: 0 }, `2026-04-2${day}`),
      activity('usual', phone, { steps: 10 }, `2026-04-2${day}`),
    ]),
    activity('usual', otherWatch, { steps: 8000 }, '2026-04-22'),
    activity('usual', watch, { steps: 3000 }),
    activity('usual', otherWatch, { steps: 8000 }),
    // A time zone for the local times of the person in India.
    { ...activity('india', watch, { steps: 100, timezone_offset_s: 19_800 }), id: 'india' },
  ],
  body: [body('zero', scale, { weight_kg: 0, fat_pct: 0 }), body('zero', phone, { weight_kg: 81.4, fat_pct: 22 })],
  timeseries: [
    ...[0, 64, 66, 255_000].map((value, index) => sample('zero', watch, `heartrate 08:0${index}:00`, value)),
    ...[0, 97].map((value, index) => sample('zero', watch, `blood_oxygen 08:0${index}:00`, value)),
    // 58 bpm every five minutes, and 150 bpm every ten seconds from 18:00 to 19:00.
    ...[...every(0, 18 * 60, 5), ...every(19 * 60, 24 * 60, 5)].map((at) => sample('run', watch, `heartrate ${at}`, 58)),
    ...every(18 * 60, 19 * 60, 1 / 6).map((at) => sample('run', watch, `heartrate ${at}`, 150)),
    // 5 mmol/L each minute for half a day, and 12 every 15 minutes for the other half.
    ...every(0, 12 * 60, 1).map((at) => sample('sensor', sensor, `glucose ${at}`, 5)),
    ...every(12 * 60, 24 * 60, 15).map((at) => sample('sensor', sensor, `glucose ${at}`, 12)),
    // A single sample of 60 bpm lasts ten minutes, one of 90 bpm until its end, and none lasts beyond its hour.
    sample('ends', watch, 'heartrate 10:00:00', 60),
    sample('ends', watch, 'heartrate 10:20:00', 90, { end_at: `${DATE}T10:50:00Z` }),
    sample('ends', watch, 'heartrate 10:58:00', 70),
    sample('ends', watch, 'heartrate 11:30:00', 80),
    // 12:00 in India is 06:30 in UTC.
    sample('india', { provider: 'freestyle_libre', source_type: 'automatic' }, 'glucose 12:00:00', 5, {
      time_basis: 'floating',
      timezone_offset_s: null,
    }),
    sample('india', sensor, 'glucose 10:00:00', 9, { timezone_offset_s: 19_800 }),
    // Nothing is known about where these people are.
    sample('nowhere', { provider: 'freestyle_libre', source_type: 'automatic' }, 'glucose 12:00:00', 5, {
      time_basis: 'floating',
      timezone_offset_s: null,
    }),
    sample('somewhere', { provider: 'freestyle_libre', source_type: 'automatic' }, 'glucose 12:00:00', 5, {
      time_basis: 'floating',
      timezone_offset_s: null,
    }),
    sample('somewhere', sensor, 'glucose 10:00:00', 9, { timezone_offset_s: null, local_date: null }),
  ],
  blood_pressure: [reading('zero', '08:00:00', 0, 0), reading('zero', '09:00:00', 124, 80), reading('half', '09:00:00', 124, 0)],
});

export function dayRulesSuite(warehouse: string, open: OpenViews): void {
  describe(`situations from reports, on ${warehouse}`, () => {
    let loaded: LoadedViews;
    beforeAll(async () => {
      loaded = await open(stored, storedViews);
      await loaded.query('create table {days_once} as select * from {person_days}');
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    const dayOf = async (user: string): Promise<Row> =>
      (await loaded.query(`select * from {days_once} where user_id = '${user}' and local_date = '${DATE}'`))[0]!;
    const latestOf = async (user: string): Promise<Row[]> =>
      loaded.query(`select provider, value from {latest_samples} where user_id = '${user}' and resource = 'glucose'`);

    test('a device that sends 0 or garbage has no reading', async () => {
      expect(await dayOf('zero')).toMatchObject({
        heart_rate_resting_bpm: 58,
        heart_rate_resting_source: 'apple_health_kit/phone',
        heartrate_avg_bpm: 65,
        heartrate_sample_avg_bpm: 65,
        heartrate_min_bpm: 64,
        heartrate_max_bpm: 66,
        blood_oxygen_avg_pct: 97,
        weight_kg: 81.4,
        fat_pct: 22,
        blood_pressure_systolic_mmhg: 124,
        blood_pressure_diastolic_mmhg: 80,
        blood_pressure_readings: 1,
        samples: 8,
        samples_implausible: 4,
      });
      expect(await dayOf('half')).toMatchObject({
        blood_pressure_systolic_mmhg: 124,
        blood_pressure_diastolic_mmhg: null,
        samples_implausible: 1,
      });
      const issues = await loaded.query(
        "select origin_table, measure, records from {data_issues} where user_id = 'zero' and issue = 'implausible' order by 1, 2",
      );
      expect(issues).toEqual([
        { origin_table: 'activity', measure: 'activity.heart_rate_resting_bpm', records: 1 },
        { origin_table: 'blood_pressure', measure: 'blood_pressure.diastolic_mmhg', records: 1 },
        { origin_table: 'blood_pressure', measure: 'blood_pressure.systolic_mmhg', records: 1 },
        { origin_table: 'body', measure: 'body.fat_pct', records: 1 },
        { origin_table: 'body', measure: 'body.weight_kg', records: 1 },
        { origin_table: 'timeseries', measure: 'blood_oxygen', records: 1 },
        { origin_table: 'timeseries', measure: 'heartrate', records: 2 },
      ]);
    });

    test('a watch on a desk does not count, even for its energy at rest', async () => {
      expect(await dayOf('desk')).toMatchObject({
        steps: 9140,
        steps_source: 'apple_health_kit/phone',
        steps_others: 1,
        distance_m: 6300,
        calories_active_kcal: 310,
        calories_total_kcal: 2100,
        floors_climbed: null,
        unworn_sources: 1,
      });
    });

    test('sources that do not count are counted, even if no other source has their totals', async () => {
      expect(await dayOf('alone')).toMatchObject({ calories_total_kcal: null, floors_climbed: null, unworn_sources: 2 });
    });

    test('days on which a watch was not worn do not make it the usual one', async () => {
      expect(await dayOf('usual')).toMatchObject({ steps: 8000, steps_source: 'fitbit/watch' });
    });

    test('the better source counts if nobody moved, and if it shows any movement', async () => {
      expect(await dayOf('in-bed')).toMatchObject({ steps: 0, steps_source: 'garmin/watch', unworn_sources: 0 });
      expect(await dayOf('cyclist')).toMatchObject({ steps: 0, steps_source: 'garmin/watch', distance_m: 20_000 });
    });

    test('an impossible number of steps does not show that a device was worn', async () => {
      expect(await dayOf('garbage')).toMatchObject({ steps: 4000, steps_source: 'apple_health_kit/phone' });
    });

    test('two watches: the one with more of the 14 days before counts', async () => {
      expect(await dayOf('two-watches')).toMatchObject({ steps: 6, steps_source: 'fitbit/watch' });
    });

    test('a mean of a day is the mean of its hours, however often a device sends', async () => {
      expect(await dayOf('run')).toMatchObject({ heartrate_avg_bpm: Number(((58 * 23 + 150) / 24).toPrecision(11)) });
      expect(await dayOf('sensor')).toMatchObject({ glucose_avg_mmol_l: 8.5 });
      const [daily] = await loaded.query("select value_avg, value_sample_avg from {timeseries_daily} where user_id = 'sensor'");
      expect(daily).toEqual({ value_avg: 8.5, value_sample_avg: Number(((5 * 720 + 12 * 48) / 768).toPrecision(11)) });
    });

    test('a sample lasts until its end, and otherwise ten minutes at most and not beyond its hour', async () => {
      const first = (60 * 10 + 90 * 30 + 70 * 2) / 42;
      expect(await dayOf('ends')).toMatchObject({ heartrate_avg_bpm: Number(((first + 80) / 2).toPrecision(11)) });
    });

    test('the latest sample has the latest instant, not the latest local time', async () => {
      expect(await latestOf('india')).toEqual([{ provider: 'dexcom_v3', value: 9 }]);
    });

    test('a local time without an offset is the latest only if no other source has a sample', async () => {
      expect(await latestOf('nowhere')).toEqual([{ provider: 'freestyle_libre', value: 5 }]);
      expect(await latestOf('somewhere')).toEqual([{ provider: 'dexcom_v3', value: 9 }]);
      const issues = await loaded.query("select user_id, records from {data_issues} where issue = 'unknown_instant' order by 1");
      expect(issues).toEqual([
        { user_id: 'nowhere', records: 1 },
        { user_id: 'somewhere', records: 1 },
      ]);
    });
  });
}
