import { describe, expect, test } from 'vitest';
import type { Receipt, StreamRecords } from '../streams/streams.generated.ts';
import { type Plan, planOf, planOfNested, planOfStream, readFields, type Sourced } from './fields.ts';
import { readEvent } from './read-event.ts';
import type { MeasureFields } from './samples.ts';
import { type Reader, type SummaryStream, summaryReader } from './summary.ts';
import { timeseriesReader } from './timeseries.ts';

// These tests run in the compiler: `tsc` fails if the line after a `@ts-expect-error` has no error.

const receipt: Receipt = {
  source: 's',
  partition: '0',
  offset: 1,
  received_at: 2,
  delivery_id: null,
  header_facts: 3,
  body_bytes: 4,
  body_crc32: 5,
  arrived_at: null,
};
const event = { event_type: 't', team_id: null, user_id: 'u', client_user_id: null };
const made = { receipt, event, reader: 1, extra: null };
const plan = planOfStream('connections', ['provider', 'legacy_source']);

describe('a record', () => {
  test('a record compiles if it has the fields of the plan and the fields that its reader sets', () => {
    const record: StreamRecords['connections'] = { ...plan.empty, ...made, provider: 'oura', legacy_source: null };
    expect(record).toMatchObject({ provider: 'oura', message: null });
  });

  test('a record does not compile if a field is missing', () => {
    // @ts-expect-error: the provider is missing
    const unnamed: StreamRecords['connections'] = { ...plan.empty, ...made, legacy_source: null };
    // @ts-expect-error: `legacy_source` is missing, because the plan does not read it
    const forgotten: StreamRecords['connections'] = { ...plan.empty, ...made, provider: 'oura' };
    // @ts-expect-error: the resource is missing, and the provider is null
    const completion: StreamRecords['historical_completions'] = { ...planOfStream('historical_completions').empty, ...made };
    expect([unnamed, forgotten, completion]).toHaveLength(3);
  });

  test('a record does not compile with a misspelt field or a field of the wrong type', () => {
    const record: StreamRecords['connections'] = {
      ...plan.empty,
      ...made,
      provider: 'oura',
      legacy_source: null,
      // @ts-expect-error: the field does not exist
      legacy_sorce: null,
    };
    // @ts-expect-error: the field does not exist
    record.legcy_source = '{}';
    // @ts-expect-error: the field is a text
    record.provider = 5;
    expect(record.legacy_source).toBeNull();
  });

  test('a record of one stream does not compile as a record of a different stream', () => {
    const record: StreamRecords['connections'] = { ...plan.empty, ...made, provider: 'oura', legacy_source: null };
    // @ts-expect-error: a connection is not a device
    const device: StreamRecords['devices'] = record;
    // @ts-expect-error: a reader of devices must not return a connection
    const read: Reader<'devices'> = () => ({ kind: 'record', record, refused: [] });
    expect([device, read]).toHaveLength(2);
  });
});

describe('a plan', () => {
  test('planOfStream accepts only the names of fields that are read from the data', () => {
    // @ts-expect-error: the resource is not read from the data
    expect(planOfStream('historical_completions', ['resource'])).toBeDefined();
    // @ts-expect-error: the field does not exist
    expect(planOfStream('connections', ['providr'])).toBeDefined();
    // @ts-expect-error: the field is not a list of objects
    expect(() => planOfNested('lab_results', 'status', '$.data')).toThrow('does not hold objects');
  });

  test('readFields does not compile if the target lacks the fields of the plan', () => {
    const leftovers = { extra: undefined, refused: [] };
    const other: Plan<{ other: string | null }> = planOf({ type: 'record', name: 'Other', doc: '', fields: [] }, '$.data');
    const target: Sourced<'user_states'> = { ...planOfStream('user_states').empty };
    // @ts-expect-error: the target lacks the field `other`
    readFields(other, {}, target, { path: 'data', leftovers });
    readFields(planOfStream('user_states'), { state: 'ok' }, target, { path: 'data', leftovers });
    expect(target.state).toBe('ok');
  });
});

describe('readers', () => {
  test('summaryReader compiles only for streams whose records can be read with only the envelope and the declaration', () => {
    const streams: SummaryStream[] = ['activity', 'lab_critical_results', 'users'];
    // @ts-expect-error: the id of a marker may be a number, so it needs its own reader
    expect(() => summaryReader('lab_markers')).not.toThrow();
    // @ts-expect-error: a summary has no arrays of samples
    expect(() => summaryReader('timeseries')).not.toThrow();
    expect(streams).toHaveLength(3);
  });

  test('timeseriesReader returns the fields of its own stream', () => {
    // @ts-expect-error: notes have texts and tags
    const notes: Reader<'notes'> = timeseriesReader('timeseries');
    // @ts-expect-error: the tags are missing
    const measures: MeasureFields<'notes'> = { end_at: [], text: [] };
    expect([notes, measures]).toHaveLength(2);
  });

  test('readEvent returns the record type of the given stream', () => {
    const body = { event_type: 'daily.data.activity.created', user_id: 'u', data: { id: 'a', steps: 5 } };
    const reading = readEvent('activity', body.event_type, body, receipt);
    if (reading.kind === 'refused') throw new Error(reading.reason);
    const steps: number | null = reading.record.steps;
    // @ts-expect-error: an activity has no such field
    const price: unknown = reading.record.lab_test_price;
    expect([steps, price]).toEqual([5, undefined]);
  });
});
