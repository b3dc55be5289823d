import { describe, expect, test } from 'vitest';
import type { Receipt, StreamRecords } from '../streams/streams.generated.ts';
import { type Plan, planOf, readFields } from './fields.ts';
import { planOfNested, planOfStream, type Sourced } from './plans.ts';
import { readEvent } from './read-event.ts';
import type { MeasureFields } from './samples.ts';
import { type Reader, type SummaryStream, summaryReader } from './summary.ts';
import { timeseriesReader } from './timeseries.ts';

// The compiler is what tests here: `tsc` fails where a line below an expected error has none.

const receipt: Receipt = {
  source: 's',
  partition: '0',
  offset: 1,
  received_at: 2,
  delivery_id: null,
  header_facts: 3,
  body_bytes: 4,
  body_crc32: 5,
};
const event = { event_type: 't', team_id: null, user_id: 'u', client_user_id: null };
const made = { receipt, event, reader: 1, extra: null };
const plan = planOfStream('connections', ['provider', 'legacy_source']);

describe('a record that its reader makes', () => {
  test('is whole with the fields of the plan and those of the reader', () => {
    const record: StreamRecords['connections'] = { ...plan.empty, ...made, provider: 'oura', legacy_source: null };
    expect(record).toMatchObject({ provider: 'oura', message: null });
  });

  test('does not compile without a field', () => {
    // @ts-expect-error: the provider is missing
    const unnamed: StreamRecords['connections'] = { ...plan.empty, ...made, legacy_source: null };
    // @ts-expect-error: a field that may be null is missing as well, since the plan does not read it
    const forgotten: StreamRecords['connections'] = { ...plan.empty, ...made, provider: 'oura' };
    // @ts-expect-error: the resource is missing, and the plan alone leaves the provider null
    const completion: StreamRecords['historical_completions'] = { ...planOfStream('historical_completions').empty, ...made };
    expect([unnamed, forgotten, completion]).toHaveLength(3);
  });

  test('does not compile with a misspelt field, or one of another type', () => {
    const record: StreamRecords['connections'] = {
      ...plan.empty,
      ...made,
      provider: 'oura',
      legacy_source: null,
      // @ts-expect-error: no such field
      legacy_sorce: null,
    };
    // @ts-expect-error: no such field
    record.legcy_source = '{}';
    // @ts-expect-error: a text, not a number
    record.provider = 5;
    expect(record.legacy_source).toBeNull();
  });

  test('does not compile as the record of another stream', () => {
    const record: StreamRecords['connections'] = { ...plan.empty, ...made, provider: 'oura', legacy_source: null };
    // @ts-expect-error: a connection is no device
    const device: StreamRecords['devices'] = record;
    // @ts-expect-error: a connection is no device, whoever reads it
    const read: Reader<'devices'> = () => ({ kind: 'record', record, refused: [] });
    expect([device, read]).toHaveLength(2);
  });
});

describe('a plan', () => {
  test('names only fields that are read from the data', () => {
    // @ts-expect-error: the reader makes the resource anyway
    expect(planOfStream('historical_completions', ['resource'])).toBeDefined();
    // @ts-expect-error: no such field
    expect(planOfStream('connections', ['providr'])).toBeDefined();
    // @ts-expect-error: no list of objects
    expect(() => planOfNested('lab_results', 'status', '$.data')).toThrow('holds no objects');
  });

  test('fills only a record with its fields', () => {
    const leftovers = { extra: undefined, refused: [] };
    const other: Plan<{ other: string | null }> = planOf({ type: 'record', name: 'Other', doc: '', fields: [] }, '$.data');
    const target: Sourced<'user_states'> = { ...planOfStream('user_states').empty };
    // @ts-expect-error: another form
    readFields(other, {}, target, { path: 'data', leftovers });
    readFields(planOfStream('user_states'), { state: 'ok' }, target, { path: 'data', leftovers });
    expect(target.state).toBe('ok');
  });
});

describe('readers', () => {
  test('of summaries exist for the streams that are nothing else', () => {
    const streams: SummaryStream[] = ['activity', 'lab_critical_results', 'users'];
    // @ts-expect-error: the reader of markers makes their id, since it may be a number
    expect(() => summaryReader('lab_markers')).not.toThrow();
    // @ts-expect-error: the origin, the resource and the arrays are nothing that a summary has
    expect(() => summaryReader('timeseries')).not.toThrow();
    expect(streams).toHaveLength(3);
  });

  test('of samples give the fields of their own stream', () => {
    // @ts-expect-error: notes have texts and tags
    const notes: Reader<'notes'> = timeseriesReader('timeseries');
    // @ts-expect-error: the tags are missing
    const measures: MeasureFields<'notes'> = { end_at: [], text: [] };
    expect([notes, measures]).toHaveLength(2);
  });

  test('give a record of the stream that was asked for', () => {
    const body = { event_type: 'daily.data.activity.created', user_id: 'u', data: { id: 'a', steps: 5 } };
    const reading = readEvent('activity', body.event_type, body, receipt);
    if (reading.kind === 'refused') throw new Error(reading.reason);
    const steps: number | null = reading.record.steps;
    // @ts-expect-error: no field of an activity
    const price: unknown = reading.record.lab_test_price;
    expect([steps, price]).toEqual([5, undefined]);
  });
});
