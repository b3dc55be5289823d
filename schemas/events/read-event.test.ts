import { describe, expect, test } from 'vitest';
import type { Receipt } from '../streams/streams.generated.ts';
import { type EventStream, readEvent } from './read-event.ts';

const receipt: Receipt = {
  source: 's',
  partition: '0',
  offset: 7,
  received_at: 1,
  delivery_id: null,
  header_facts: 0,
  body_bytes: 2,
  body_crc32: 3,
  arrived_at: null,
};
const user = '5a3f0000-0000-4000-8000-000000000001';

function read(
  stream: EventStream,
  type: string,
  data: unknown,
  envelope: object = { user_id: user, team_id: 't', client_user_id: 'c' },
) {
  return readEvent(stream, type, { event_type: type, data, ...envelope }, receipt);
}

function record(stream: EventStream, type: string, data: unknown, envelope?: object): Record<string, unknown> {
  const reading = read(stream, type, data, envelope);
  if (reading.kind !== 'record') throw new Error(`refused: ${reading.reason}`);
  return { ...reading.record, refused: reading.refused } as unknown as Record<string, unknown>;
}

describe('the envelope', () => {
  test.each([
    ['a body that is a list', [], 'not_an_event'],
    ['a body that is null', null, 'not_an_event'],
    ['no data', { user_id: user }, 'no_data'],
    ['data that is a list', { user_id: user, data: [] }, 'no_data'],
    ['no user anywhere', { data: { id: 'x' } }, 'no_user_id'],
    ['an empty user', { user_id: '', data: { id: 'x' } }, 'no_user_id'],
    ['a user that is a number', { user_id: 5, data: { id: 'x' } }, 'no_user_id'],
  ])('an event with %s is refused', (_, body, reason) => {
    expect(readEvent('activity', 'daily.data.activity.created', body, receipt)).toMatchObject({ kind: 'refused', reason });
  });

  test('an event from before March 2024 takes its user from the data', () => {
    expect(record('activity', 'daily.data.activity.created', { id: 'x', user_id: user }, {})).toMatchObject({
      event: { user_id: user, team_id: null, client_user_id: null },
      data_user_id: user,
    });
  });

  test('the extra column keeps unknown members of the envelope, even one named __proto__', () => {
    const body = JSON.parse(`{"user_id":"${user}","data":{"id":"x"},"__proto__":{"a":1},"emitted":"now","team_id":5}`);
    const reading = readEvent('activity', 'daily.data.activity.created', body, receipt);
    expect(reading).toMatchObject({ kind: 'record', refused: [{ reason: 'value_does_not_fit', place: 'team_id' }] });
    expect(JSON.stringify((reading as { record: { extra: string } }).record.extra)).toContain('__proto__');
    expect(JSON.parse((reading as { record: { extra: string } }).record.extra)).toMatchObject({ emitted: 'now', team_id: 5 });
  });
});

describe('the source of the data', () => {
  test.each([
    [
      'the current generation',
      { provider: 'oura', type: 'ring', app_id: 'a', device_id: 'd' },
      { provider: 'oura', source_type: 'ring', source_app_id: 'a', source_device_id: 'd' },
    ],
    [
      'the old generation',
      { name: 'Oura', slug: 'oura', logo: 'l' },
      { provider: 'oura', source_type: 'unknown', source_name: 'Oura', source_logo: 'l' },
    ],
    ['both at once', { provider: 'oura', slug: 'oura', type: null }, { provider: 'oura', source_type: 'unknown' }],
    ['no type', { provider: 'oura', type: '' }, { provider: 'oura', source_type: 'unknown' }],
    ['nothing', undefined, { provider: 'unknown', source_type: 'unknown' }],
  ])('the origin is read from a source object with %s', (_, source, origin) => {
    expect(record('activity', 'daily.data.activity.created', { id: 'x', source })).toMatchObject({ origin, extra: null });
  });

  test('the origin falls back to data.provider, and the extra column keeps a slug that differs from the provider', () => {
    const read = record('activity', 'daily.data.activity.created', {
      id: 'x',
      source: { provider: 'oura', slug: 'fitbit', colour: 'red' },
    });
    expect(JSON.parse(read.extra as string)).toEqual({ 'data.source.slug': 'fitbit', 'data.source.colour': 'red' });
    expect(record('timeseries', 'daily.data.steps.created', { data: [], provider: { slug: 'whoop' } })).toMatchObject({
      origin: { provider: 'whoop' },
    });
  });
});

