import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codecOf } from '../codec/codec.ts';
import type { FieldDeclaration } from '../streams/declaration.ts';
import { type Receipt, type StreamRecords, streamNames, streamSchemas } from '../streams/streams.generated.ts';
import { type EventStream, readEvent } from './read-event.ts';
import { resourceColumns, sampleMembers, type TimeseriesStream, timeseriesResources } from './resource.ts';

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
const START = '2026-03-29T01:00:00+00:00';
const END = '2026-03-29T01:00:30+00:00';
const start = Date.UTC(2026, 2, 29, 1) * 1000;
const end = start + 30_000_000;

function read<S extends TimeseriesStream>(stream: S, resource: string, data: readonly object[], source: object = {}) {
  const reading = readEvent(
    stream as EventStream,
    `daily.data.${resource}.created`,
    { user_id: 'u', data: { source: { provider: 'apple_health_kit', type: 'watch', ...source }, data } },
    receipt,
  );
  if (reading.kind !== 'record') throw new Error(`refused: ${reading.reason}`);
  return { ...(reading.record as StreamRecords[S]), refused: reading.refused };
}

const examples = {
  sensor_location: 'armpit',
  intensity: 'high',
  delivery_mode: 'bolus',
  delivery_form: 'extended',
  bolus_purpose: 'meal',
} as const;

describe('the declared resources', () => {
  test('there are 50 current and 4 retired resources, sorted by name', () => {
    const names = timeseriesResources.map(({ resource }) => resource);
    expect(names).toEqual([...new Set(names)].sort());
    const retired = timeseriesResources.filter((one) => one.retired).map(({ resource }) => resource);
    expect(retired).toEqual(['active_energy_burned', 'basal_energy_burned', 'distance_running_walking', 'hypnogram']);
    expect(names.length).toBe(50 + retired.length);
  });

  test.each(timeseriesResources)('events of $resource are routed only to their stream', ({ resource, stream }) => {
    for (const kind of ['created', 'updated']) {
      const routed = streamNames.filter((name) =>
        streamSchemas[name].aorta.prefixes.some((prefix) => `daily.data.${resource}.${kind}`.startsWith(prefix)),
      );
      expect(routed).toEqual([stream]);
    }
  });

  test('eight resources have the sample type in their key', () => {
    const keyed = timeseriesResources.filter(({ typeIsKey }) => typeIsKey).map(({ resource }) => resource);
    expect(keyed).toEqual([
      'cholesterol',
      'electrocardiogram_voltage',
      'heart_rate_alert',
      'ige',
      'igg',
      'insulin_injection',
      'sleep_breathing_disturbance',
      'stand_hour',
    ]);
  });

  test('resourceColumns names the value column after the resource and its unit, and lists the additional columns', () => {
    const columns = (name: string) => resourceColumns(timeseriesResources.find(({ resource }) => resource === name)!);
    expect(columns('heartrate')).toEqual({ value: 'heartrate_bpm', further: [] });
    expect(columns('body_temperature')).toEqual({ value: 'body_temperature_c', further: ['sensor_location'] });
    expect(columns('workout_duration')).toEqual({
      value: 'workout_duration_min',
      further: ['source_workout_id', 'source_sport', 'intensity'],
    });
  });

  test('each additional member is a per-sample string field in the stream', () => {
    const fields = new Map(streamSchemas.timeseries.fields.map((field: FieldDeclaration) => [field.name, field]));
    for (const member of sampleMembers) {
      expect(fields.get(member)).toMatchObject({
        per: 'sample',
        source: `$.data.data[*].${member}`,
        type: { items: ['null', 'string'] },
      });
    }
    expect([...new Set(timeseriesResources.flatMap(({ members = [] }) => members))].sort()).toEqual([...sampleMembers].sort());
  });
});

describe.each(timeseriesResources.filter(({ stream }) => stream === 'timeseries'))('a sample of $resource', (declared) => {
  const { resource, form, unit, members = [] } = declared;
  const time = form === 'interval' ? { start: START, end: END } : { timestamp: START };
  const own = Object.fromEntries(members.map((member) => [member, examples[member]]));
  const others = Object.fromEntries(sampleMembers.filter((one) => !members.includes(one)).map((one) => [one, examples[one]]));

  test('all members of a complete sample become fields', () => {
    expect(read('timeseries', resource, [{ ...time, timezone_offset: 3600, type: 'a', unit, value: 1.5, ...own }])).toMatchObject(
      {
        resource,
        start_at: [start],
        end_at: form === 'interval' ? [end] : [],
        timezone_offset_s: [3600],
        sample_type: ['a'],
        unit: [unit],
        value: [1.5],
        ...Object.fromEntries(sampleMembers.map((member) => [member, member in own ? [own[member]] : []])),
        sample_extra: [],
        refused: [],
      },
    );
  });

  test('sample_extra is empty if additional members are missing or null', () => {
    const empty = Object.fromEntries(members.map((member) => [member, null]));
    expect(
      read('timeseries', resource, [
        { ...time, value: 1 },
        { ...time, value: 1, ...empty },
      ]),
    ).toMatchObject({
      ...Object.fromEntries(sampleMembers.map((member) => [member, []])),
      sample_extra: [],
      refused: [],
    });
  });

  test('the additional members of other resources go to sample_extra', () => {
    const { sample_extra, refused } = read('timeseries', resource, [{ ...time, value: 1, ...others }]);
    expect(sample_extra.map((text) => JSON.parse(text!))).toEqual([others]);
    expect(refused).toEqual([]);
  });
});

