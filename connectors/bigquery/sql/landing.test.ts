import { type ColumnType, elementFields, streamNames } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { tableOf } from './landed.fixture.ts';
import { landedTableName, landedTablePrefix, landingSchema, readLandedTableName } from './landing.ts';

test('the name of a landing table identifies its partition, positions, incarnation, schema and attempt', () => {
  const key = { stream: 'sleep', partition: 7, incarnation: 'i', from: 10, to: 25, revision: 'deadbeef', attempt: 1 } as const;
  const name = landedTableName(key);
  const { incarnation, ...facts } = key;
  expect(readLandedTableName(name)).toEqual({ ...facts, incarnationHash: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(landedTableName({ ...key })).toBe(name);
  const others = [
    { stream: 'sleep_cycle' as const },
    { partition: 8 },
    { incarnation: 'j' },
    { from: 11 },
    { to: 26 },
    { revision: 'deadbee0' },
    { attempt: 2 },
  ].map((change) => landedTableName({ ...key, ...change }));
  expect(new Set([name, ...others]).size).toBe(others.length + 1);
  for (const other of ['sleep', 'aorta_merged', 'aorta_landed_sleep', `${name}_x`])
    expect(readLandedTableName(other)).toBeUndefined();
});

test('no stream’s landing table prefix is a prefix of another stream’s', () => {
  for (const stream of streamNames) {
    expect(stream).not.toContain('__');
    const begin = streamNames.filter((other) => landedTablePrefix(other).startsWith(landedTablePrefix(stream)));
    expect(begin).toEqual([stream]);
  }
});

test('every stream has a landing schema with unique column names, required keys, and JSON as text', () => {
  for (const stream of streamNames) {
    const { fields, columns, revision } = landingSchema(stream, tableOf(stream), 'updated_at');
    const names = fields.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(fields.every(({ type }) => type !== 'JSON')).toBe(true);
    expect(fields.flatMap((field) => field.fields ?? []).every(({ type }) => type !== 'JSON')).toBe(true);
    expect(columns.find(({ name }) => name === 'd_received_at')).toMatchObject({ required: true });
    expect(landingSchema(stream, tableOf(stream), 'updated_at').revision).toBe(revision);
  }
});

test('rewording the descriptions of a table does not rename its landing tables', () => {
  const table = tableOf('lab_orders')!;
  const reworded = (type: ColumnType): ColumnType => {
    const fields = elementFields(type);
    return fields === undefined ? type : { list: fields.map((field) => ({ ...field, doc: `${field.doc} Reworded.` })) };
  };
  const columns = table.columns.map((column) => ({ ...column, doc: `${column.doc} Reworded.`, type: reworded(column.type) }));
  expect(columns.some(({ type }) => elementFields(type) !== undefined)).toBe(true);
  const before = landingSchema('lab_orders', table, 'updated_at');
  expect(landingSchema('lab_orders', { ...table, columns }, 'updated_at').revision).toBe(before.revision);
});