describe('a summary', () => {
  test('a summary requires only an id', () => {
    expect(read('sleep', 'daily.data.sleep.created', {})).toEqual({ kind: 'refused', reason: 'no_id', place: 'data.id' });
    expect(read('sleep', 'daily.data.sleep.created', { id: '' })).toMatchObject({ reason: 'no_id' });
    expect(record('sleep', 'daily.data.sleep.created', { id: 'x' })).toMatchObject({
      id: 'x',
      total_s: null,
      refused: [],
      extra: null,
    });
  });

  test('the members of a summary become fields', () => {
    const read = record('activity', 'daily.data.activity.updated', {
      id: 'x',
      calendar_date: '2026-03-29',
      date: '2026-03-29T00:00:00+00:00',
      steps: 10_000,
      distance: 7200.5,
      wheelchair_use: true,
      heart_rate: { avg_bpm: 71, resting_bpm: 52.5, max_bpm: null },
      updated_at: '2026-03-29T10:00:00.123456+00:00',
    });
    expect(read).toMatchObject({
      calendar_date: 20_541,
      date_at: Date.UTC(2026, 2, 29) * 1000,
      steps: 10_000,
      distance_m: 7200.5,
      wheelchair_use: true,
      heart_rate_avg_bpm: 71,
      heart_rate_resting_bpm: 52.5,
      heart_rate_max_bpm: null,
      updated_at: Date.UTC(2026, 2, 29, 10) * 1000 + 123_456,
      extra: null,
      refused: [],
    });
  });

  test('if a value does not fit, its field is null and the extra column keeps the value as sent', () => {
    const read = record('activity', 'daily.data.activity.created', {
      id: 'x',
      steps: 12.5,
      distance: 'far',
      calendar_date: '2026-02-30',
      heart_rate: { avg_bpm: 'fast', zones: [1] },
      low: 'NaN',
      new_member: { deep: [1] },
    });
    expect(read).toMatchObject({ steps: null, distance_m: null, calendar_date: null, heart_rate_avg_bpm: null, low_min: null });
    expect(JSON.parse(read.extra as string)).toEqual({
      'data.steps': 12.5,
      'data.distance': 'far',
      'data.calendar_date': '2026-02-30',
      'data.heart_rate.avg_bpm': 'fast',
      'data.heart_rate.zones': [1],
      'data.low': 'NaN',
      'data.new_member': { deep: [1] },
    });
    expect((read.refused as { place: string }[]).map(({ place }) => place).sort()).toEqual([
      'data.calendar_date',
      'data.distance',
      'data.heart_rate.avg_bpm',
      'data.low',
      'data.steps',
    ]);
  });
});

describe('values that cannot be stored unchanged', () => {
  const at = '2026-03-29T01:00:00Z';
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const events: Record<string, (value: unknown) => ReturnType<typeof record>> = {
    'an unknown member': (value) => record('activity', 'daily.data.activity.created', { id: 'x', new_member: value }),
    'a member of a known type': (value) => record('activity', 'daily.data.activity.created', { id: 'x', steps: value }),
    'a member of the envelope': (value) =>
      record('activity', 'daily.data.activity.created', { id: 'x' }, { user_id: user, team_id: value, new_member: value }),
    'a member of a sample': (value) =>
      record('timeseries', 'daily.data.glucose.created', { data: [{ timestamp: at, value: 1, new_member: value }] }),
    'a grouping': (value) =>
      record('blood_pressure', 'daily.data.blood_pressure.created', { data: [{ timestamp: at, grouping: value }] }),
    'a JSON column': (value) => record('connections', 'provider.connection.created', { resource_availability: value }),
    'an old source': (value) => record('connections', 'provider.connection.created', { provider: 'oura', source: value }),
  };
  const values: readonly (readonly [string, string, string | undefined])[] = [
    ['500 levels', deep(500), undefined],
    ['501 levels', deep(501), 'nested_too_deep'],
    ['10,000 levels', deep(10_000), 'nested_too_deep'],
    ['1e400', '[1e400]', 'number_not_exact'],
    ['2^53 + 1', '{"a":9007199254740993}', 'number_not_exact'],
    ['2^53 - 1', '{"a":9007199254740991}', undefined],
  ];
  for (const [event, read] of Object.entries(events)) {
    test.each(values)(`${event} with %s is kept if it can be stored unchanged, and refused otherwise`, (_, sent, reason) => {
      const { refused, ...kept } = read(JSON.parse(sent));
      const reasons = new Set((refused as { reason: string }[]).map((part) => part.reason));
      reasons.delete('value_does_not_fit');
      expect([...reasons]).toEqual(reason === undefined ? [] : [reason]);
      if (reason !== undefined) expect(refused).not.toContainEqual(expect.objectContaining({ reason: 'value_does_not_fit' }));
      expect(JSON.stringify(kept).includes(JSON.stringify(sent).slice(1, -1))).toBe(reason === undefined);
    });
  }

  test('an offset of more than 18 hours goes to sample_extra', () => {
    const offsets = [64_800, -64_800, 64_801, -64_801, 86_400_000];
    const data = offsets.map((timezone_offset, second) => ({
      timestamp: `2026-03-29T01:00:0${second}Z`,
      timezone_offset,
      value: 1,
    }));
    const { timezone_offset_s, sample_extra } = record('timeseries', 'daily.data.glucose.created', { data });
    expect(timezone_offset_s).toEqual([64_800, -64_800, null, null, null]);
    expect((sample_extra as (string | null)[]).slice(2)).toEqual(
      offsets.slice(2).map((offset) => `{"timezone_offset":${offset}}`),
    );
  });
});

