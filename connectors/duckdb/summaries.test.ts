import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codecOf, type EventStream, readEvent } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';

/** Follows every kind of summary from the event through Avro, landing and merging to a query. */

const common = {
  user_id: 'u-1',
  source: { provider: 'oura', type: 'ring', device_id: 'd-1' },
  created_at: '2026-03-28T06:00:00+00:00',
  updated_at: '2026-03-28T07:00:00.000001+00:00',
};
const beside = { source_provider: 'withings', source_type: 'watch', source_app_id: 'app', source_device_id: 'd-2' };

const summaries: Partial<Record<EventStream, readonly object[]>> = {
  body: [
    {
      ...common,
      id: 'b-1',
      date: '2026-03-28T00:00:00+00:00',
      calendar_date: '2026-03-28',
      weight: 80,
      fat: 21.5,
      water_percentage: 55.4,
      muscle_mass_percentage: 40.2,
      visceral_fat_index: 4.5,
      bone_mass_percentage: 4.3,
      body_mass_index: 23.9,
      lean_body_mass_kilogram: 62.8,
      waist_circumference_centimeter: 84,
    },
  ],
  electrocardiogram: [
    {
      ...common,
      ...beside,
      id: 'e-1',
      session_start: '2026-03-28T08:00:00',
      session_end: '2026-03-28T08:00:30.5Z',
      voltage_sample_count: 15_360,
      heart_rate_mean: 73,
      sampling_frequency_hz: 512.5,
      classification: 'inconclusive',
      inconclusive_cause: 'poor_reading',
      algorithm_version: '2',
      time_zone: 'Europe/Berlin',
      source_device_model: 'Watch 9',
    },
  ],
  meal: [
    {
      ...common,
      id: 'm-1',
      priority_id: 1,
      source_id: 2,
      provider_id: 'm-1',
      timestamp: '2026-03-28T12:00:00Z',
      calendar_date: '2026-03-28',
      name: "Fisherman's lunch",
      energy: { unit: 'kcal', value: 512.5 },
      macros: { carbs: 50, protein: 20, fats: { total: 12.5, saturated: 3 }, fibre: 4 },
      micros: { minerals: { iron: 2.5 }, trace_elements: { copper: 0.5 }, vitamins: { vitamin_c: 30 } },
      data: {
        'Bread "dark"': { energy: { unit: 'kcal', value: 250 }, macros: { carbs: 48, fats: { total: 2 } }, micros: null },
        Herring: { energy: { unit: 'kJ', value: 900 }, macros: { protein: 18 }, micros: { minerals: { iron: 1 } } },
        Water: {},
      },
      source_app_id: 'app',
      source_device_id: null,
    },
    { ...common, id: 'm-2', energy: { unit: 'kJ', value: 2000 }, macros: null, micros: null },
    { ...common, id: 'm-3', data: ['Bread'] },
  ],
  menstrual_cycle: [
    {
      ...common,
      ...beside,
      id: 'c-1',
      period_start: '2026-03-01',
      period_end: '2026-03-05',
      cycle_end: null,
      is_predicted: false,
      menstrual_flow: [
        { date: '2026-03-01', flow: 'heavy' },
        { date: '2026-03-02', flow: 'light' },
      ],
      cervical_mucus: [{ date: '2026-03-10', quality: 'egg_white' }],
      intermenstrual_bleeding: [{ date: '2026-03-11' }],
      contraceptive: [{ date: '2026-03-01', type: 'oral' }],
      detected_deviations: [{ date: '2026-03-09', deviation: 'irregular_menstrual_cycles' }],
      ovulation_test: [{ date: '2026-03-12', test_result: 'positive' }],
      home_pregnancy_test: [{ date: '2026-03-25', test_result: 'negative' }],
      home_progesterone_test: [{ date: '2026-03-20', test_result: 'indeterminate' }],
      sexual_activity: [
        { date: '2026-03-13', protection_used: null },
        { date: '2026-03-14', protection_used: true },
      ],
      basal_body_temperature: [{ date: '2026-03-02', value: 36.6 }],
    },
    // The newer version of a cycle has shorter lists.
    { ...common, id: 'c-2', menstrual_flow: [{ date: '2026-03-01', flow: 'none' }], updated_at: '2026-03-01T00:00:00Z' },
    { ...common, id: 'c-2', menstrual_flow: [] },
  ],
  profile: [
    { ...common, id: 'p-1', height: 183, birth_date: '1980-02-29', wheelchair_use: true, gender: 'other', sex: 'female' },
  ],
  sleep_cycle: [
    {
      ...common,
      ...beside,
      id: 'y-1',
      sleep_id: 's-1',
      session_start: '2026-03-27T22:00:00Z',
      session_end: '2026-03-28T06:00:00Z',
      stage_start_offset_second: [0, 300, 900],
      stage_end_offset_second: [300, 900, 1000],
      stage_type: [2, -1, 7],
      time_zone: 'Europe/Berlin',
    },
    // Lists of different lengths, and one value that is not a list.
    { ...common, id: 'y-2', session_start: '2026-03-27T22:00:00Z', stage_start_offset_second: [0, 60], stage_type: 'deep' },
  ],
  workouts: [
    {
      ...common,
      id: 'w-1',
      title: 'Round the lake',
      timezone_offset: 3600,
      average_hr: 120.5,
      max_hr: 171,
      distance: 10_500.5,
      calendar_date: '2026-03-28',
      time_start: '2026-03-28T09:00:00Z',
      time_end: '2026-03-28T10:00:00Z',
      calories: 640,
      sport: { id: 1, name: 'Running', slug: 'running' },
      hr_zones: [60, 0, 1200, 1500, 600, 240],
      moving_time: 3500,
      total_elevation_gain: 95,
      elev_high: 130.5,
      elev_low: -3,
      average_speed: 2.9,
      max_speed: 4.5,
      average_watts: 210,
      device_watts: 205,
      max_watts: 400,
      weighted_average_watts: 220,
      steps: 9800,
      map: { polyline: 'a`b\\c', summary_polyline: 'ab' },
      provider_id: 'p-77',
    },
    {
      user_id: 'u-1',
      id: 'w-2',
      source: { name: 'Strava', slug: 'strava', logo: 'x' },
      sport: { id: 1, name: 'Football' },
      hr_zones: null,
    },
  ],
  workout_stream: [
    { user_id: 'u-1', workout_id: 'w-1', provider_id: 'p-77', source: common.source, message: 'Ask for it', sport: '' },
    {
      user_id: 'u-1',
      workout_id: 'w-1',
      provider: { name: 'Oura', slug: 'oura' },
      sport: { id: 1, name: 'Running', slug: 'running' },
    },
  ],
};

