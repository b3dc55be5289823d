import { expect, test } from 'vitest';
import type { TestDelivery } from './delivery.ts';
import { modelTables } from './model.ts';

/** Checks the model against expected tables, which were derived by hand from the rules and not computed. */

const at = Date.UTC(2026, 2, 28, 12);
let offset = 0;
function delivery(
  event_type: string,
  data: object,
  more: Partial<TestDelivery> = {},
  headers: Record<string, string> = {},
): TestDelivery {
  return {
    source: 'hub',
    partition: 0,
    offset: offset++,
    receivedAt: at,
    headers: { 'event-type': event_type, 'user-id': 'u', ...headers },
    body: { event_type, user_id: 'u', data },
    ...more,
  };
}
const pick = (rows: readonly Record<string, unknown>[] | undefined, ...names: string[]) =>
  (rows ?? []).map((row) => names.map((name) => row[name]));
const fitbit = { provider: 'fitbit', type: 'watch' };
const heart = (value: number, ...seconds: number[]) => ({
  source: fitbit,
  data: seconds.map((second) => ({
    timestamp: new Date(Date.UTC(2026, 2, 28, 23, 59, second)).toISOString(),
    timezone_offset: 3600,
    unit: 'bpm',
    value,
  })),
});
const window = { window: 10 };

test('the summary with the newest updated_at wins, regardless of the order of receipt', () => {
  const tables = modelTables(
    [
      delivery('daily.data.activity.created', { id: 'a', source: fitbit, steps: 1, updated_at: '2026-03-28T10:00:00Z' }),
      delivery('daily.data.activity.updated', { id: 'a', source: fitbit, steps: 3, updated_at: '2026-03-28T11:00:00Z' }),
      delivery(
        'daily.data.activity.updated',
        { id: 'a', source: fitbit, steps: 2, updated_at: '2026-03-28T10:30:00Z' },
        { receivedAt: at + 5000 },
      ),
    ],
    window,
  );
  expect(pick(tables.activity, 'id', 'steps', '_version_time', '_offset')).toEqual([['a', 3, '2026-03-28T11:00:00Z', 1]]);
});

test('without updated_at, the time of receipt is the version of an updated event, and the offset decides ties', () => {
  offset = 0;
  const tables = modelTables(
    [
      delivery('daily.data.activity.updated', { id: 'a', source: fitbit, steps: 1 }),
      delivery('daily.data.activity.updated', { id: 'a', source: fitbit, steps: 2 }),
      delivery('daily.data.activity.created', { id: 'a', source: fitbit, steps: 3, updated_at: '2026-03-28T11:59:59Z' }),
    ],
    window,
  );
  expect(pick(tables.activity, 'steps', '_version_time')).toEqual([[2, '2026-03-28T12:00:00Z']]);
});

test('without updated_at, a created event loses to an updated event received earlier', () => {
  offset = 0;
  const late = { receivedAt: at + 3_600_000 };
  const tables = modelTables(
    [
      delivery('daily.data.activity.updated', { id: 'a', source: fitbit, steps: 2 }),
      delivery('daily.data.activity.created', { id: 'a', source: fitbit, steps: 1 }, late),
      delivery('daily.data.activity.created', { id: 'b', source: fitbit, steps: 3 }),
      delivery('daily.data.activity.created', { id: 'b', source: fitbit, steps: 4 }, late),
    ],
    window,
  );
  expect(pick(tables.activity, 'id', 'steps', '_version_time')).toEqual([
    ['a', 2, '2026-03-28T12:00:00Z'],
    ['b', 4, '1970-01-01T00:00:00Z'],
  ]);
});

test('a summary without an id is a dead letter, and an unknown event type is unrouted', () => {
  offset = 0;
  const tables = modelTables(
    [delivery('daily.data.activity.created', { source: fitbit }), delivery('daily.data.else.created', {})],
    window,
  );
  expect(pick(tables.deliveries, 'stream', 'dead_letter_reason')).toEqual([
    ['dead_letters', 'no_id'],
    ['unrouted', null],
  ]);
});