describe('additional members', () => {
  test('members that differ between samples are stored once per sample', () => {
    const injection = { start: START, end: END, type: 'rapid_acting', unit: 'unit' };
    const data = [
      { ...injection, value: 1, delivery_mode: 'bolus', delivery_form: 'standard', bolus_purpose: 'meal' },
      { ...injection, value: 2, delivery_mode: 'basal', delivery_form: 'standard', bolus_purpose: null },
      { ...injection, value: 3, delivery_form: 'standard' },
    ];
    expect(read('timeseries', 'insulin_injection', data)).toMatchObject({
      value: [1, 2, 3],
      delivery_mode: ['bolus', 'basal', null],
      delivery_form: ['standard'],
      bolus_purpose: ['meal', null, null],
      sample_extra: [],
    });
  });

  test('a member of the wrong type goes to sample_extra, but any string is accepted', () => {
    const data = [
      { timestamp: START, value: 36.6, sensor_location: 7 },
      { timestamp: END, value: 36.7, sensor_location: 'elbow', colour: 'red' },
    ];
    const reading = read('timeseries', 'body_temperature', data);
    expect(reading).toMatchObject({ value: [36.6, 36.7], sensor_location: [null, 'elbow'] });
    expect(reading.sample_extra.map((text) => JSON.parse(text!))).toEqual([{ sensor_location: 7 }, { colour: 'red' }]);
    expect(reading.refused).toEqual([{ reason: 'value_does_not_fit', place: 'data.data[0].sensor_location' }]);
  });

  test('the workout and the sport of a workout resource are read from the source', () => {
    expect(
      read('timeseries', 'workout_distance', [{ start: START, end: END, unit: 'm', value: 1 }], {
        workout_id: 'w',
        sport: 'running',
      }),
    ).toMatchObject({ origin: { source_workout_id: 'w', source_sport: 'running' }, extra: null });
  });

  test('a batch in which only some samples have an end can be encoded', () => {
    const data = [
      { start: START, end: END, value: 1 },
      { start: '2026-03-29T01:01:00Z', value: 2 },
      { start: '2026-03-29T01:02:00Z', end: 'soon', value: 3 },
    ];
    const { refused, ...record } = read('timeseries', 'steps', data);
    expect(record).toMatchObject({ end_at: [end, null, null], sample_extra: [null, null, '{"end":"soon"}'] });
    expect(refused).toEqual([{ reason: 'value_does_not_fit', place: 'data.data[2].end' }]);
    const codec = codecOf('timeseries');
    expect(codec.decode(codec.encode(record))).toEqual(record);
  });

  test('an interval may have only a timestamp, and a discrete sample may have an end', () => {
    expect(read('timeseries', 'steps', [{ timestamp: START, value: 1 }])).toMatchObject({ start_at: [start], end_at: [] });
    expect(read('timeseries', 'water', [{ start: START, end: END, timestamp: START, value: 1 }])).toMatchObject({
      start_at: [start],
      end_at: [end],
      sample_extra: [],
    });
  });
});