let folder: string;
let query: (sql: string) => Promise<unknown[]>;
let close: () => Promise<void>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  const path = join(folder, 'warehouse.duckdb');
  const warehouse = await openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
  });
  for (const [name, sent] of Object.entries(summaries)) {
    const stream = name as EventStream;
    const records = sent.map((data, offset) => {
      const body = { team_id: 't', user_id: 'u-1', client_user_id: 'c', data };
      const received_at = Date.UTC(2026, 2, 28) * 1000 + offset;
      const receipt = {
        source: name,
        partition: '0',
        offset,
        received_at,
        delivery_id: null,
        header_facts: 0,
        body_bytes: 1,
        body_crc32: 1,
        arrived_at: null,
      };
      const reading = readEvent(stream, `daily.data.${name}.created`, JSON.parse(JSON.stringify(body)), receipt);
      if (reading.kind !== 'record') throw new Error(reading.reason);
      const codec = codecOf(stream);
      return codec.decode(codec.encode(reading.record));
    });
    await warehouse.land({ stream, incarnation: 'i', from: 0, to: records.length, records: records as never });
  }
  await warehouse.merge('all');
  await warehouse.publish('now');
  await warehouse.close();
  const reader = await openDuckDbReader({ path });
  close = () => reader.close();
  query = async (sql) => {
    const { columns, rows } = await reader.query(sql);
    const found: unknown[] = [];
    for await (const chunk of rows)
      for (const row of chunk) found.push(Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));
    return found;
  };
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const origin = { provider: 'oura', source_type: 'ring', source_app_id: null, source_device_id: 'd-1' };
const stored = { created_at: '2026-03-28T06:00:00Z', updated_at: '2026-03-28T07:00:00.000001Z', extra: null };
const dataSource = {
  data_source_provider: 'withings',
  data_source_type: 'watch',
  data_source_app_id: 'app',
  data_source_device_id: 'd-2',
};