test('the last sample with a key is kept, and its local date may differ from its UTC date', () => {
  offset = 0;
  const tables = modelTables(
    [delivery('daily.data.heartrate.created', heart(60, 1, 2)), delivery('daily.data.heartrate.updated', heart(61, 2, 2, 3))],
    window,
  );
  expect(pick(tables.timeseries, 'start_at', 'value', '_offset', '_day', 'local_date')).toEqual([
    ['2026-03-28T23:59:01Z', 60, 0, '2026-03-28', '2026-03-29'],
    ['2026-03-28T23:59:02Z', 61, 1, '2026-03-28', '2026-03-29'],
    ['2026-03-28T23:59:03Z', 61, 1, '2026-03-28', '2026-03-29'],
  ]);
});

test('a redelivery changes the tables only if it is outside the window or has a different body', () => {
  offset = 0;
  const id = { 'idempotency-key': 'k' };
  const first = delivery('daily.data.heartrate.created', heart(60, 1), {}, id);
  const other = delivery('daily.data.heartrate.created', heart(50, 1), { receivedAt: at + 1 }, { 'idempotency-key': 'other' });
  const again = { ...first, offset: 9, receivedAt: at + 2 };
  const tables = modelTables([first, other, again], window);
  expect(pick(tables.timeseries, 'value')).toEqual([[50]]);
  expect(pick(tables.deliveries, 'source_offset', 'redelivered', 'stream')).toEqual([
    [0, false, 'timeseries'],
    [1, false, 'timeseries'],
    [9, true, 'redelivered'],
  ]);
  expect(pick(modelTables([first, other, { ...again, offset: 11 }], window).timeseries, 'value')).toEqual([[60]]);
  const retried = { ...first, offset: 5, receivedAt: at + 3, body: { ...(first.body as object), data: heart(70, 1) } };
  expect(pick(modelTables([first, other, retried], window).timeseries, 'value')).toEqual([[70]]);
});

test('samples at the same time are separate rows if their type or workout differs, but notes replace each other', () => {
  offset = 0;
  const moment = { start: '2026-03-28T12:00:00Z', end: '2026-03-28T12:00:00Z' };
  const dose = (type: string, value: number, delivery_mode?: string) => ({ ...moment, type, value, delivery_mode });
  const work = (workout_id: string, value: number) => ({
    source: { ...fitbit, workout_id },
    data: [{ ...moment, value, intensity: 'low' }],
  });
  const tables = modelTables(
    [
      delivery('daily.data.insulin_injection.created', {
        source: fitbit,
        data: [dose('rapid_acting', 1), dose('long_acting', 2, 'basal')],
      }),
      delivery('daily.data.insulin_injection.updated', { source: fitbit, data: [dose('rapid_acting', 3)] }),
      delivery('daily.data.workout_duration.created', work('w-1', 4)),
      delivery('daily.data.workout_duration.created', work('w-2', 5)),
      delivery('daily.data.note.created', { source: fitbit, data: [{ ...moment, value: 'a', type: 'x', tags: ['food'] }] }),
      delivery('daily.data.note.updated', { source: fitbit, data: [{ ...moment, value: '', type: 'y', tags: null }] }),
    ],
    window,
  );
  const columns = ['resource', 'sample_type', 'source_workout_id', 'value', 'delivery_mode', 'intensity'];
  expect(pick(tables.timeseries, ...columns)).toEqual([
    ['insulin_injection', 'rapid_acting', '', 3, null, null],
    ['insulin_injection', 'long_acting', '', 2, 'basal', null],
    ['workout_duration', '', 'w-1', 4, null, 'low'],
    ['workout_duration', '', 'w-2', 5, null, 'low'],
  ]);
  expect(pick(tables.notes, 'text', 'tags', 'sample_type')).toEqual([['', null, 'y']]);
});
