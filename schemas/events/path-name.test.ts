import { describe, expect, test } from 'vitest';
import type { Receipt } from '../streams/streams.generated.ts';
import { type EventStream, readEvent } from './read-event.ts';

const receipt: Receipt = {
  source: 'hub',
  partition: '0',
  offset: 0,
  received_at: 1,
  delivery_id: null,
  header_facts: 0,
  body_bytes: 0,
  body_crc32: 0,
  arrived_at: null,
};

/** Reads an event and returns its record. */
function read(stream: EventStream, eventType: string, data: unknown, more: object = {}): Record<string, unknown> {
  const reading = readEvent(stream, eventType, { user_id: 'u', data, ...more }, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record as unknown as Record<string, unknown>;
}
const parsed = (text: unknown): unknown => JSON.parse(text as string);
const activity = (data: object, more?: object) =>
  parsed(read('activity', 'daily.data.activity.created', { id: 'a', ...data }, more).extra);

describe('the path of an unknown field', () => {
  test('a name without dots and tildes is written as it is', () => {
    const names = [
      'mood',
      'clia_#',
      'Ünï cödé 😀',
      '__proto__',
      '$',
      '@',
      '"',
      "'",
      '/',
      '(',
      '{',
      '*',
      ' ',
      '0',
      '-1',
      'a[0]',
      '[',
      'a\\b',
      '\\u00e9',
    ];
    for (const name of names) expect(Object.keys(activity({ [name]: 1 }) as object)).toEqual([`data.${name}`]);
  });

  test('a tilde precedes each dot and tilde of a name', () => {
    expect(activity({ 'a.b': 1, 'a[0].c': 2, 'a~b': 3, 'a\\b': 4, '.': 5, '': 6, '..': 7, '~.': 8 })).toEqual({
      'data.a~.b': 1,
      'data.a[0]~.c': 2,
      'data.a~~b': 3,
      'data.a\\b': 4,
      'data.~.': 5,
      'data.': 6,
      'data.~.~.': 7,
      'data.~~~.': 8,
    });
  });

  test('a member of an object and a member with the dotted name both keep their values', () => {
    const heart_rate = { avg_bpm: 71, peak_zone: 'orange' };
    const source = { provider: 'oura', type: 'ring', firmware: '3.1' };
    expect(activity({ heart_rate, 'heart_rate.peak_zone': 'violet', source, 'source.firmware': '9.9' })).toEqual({
      'data.heart_rate.peak_zone': 'orange',
      'data.heart_rate~.peak_zone': 'violet',
      'data.source.firmware': '3.1',
      'data.source~.firmware': '9.9',
    });
  });

  test('a dotted name of a known column fills no column', () => {
    const record = read('activity', 'daily.data.activity.created', {
      id: 'a',
      'heart_rate.avg_bpm': 70,
      'source.provider': 'oura',
    });
    expect(record).toMatchObject({ heart_rate_avg_bpm: null, origin: { provider: 'unknown' } });
    expect(parsed(record.extra)).toEqual({ 'data.heart_rate~.avg_bpm': 70, 'data.source~.provider': 'oura' });
  });

  test('a member of the envelope never shares its path with a member of the data', () => {
    expect(activity({ x: 1 }, { 'data.x': 2, 'data~.x': 3, '': 4 })).toEqual({
      'data.x': 1,
      'data~.x': 2,
      'data~~~.x': 3,
      '': 4,
    });
  });

  test('half a surrogate pair in a name never shares its path with the six characters that stand for it', () => {
    expect(activity({ '\ud800': 1, '\\ud800': 2 })).toEqual({ 'data.\\ud800': 1, 'data.~\\ud800': 2 });
  });

  test('a member of a list’s element never shares its path with a member that has this path as its name', () => {
    const changes = [{ query_id: 'q', query_slug: 's', data: {}, since: 1 }];
    const type = 'continuous_query.result_table.changed';
    expect(parsed(read('continuous_query_results', type, changes, { 'data[0].since': 2 }).extra)).toEqual({
      'data[0].since': 1,
      'data[0]~.since': 2,
    });
    const order = { id: 'o', events: [{ id: 1, mood: 1 }], 'events[0].mood': 2, 'events[0]': { mood: 3 } };
    expect(parsed(read('lab_orders', 'labtest.order.created', order).extra)).toEqual({
      'data.events[0].mood': 1,
      'data.events[0]~.mood': 2,
      'data.events[0]': { mood: 3 },
    });
  });

  test('a provider of a connection that is neither a name nor an object is kept', () => {
    const record = read('connections', 'provider.connection.created', { provider: [5], source: { slug: 'oura' } });
    expect(record.provider).toBe('oura');
    expect(parsed(record.extra)).toEqual({ 'data.provider': [5] });
  });

  test('unknown members of samples, of a workout’s columns and of lab results are written the same way', () => {
    const sample = { timestamp: '2026-03-28T12:00:00Z', unit: 'bpm', value: 60, 'value.raw': 1, 'x[0]': 2, mood: 3 };
    const batch = read('timeseries', 'daily.data.heartrate.created', { data: [sample] });
    expect((batch.sample_extra as string[]).map(parsed)).toEqual([{ 'value~.raw': 1, 'x[0]': 2, mood: 3 }]);
    const stream = { time: [1], 'time.zone': [2] };
    const points = read('workout_streams', 'service.workout_stream.fetched', {
      workout_id: 'w',
      stream,
      'stream.time.zone': [3],
    });
    expect(parsed(points.extra)).toEqual({ 'data.stream.time~.zone': [2], 'data.stream~.time~.zone': [3] });
    const results = [{ name: 'HDL', 'name.long': 1 }];
    const lab = read('lab_results', 'service.lab_result.fetched', { order_id: 'o', results, 'results[0].name.long': 2 });
    expect(parsed((lab.items as Record<string, unknown>[])[0]!.fields_extra)).toEqual({ 'data.results[0].name~.long': 1 });
    expect(parsed(lab.extra)).toEqual({ 'data.results[0]~.name~.long': 2 });
  });
});