describe('the tables of summaries', () => {
  test('the table body has a row for a body summary', async () => {
    expect(await query('select * from body')).toMatchObject([
      {
        ...origin,
        ...stored,
        id: 'b-1',
        data_user_id: 'u-1',
        date_at: '2026-03-28T00:00:00Z',
        calendar_date: '2026-03-28',
        weight_kg: 80,
        fat_pct: 21.5,
        water_pct: 55.4,
        muscle_mass_pct: 40.2,
        visceral_fat_index: 4.5,
        bone_mass_pct: 4.3,
        body_mass_index: 23.9,
        lean_body_mass_kg: 62.8,
        waist_circumference_cm: 84,
      },
    ]);
  });

  test('the table electrocardiogram has a row for a recording', async () => {
    expect(await query('select * from electrocardiogram')).toMatchObject([
      {
        ...origin,
        ...stored,
        ...dataSource,
        id: 'e-1',
        session_start: '2026-03-28T08:00:00Z',
        session_end: '2026-03-28T08:00:30.500000Z',
        voltage_sample_count: 15_360n,
        heart_rate_mean_bpm: 73,
        sampling_frequency_hz: 512.5,
        classification: 'inconclusive',
        inconclusive_cause: 'poor_reading',
        algorithm_version: '2',
        time_zone: 'Europe/Berlin',
        source_device_model: 'Watch 9',
      },
    ]);
  });

  test('the table meal stores an energy value in the extra column if its unit is not kcal', async () => {
    expect(await query('select * from meal order by id')).toMatchObject([
      {
        ...origin,
        ...stored,
        id: 'm-1',
        priority_id: 1n,
        source_id: 2n,
        provider_id: 'm-1',
        eaten_at: '2026-03-28T12:00:00Z',
        calendar_date: '2026-03-28',
        meal_name: "Fisherman's lunch",
        energy_kcal: 512.5,
        energy_unit: 'kcal',
        carbs_g: 50,
        protein_g: 20,
        fat_total_g: 12.5,
        fat_saturated_g: 3,
        fat_omega3_g: null,
        fibre_g: 4,
        alcohol_g: null,
        minerals: '{"iron":2.5}',
        trace_elements: '{"copper":0.5}',
        vitamins: '{"vitamin_c":30}',
        data_source_app_id: 'app',
        data_source_device_id: null,
      },
      { id: 'm-2', energy_kcal: null, energy_unit: 'kJ', foods: null, extra: '{"data.energy.value":2000}' },
      { id: 'm-3', foods: '["Bread"]', extra: null },
    ]);
  });

  test('in menstrual_cycle, a newer version with fewer values replaces the old one completely', async () => {
    expect(await query('select * from menstrual_cycle order by id')).toMatchObject([
      {
        ...origin,
        ...stored,
        ...dataSource,
        id: 'c-1',
        period_start: '2026-03-01',
        period_end: '2026-03-05',
        cycle_end: null,
        is_predicted: false,
        menstrual_flow: [
          { calendar_date: '2026-03-01', flow: 'heavy' },
          { calendar_date: '2026-03-02', flow: 'light' },
        ],
        sexual_activity: [
          { calendar_date: '2026-03-13', protection_used: null },
          { calendar_date: '2026-03-14', protection_used: true },
        ],
        basal_body_temperature: [{ calendar_date: '2026-03-02', temperature_c: 36.6 }],
      },
      { id: 'c-2', menstrual_flow: [], sexual_activity: [], basal_body_temperature: [] },
    ]);
  });

  test('the table profile omits the date of birth, and also the extra column, which might contain it', async () => {
    const [profile] = (await query('select * from profile')) as object[];
    const { created_at, updated_at } = stored;
    expect(profile).toMatchObject({
      ...origin,
      created_at,
      updated_at,
      id: 'p-1',
      height_cm: 183,
      wheelchair_use: true,
      gender: 'other',
      sex: 'female',
    });
    expect(profile).not.toHaveProperty('birth_date');
    expect(profile).not.toHaveProperty('extra');
  });

  test('the table sleep_cycle keeps lists and puts a value that is not a list into the extra column', async () => {
    expect(await query('select * from sleep_cycle order by id')).toMatchObject([
      {
        ...origin,
        ...stored,
        ...dataSource,
        id: 'y-1',
        sleep_id: 's-1',
        session_start: '2026-03-27T22:00:00Z',
        session_end: '2026-03-28T06:00:00Z',
        stage_start_offset_s: [0n, 300n, 900n],
        stage_end_offset_s: [300n, 900n, 1000n],
        stage_type: [2n, -1n, 7n],
        time_zone: 'Europe/Berlin',
      },
      { id: 'y-2', stage_start_offset_s: [0n, 60n], stage_end_offset_s: [], stage_type: [], extra: '{"data.stage_type":"deep"}' },
    ]);
  });

  test('the table workouts has workouts of the current and the old format', async () => {
    expect(await query('select * from workouts order by id')).toMatchObject([
      {
        ...origin,
        ...stored,
        id: 'w-1',
        title: 'Round the lake',
        timezone_offset_s: 3600n,
        calendar_date: '2026-03-28',
        time_start: '2026-03-28T09:00:00Z',
        time_end: '2026-03-28T10:00:00Z',
        sport_id: 1n,
        sport_name: 'Running',
        sport_slug: 'running',
        average_hr_bpm: 120.5,
        max_hr_bpm: 171,
        hr_zones_s: [60n, 0n, 1200n, 1500n, 600n, 240n],
        distance_m: 10_500.5,
        calories_kcal: 640,
        moving_time_s: 3500n,
        total_elevation_gain_m: 95,
        elev_high_m: 130.5,
        elev_low_m: -3,
        average_speed_m_s: 2.9,
        max_speed_m_s: 4.5,
        average_watts: 210,
        device_watts: 205,
        max_watts: 400,
        weighted_average_watts: 220,
        steps: 9800n,
        map_polyline: 'a`b\\c',
        map_summary_polyline: 'ab',
        provider_id: 'p-77',
      },
      {
        id: 'w-2',
        provider: 'strava',
        source_type: 'unknown',
        source_name: 'Strava',
        sport_name: 'Football',
        sport_slug: null,
        hr_zones_s: [],
        updated_at: null,
        extra: null,
      },
    ]);
  });

  test('workout_stream_events has one row for each workout, which shows the newest event', async () => {
    expect(await query('select * from workout_stream_events')).toMatchObject([
      {
        user_id: 'u-1',
        workout_id: 'w-1',
        provider: 'oura',
        provider_id: null,
        sport_slug: 'running',
        extra: '{"data.provider":{"name":"Oura","slug":"oura"}}',
        _offset: 1n,
      },
    ]);
  });
});