describe('a note', () => {
  const at = { start: START, end: END, timezone_offset: -3600, unit: 'text' };
  const later = { ...at, start: '2026-03-29T01:00:10Z' };
  const latest = { ...at, start: '2026-03-29T01:00:20Z' };

  test('text and tags become fields', () => {
    const data = [
      { ...at, value: 'planted', tags: ['food', 'exercise'] },
      { ...later, value: '', tags: null },
      { ...latest, value: null, tags: [] },
    ];
    expect(read('notes', 'note', data)).toMatchObject({
      resource: 'note',
      start_at: [start, start + 10_000_000, start + 20_000_000],
      end_at: [end],
      timezone_offset_s: [-3600],
      text: ['planted', '', null],
      tags: ['["food","exercise"]', null, '[]'],
      unit: ['text'],
      sample_extra: [],
      refused: [],
    });
  });

  test('sample_extra keeps text or tags of the wrong type as they were sent', () => {
    const { text, tags, sample_extra, refused } = read('notes', 'note', [
      { ...at, value: 5, tags: 'food' },
      { ...later, value: 'x', tags: ['food', null] },
      { ...latest, value: '\ud800', tags: ['food'], mood: 1 },
    ]);
    expect({ text, tags }).toEqual({ text: [null, 'x', null], tags: [null, null, '["food"]'] });
    expect(sample_extra.map((extra) => JSON.parse(extra!))).toEqual([
      { value: 5, tags: 'food' },
      { tags: ['food', null] },
      // A lone surrogate is stored as the text of its escape sequence, which every JSON parser accepts.
      { value: '\\ud800', mood: 1 },
    ]);
    expect(refused.map(({ place }) => place)).toEqual([
      'data.data[0].value',
      'data.data[0].tags',
      'data.data[1].tags',
      'data.data[2].value',
    ]);
  });
});

describe('samples of one event that share a key', () => {
  const at = (minute: number, more: object) => ({ timestamp: `2025-10-26T02:${String(minute).padStart(2, '0')}:00Z`, ...more });
  const part = (index: number) => ({ reason: 'sample_key_repeated', place: `data.data[${index}]` });

  test('are counted if the later one has another value', () => {
    const hour = [at(15, { value: 5.4, timezone_offset: 7200 }), at(15, { value: 9.8, timezone_offset: 3600 })];
    expect(read('timeseries', 'glucose', hour, { provider: 'freestyle_libre' }).refused).toEqual([part(0)]);
    expect(
      read('timeseries', 'glucose', [at(1, { value: 1 }), 'none', {}, ...hour, at(2, { value: 1 })] as object[]).refused,
    ).toEqual([
      { reason: 'sample_not_an_object', place: 'data.data[1]' },
      { reason: 'sample_without_time', place: 'data.data[2]' },
      part(3),
    ]);
  });

  test.each<[string, TimeseriesStream, string, [object, object]]>([
    [
      'another unit',
      'timeseries',
      'glucose',
      [
        { value: 5, unit: 'mmol/L' },
        { value: 5, unit: 'mg/dL' },
      ],
    ],
    ['another end', 'timeseries', 'steps', [{ value: 5, end: END }, { value: 5 }]],
    ['a value that does not fit', 'timeseries', 'glucose', [{ value: '5' }, { value: 5 }]],
    ['another sensor location', 'timeseries', 'body_temperature', [{ value: 5, sensor_location: 'ear' }, { value: 5 }]],
    [
      'another type, which is no part of the key',
      'timeseries',
      'heartrate',
      [
        { value: 5, type: 'a' },
        { value: 6, type: 'b' },
      ],
    ],
    [
      'another pressure',
      'blood_pressure',
      'blood_pressure',
      [
        { systolic: 120, diastolic: 80 },
        { systolic: 120, diastolic: 81 },
      ],
    ],
    [
      'another tag',
      'notes',
      'note',
      [
        { value: 'x', tags: ['a'] },
        { value: 'x', tags: ['b'] },
      ],
    ],
  ])('are counted with %s', (_, stream, resource, [one, other]) => {
    const counted = (...samples: object[]) =>
      read(
        stream,
        resource,
        samples.map((more) => at(15, more)),
      ).refused.filter(({ reason }) => reason === 'sample_key_repeated');
    expect(counted(one, other)).toEqual([part(0)]);
    expect(counted(other, one)).toEqual([part(0)]);
    expect(counted(one, one)).toEqual([]);
  });

  test('are not counted if only their id, their offset or the notation of their end differ', () => {
    const one = at(15, { id: 1, value: 5, unit: '', end: END, timezone_offset: 0 });
    const other = at(15, { id: 2, value: 5, end: '2026-03-29T02:00:30+01:00', timezone_offset: 3600, unit: null });
    expect(read('timeseries', 'steps', [one, other]).refused).toEqual([]);
  });

  test('are counted for random samples: each one that is neither the last of its key nor equal to it', () => {
    const sample = fc.record({ minute: fc.nat(3), value: fc.nat(2), type: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(fc.array(sample), fc.constantFrom('heartrate', 'insulin_injection'), (samples, resource) => {
        const keyOf = ({ minute, type }: (typeof samples)[number]) =>
          resource === 'heartrate' ? `${minute}` : `${minute} ${type}`;
        const table = new Map(samples.map((one) => [keyOf(one), one.value]));
        const without = samples.flatMap((one, index) => (table.get(keyOf(one)) === one.value ? [] : [part(index)]));
        const sent = samples.map(({ minute, ...more }) => at(minute, more));
        expect(read('timeseries', resource, sent).refused).toEqual(without);
      }),
    );
  });
});