describe('summaries of all streams', () => {
  const streams = ['body', 'electrocardiogram', 'meal', 'menstrual_cycle', 'profile', 'sleep_cycle', 'workouts'] as const;

  test.each(streams)('a %s summary requires only an id', (stream) => {
    expect(read(stream, `daily.data.${stream}.created`, {})).toMatchObject({ reason: 'no_id', place: 'data.id' });
    const bare = record(stream, `daily.data.${stream}.created`, { id: 'x' });
    expect(bare).toMatchObject({ id: 'x', updated_at: null, origin: { provider: 'unknown' }, extra: null, refused: [] });
  });

  test.each(streams)('a %s summary with a source object of the old form is read', (stream) => {
    const source = { name: 'Oura', slug: 'oura', logo: 'l' };
    expect(record(stream, `daily.data.${stream}.updated`, { id: 'x', source })).toMatchObject({
      origin: { provider: 'oura', source_name: 'Oura', source_type: 'unknown' },
      extra: null,
    });
  });

  test('source_provider and source_type set the origin only if the source object does not set it', () => {
    const beside = { id: 'x', source_provider: 'withings', source_type: 'watch', source_app_id: 'a' };
    expect(record('sleep_cycle', 'daily.data.sleep_cycle.created', beside)).toMatchObject({
      origin: { provider: 'withings', source_type: 'watch', source_app_id: null },
      data_source_provider: 'withings',
      data_source_type: 'watch',
      data_source_app_id: 'a',
      extra: null,
    });
    const both = { ...beside, source: { provider: 'oura', type: 'ring' } };
    expect(record('sleep_cycle', 'daily.data.sleep_cycle.created', both)).toMatchObject({
      origin: { provider: 'oura', source_type: 'ring' },
      data_source_provider: 'withings',
    });
  });

  test.each([
    [{ value: 500 }, 500, null],
    [{ unit: 'kcal', value: 500 }, 500, null],
    [{ unit: null, value: 500 }, 500, null],
    [{ unit: 'kJ', value: 500 }, null, '{"data.energy.value":500}'],
    [{ unit: 5, value: 500 }, null, '{"data.energy.unit":5,"data.energy.value":500}'],
    [500, null, '{"data.energy":500}'],
  ])('the energy %j of a meal goes to energy_kcal if it is in kcal, else to the extra column', (energy, energy_kcal, extra) => {
    expect(record('meal', 'daily.data.meal.created', { id: 'x', energy })).toMatchObject({ energy_kcal, extra });
  });

  test('a workout_stream event without a workout id is refused', () => {
    const news = (type: string, data: object) => read('workout_stream', type, data);
    expect(news('daily.data.workout_stream.created', { id: 'x' })).toMatchObject({ reason: 'no_id', place: 'data.workout_id' });
    expect(news('daily.workout_stream.created', { workout_id: 'w' })).toMatchObject({
      record: { workout_id: 'w', provider_id: null },
    });
  });
});