describe('the views of summaries', () => {
  test('sleep_cycle_stages has one row per stage, with NULL where a list is shorter', async () => {
    const whose = { user_id: 'u-1', provider: 'oura', source_type: 'ring', source: 'oura/ring' };
    const first = { ...whose, id: 'y-1', sleep_id: 's-1' };
    const second = { ...whose, id: 'y-2', sleep_id: null, stage: null, stage_type: null, end_at: null, duration_s: null };
    expect(await query('select * from sleep_cycle_stages order by id, ordinal')).toEqual([
      {
        ...first,
        ordinal: 1n,
        stage: 'light',
        stage_type: 2n,
        start_at: '2026-03-27T22:00:00Z',
        end_at: '2026-03-27T22:05:00Z',
        duration_s: 300n,
      },
      {
        ...first,
        ordinal: 2n,
        stage: 'unknown',
        stage_type: -1n,
        start_at: '2026-03-27T22:05:00Z',
        end_at: '2026-03-27T22:15:00Z',
        duration_s: 600n,
      },
      {
        ...first,
        ordinal: 3n,
        stage: null,
        stage_type: 7n,
        start_at: '2026-03-27T22:15:00Z',
        end_at: '2026-03-27T22:16:40Z',
        duration_s: 100n,
      },
      { ...second, ordinal: 1n, start_at: '2026-03-27T22:00:00Z' },
      { ...second, ordinal: 2n, start_at: '2026-03-27T22:01:00Z' },
    ]);
  });

  test('workouts_hr_zones has one row per zone', async () => {
    expect(await query('select id, zone, duration_s from workouts_hr_zones where zone in (1, 6)')).toEqual([
      { id: 'w-1', zone: 1n, duration_s: 60n },
      { id: 'w-1', zone: 6n, duration_s: 240n },
    ]);
  });

  test('meal_foods has one row per food', async () => {
    const found =
      'select id, food_name, energy_kcal, carbs_g, protein_g, fat_total_g, minerals from meal_foods order by food_name';
    const nothing = { id: 'm-1', energy_kcal: null, carbs_g: null, protein_g: null, fat_total_g: null, minerals: null };
    expect(await query(found)).toEqual([
      { ...nothing, food_name: 'Bread "dark"', energy_kcal: 250, carbs_g: 48, fat_total_g: 2 },
      { ...nothing, food_name: 'Herring', protein_g: 18, minerals: '{"iron":1}' },
      { ...nothing, food_name: 'Water' },
    ]);
  });

  test('each list of a menstrual cycle has a view with one row per entry', async () => {
    expect(await query('select * from menstrual_cycle_menstrual_flow order by ordinal')).toEqual([
      {
        user_id: 'u-1',
        provider: 'oura',
        source_type: 'ring',
        source: 'oura/ring',
        id: 'c-1',
        ordinal: 1n,
        local_date: '2026-03-01',
        flow: 'heavy',
      },
      {
        user_id: 'u-1',
        provider: 'oura',
        source_type: 'ring',
        source: 'oura/ring',
        id: 'c-1',
        ordinal: 2n,
        local_date: '2026-03-02',
        flow: 'light',
      },
    ]);
  });

  test.each([
    ['cervical_mucus', { local_date: '2026-03-10', quality: 'egg_white' }],
    ['intermenstrual_bleeding', { local_date: '2026-03-11' }],
    ['contraceptive', { local_date: '2026-03-01', contraceptive_type: 'oral' }],
    ['detected_deviations', { local_date: '2026-03-09', deviation: 'irregular_menstrual_cycles' }],
    ['ovulation_test', { local_date: '2026-03-12', test_result: 'positive' }],
    ['home_pregnancy_test', { local_date: '2026-03-25', test_result: 'negative' }],
    ['home_progesterone_test', { local_date: '2026-03-20', test_result: 'indeterminate' }],
    ['basal_body_temperature', { local_date: '2026-03-02', temperature_c: 36.6 }],
  ])('the view menstrual_cycle_%s has one row per entry', async (list, entry) => {
    expect(await query(`select * exclude (user_id, provider, source_type, source) from menstrual_cycle_${list}`)).toEqual([
      { id: 'c-1', ordinal: 1n, ...entry },
    ]);
  });
});
