import { createHash } from 'node:crypto';
import { elementFields, readEvent, type StreamName, type StreamRecords, tables } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { landedTable, privacyOptions } from '../privacy.ts';
import { tableColumns, tableRows, usersOf } from './table-rows.ts';

const receipt = {
  source: 'hub',
  partition: '3',
  offset: 7,
  received_at: Date.UTC(2026, 2, 28, 12) * 1000,
  delivery_id: 'd-1',
  header_facts: 3,
  body_bytes: 100,
  body_crc32: 0,
  arrived_at: null,
};
const origin = createHash('sha256')
  .update('hub\0' + '3')
  .digest()
  .readBigInt64BE(0);
const landed = tables.map((table) => landedTable(table, privacyOptions.parse({})));
const tableOf = (stream: StreamName) => landed.find((table) => table.stream === stream);

type Read = 'activity' | 'timeseries' | 'menstrual_cycle';

function recordOf(stream: Read, type: string, data: object): StreamRecords[Read] {
  const event = { event_type: type, user_id: 'u', data: { source: { provider: 'oura', type: 'ring' }, ...data } };
  const reading = readEvent(stream, type, event, receipt);
  if (reading.kind !== 'record') throw new Error('the event was refused');
  return reading.record as StreamRecords[Read];
}

const rowsOf = (stream: Read, type: string, data: object) => tableRows(stream, recordOf(stream, type, data), tableOf(stream));

const samplesOf = (resource: string, data: readonly object[], source: object = {}) =>
  rowsOf('timeseries', `daily.data.${resource}.created`, { source: { provider: 'oura', type: 'ring', ...source }, data }).filter(
    ({ table }) => table.name === 'timeseries',
  );
const dose = (type: string) => ({ start: '2026-03-28T12:00:00Z', end: '2026-03-28T12:00:00Z', unit: 'unit', type, value: 1 });

test('a summary yields a row with the columns of its table and a row in deliveries', () => {
  const rows = rowsOf('activity', 'daily.data.activity.created', { id: 'a', updated_at: '2026-03-28T11:00:00Z' });
  expect(rows.map(({ table }) => table.name)).toEqual(['activity', 'deliveries']);
  for (const { table, values } of rows)
    expect(Object.keys(values).sort()).toEqual(
      tableColumns(table)
        .map(({ name }) => name)
        .sort(),
    );
  const [summary, delivery] = rows;
  expect([summary?.key, summary?.version]).toEqual([
    ['a'],
    [Date.UTC(2026, 2, 28, 11) * 1000, receipt.received_at, origin, 7, summary?.values._reader],
  ]);
  expect(delivery?.key).toEqual(['hub', '3', 7, receipt.received_at]);
  expect([...usersOf(rows)]).toEqual(['u']);
});

test('sample type and workout are part of a sample’s key only if the resource requires it', () => {
  const keys = (rows: ReturnType<typeof samplesOf>) => rows.map(({ key }) => key.slice(-2));
  expect(keys(samplesOf('insulin_injection', [dose('a'), dose('b')]))).toEqual([
    ['a', ''],
    ['b', ''],
  ]);
  expect(keys(samplesOf('water', [dose('a')], { workout_id: 'w' }))).toEqual([['', '']]);
  expect(keys(samplesOf('workout_duration', [dose('a')], { workout_id: 'w' }))).toEqual([['', 'w']]);
  expect(samplesOf('water', [dose('a')], { workout_id: 'w' })[0]?.values).toMatchObject({
    sample_type: 'a',
    source_workout_id: 'w',
  });
});

test('if two samples of an event have the same key, the last one is the newer version', () => {
  const [first, second] = samplesOf('water', [dose('a'), dose('a')]);
  expect(second?.key).toEqual(first?.key);
  expect(second?.version.at(-1)).toBeGreaterThan(Number(first?.version.at(-1)));
});

test('the local date follows the time zone offset of the sample', () => {
  const late = { ...dose('a'), start: '2026-03-28T23:30:00Z', end: '2026-03-28T23:30:00Z' };
  const dates = samplesOf('water', [late, { ...late, timezone_offset: 3600 }]).map(({ values }) => values.local_date);
  expect(dates).toEqual([null, Date.UTC(2026, 2, 29) / 86_400_000]);
});

test('a list field that is not landed is left out', () => {
  const table = tableOf('menstrual_cycle')!;
  const flow = [{ date: '2026-03-01', flow: 'light' }];
  const record = recordOf('menstrual_cycle', 'daily.data.menstrual_cycle.created', { id: 'c', menstrual_flow: flow });
  const flowIn = (columns: typeof table.columns) =>
    tableRows('menstrual_cycle', record, { ...table, columns })[0]?.values.menstrual_flow;
  expect(flowIn(table.columns)).toEqual([{ calendar_date: Date.UTC(2026, 2, 1) / 86_400_000, flow: 'light' }]);
  const narrow = table.columns.map((column) => {
    const fields = elementFields(column.type)?.filter(({ name }) => name === 'flow');
    return fields === undefined ? column : { ...column, type: { list: fields } };
  });
  expect(flowIn(narrow)).toEqual([{ flow: 'light' }]);
});

test('a dead letter yields a row in deliveries only if it contains the whole delivery', () => {
  const letter = { receipt, event_type: 'x', team_id: null, user_id: 'u', reader: 1, reason: 'no_id', scope: 'part' };
  const rows = (scope: string) => tableRows('dead_letters', { ...letter, scope } as StreamRecords['dead_letters'], undefined);
  expect(rows('part')).toEqual([]);
  expect(rows('whole').map(({ values }) => values.dead_letter_reason)).toEqual(['no_id']);
});