describe('a lone surrogate', () => {
  const half = '\ud800';

  test('the extra column keeps a string with a lone surrogate in escaped form, but such a string is refused as an id', () => {
    const sleep = record('sleep', 'daily.data.sleep.created', { id: 'x', state: half });
    expect(sleep).toMatchObject({ state: null, extra: '{"data.state":"\\\\ud800"}' });
    const glucose = record('timeseries', 'daily.data.glucose.created', {
      data: [{ timestamp: '2026-03-29T01:00:00Z', unit: half, value: 1 }],
    });
    expect(glucose).toMatchObject({ unit: [], sample_extra: ['{"unit":"\\\\ud800"}'] });
    expect(read('sleep', 'daily.data.sleep.created', { id: half })).toMatchObject({ reason: 'no_id' });
    expect(read('sleep', 'daily.data.sleep.created', { id: 'x' }, { user_id: half })).toMatchObject({ reason: 'no_user_id' });
    expect(record('sleep', 'daily.data.sleep.created', { id: 'x', source: { slug: half } })).toMatchObject({
      origin: { provider: 'unknown' },
    });
  });
});

describe('timeseries', () => {
  const source = { provider: 'fitbit', type: 'watch' };
  const t = (second: number) => Date.UTC(2026, 2, 29, 1, 0, second) * 1000;

  test('constant members of discrete samples are stored once, and other members once per sample', () => {
    const data = [0, 9, 18].map((second) => ({
      timestamp: `2026-03-29T01:00:${String(second).padStart(2, '0')}+00:00`,
      timezone_offset: 3600,
      type: null,
      unit: 'bpm',
      value: 60 + second,
    }));
    expect(record('timeseries', 'daily.data.heartrate.created', { source, data })).toMatchObject({
      resource: 'heartrate',
      time_basis: 'utc',
      start_at: [t(0), t(9), t(18)],
      end_at: [],
      timezone_offset_s: [3600],
      sample_type: [],
      unit: ['bpm'],
      value: [60, 69, 78],
      sample_extra: [],
      extra: null,
      refused: [],
    });
  });

  test('sample_extra keeps the deprecated timestamp of an interval only if it differs from the start', () => {
    const interval = { start: '2026-03-29T01:00:00Z', end: '2026-03-29T01:00:09Z', unit: 'count', value: 3 };
    const data = [interval, { ...interval, timestamp: interval.start }, { ...interval, timestamp: '2026-03-29T05:00:00Z' }];
    const read = record('timeseries', 'daily.data.steps.created', { source, data });
    expect(read).toMatchObject({ start_at: [t(0), t(0), t(0)], end_at: [t(9)], value: [3] });
    expect(read.sample_extra).toEqual([null, null, '{"timestamp":"2026-03-29T05:00:00Z"}']);
  });

  test('a sample without a valid time is refused, and the other samples are kept', () => {
    const data = [
      { timestamp: '2026-03-29T01:00:00Z', value: 1 },
      { timestamp: 'soon', value: 2 },
      7,
      { value: 3 },
      { timestamp: '2026-03-29T01:00:09Z', value: 4 },
    ];
    expect(record('timeseries', 'daily.data.glucose.created', { source, data })).toMatchObject({
      start_at: [t(0), t(9)],
      value: [1, 4],
      refused: [
        { reason: 'sample_without_time', place: 'data.data[1]' },
        { reason: 'sample_not_an_object', place: 'data.data[2]' },
        { reason: 'sample_without_time', place: 'data.data[3]' },
      ],
    });
  });

  test('the sample_extra of each sample keeps its unknown members and values that do not fit', () => {
    const data = [
      { timestamp: '2026-03-29T01:00:00Z', value: 'high', unit: 5, note: 'x' },
      { timestamp: '2026-03-29T01:00:09Z', value: 2, type: '', id: 9, mood: 1 },
      { timestamp: '2026-03-29T01:00:18Z', value: 3, start: 'noon', id: 'nine' },
    ];
    const read = record('timeseries', 'daily.data.glucose.created', { source, data });
    expect(read).toMatchObject({ value: [null, 2, 3], unit: [], sample_type: [], sample_id: [null, 9, null] });
    expect((read.sample_extra as string[]).map((text) => JSON.parse(text))).toEqual([
      { value: 'high', unit: 5, note: 'x' },
      { mood: 1 },
      { start: 'noon', id: 'nine' },
    ]);
    expect((read.refused as { place: string }[]).map(({ place }) => place)).toEqual([
      'data.data[0].value',
      'data.data[0].unit',
      'data.data[2].start',
      'data.data[2].id',
    ]);
  });

  test('samples of FreeStyle Libre have floating times, and their offset goes to sample_extra', () => {
    const data = [{ timestamp: '2026-03-29T01:00:00+00:00', timezone_offset: 3600, value: 5.5, unit: 'mmol/L' }];
    const read = record('timeseries', 'daily.data.glucose.created', { source: { slug: 'freestyle_libre' }, data });
    expect(read).toMatchObject({
      time_basis: 'floating',
      timezone_offset_s: [],
      start_at: [t(0)],
      sample_extra: ['{"timezone_offset":3600}'],
    });
  });

  test('a blood pressure sample has a systolic and a diastolic value', () => {
    const data = [
      { timestamp: '2026-03-29T01:00:00Z', unit: 'mmHg', systolic: 121, diastolic: 79, grouping: ['cuff', null, null, null] },
    ];
    expect(record('blood_pressure', 'daily.data.blood_pressure.created', { source, data })).toMatchObject({
      systolic_mmhg: [121],
      diastolic_mmhg: [79],
      grouping: ['["cuff",null,null,null]'],
      sample_extra: [],
    });
  });

  test('a batch without an array of samples is refused, but a batch with an empty array is kept', () => {
    expect(read('timeseries', 'daily.data.glucose.created', { source })).toMatchObject({ reason: 'no_samples' });
    expect(record('timeseries', 'daily.data.glucose.created', { source, data: [] })).toMatchObject({ start_at: [], value: [] });
  });
});

describe('connections and historical completions', () => {
  test('in provider.connection.created, the provider is read as an object from `provider` or, in older events, `source`', () => {
    const provider = { name: 'Fitbit', slug: 'fitbit', logo: 'l' };
    const availability = { sleep: { status: 'available' } };
    const created = 'provider.connection.created';
    expect(
      record('connections', created, { provider, resource_availability: availability, external_user_id: 'e' }),
    ).toMatchObject({
      provider: 'fitbit',
      provider_name: 'Fitbit',
      resource_availability: JSON.stringify(availability),
      external_user_id: 'e',
      legacy_source: null,
      extra: null,
    });
    expect(record('connections', created, { source: provider })).toMatchObject({
      provider: 'fitbit',
      provider_name: 'Fitbit',
      legacy_source: JSON.stringify(provider),
    });
  });

  test('in provider.connection.error, the provider is read as a slug', () => {
    expect(
      record('connections', 'provider.connection.error', {
        provider: 'oura',
        error_type: 'token_refresh_failed',
        message: 'm',
        error_details: 'd',
      }),
    ).toMatchObject({
      provider: 'oura',
      error_type: 'token_refresh_failed',
      extra: null,
    });
  });

  test('a historical completion takes its resource from the event type', () => {
    const data = {
      provider: 'oura',
      start_date: '2024-11-26T18:53:53.739080+00:00',
      end_date: '2025-02-24T18:53:53+00:00',
      is_final: true,
    };
    expect(record('historical_completions', 'historical.data.sleep.created', data)).toMatchObject({
      resource: 'sleep',
      provider: 'oura',
      is_final: true,
      refused: [],
    });
    expect(read('historical_completions', 'historical.data', data)).toMatchObject({ reason: 'no_resource' });
  });

  test('the retired provider.connection.updated event can still be read', () => {
    expect(record('connections', 'provider.connection.updated', { provider: 'oura', updated_at: 'x' })).toMatchObject({
      provider: 'oura',
      extra: '{"data.updated_at":"x"}',
    });
  });

  test('a raw event keeps data of any form, and takes provider and dataset from the event type', () => {
    const rows = [{ steps: 3 }, null, 'text'];
    for (const data of [rows, { rows }, 'text', 0, false])
      expect(record('raw_events', 'raw.fitbit.daily_activity_summary', data)).toMatchObject({
        provider: 'fitbit',
        dataset: 'daily_activity_summary',
        payload: JSON.stringify(data),
        extra: null,
      });
    expect(record('raw_events', 'raw.garmin.a.b', {})).toMatchObject({ provider: 'garmin', dataset: 'a.b' });
    expect(record('raw_events', 'raw.', {})).toMatchObject({ provider: 'unknown', dataset: '' });
    expect(read('raw_events', 'raw.fitbit.sleep', null)).toMatchObject({ reason: 'no_data' });
    expect(read('raw_events', 'raw.fitbit.sleep', [], {})).toMatchObject({ reason: 'no_user_id' });
  });
});
