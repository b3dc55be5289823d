import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendRows, BatchLayout, CHUNK, type EventsLayout, type WrittenColumn } from './batch-columns.ts';
import type { Cell, LandedColumn, LandedRow } from './landed-rows.ts';

const rowsOf = (...rows: Record<string, Cell>[]): LandedRow[] => rows.map((texts) => ({ texts }) as unknown as LandedRow);
const column = (name: string, type: LandedColumn['type'], sameAs?: string): LandedColumn => ({
  name,
  type,
  cell: ({ texts }) => (texts as Record<string, Cell>)[name] ?? null,
  sameAs,
});
const layOut = (columns: readonly LandedColumn[], rows: readonly LandedRow[]): EventsLayout => {
  const layout = new BatchLayout(columns);
  layout.add(rows);
  return layout.finish();
};
const cellsOf = ({ cells }: WrittenColumn): Cell[] => cells.flatMap((chunk) => [...chunk]);
const names = (columns: readonly LandedColumn[]): string[] => columns.map(({ name }) => name);

describe('the layout of a batch', () => {
  test('only columns whose values differ between rows are written, in the declared order', () => {
    const columns = [column('no', 'uinteger'), column('provider', 'varchar'), column('id', 'varchar'), column('steps', 'double')];
    const rows = rowsOf({ no: 1, provider: "o'ura", id: 'a', steps: 0.1 }, { no: 2, provider: "o'ura", id: 'b', steps: 0.1 });
    const { written, selected } = layOut(columns, rows);
    expect(names(written)).toEqual(['no', 'id']);
    expect(written.map(cellsOf)).toEqual([
      [1, 2],
      ['a', 'b'],
    ]);
    expect(selected).toEqual(['no', "'o''ura'::varchar as provider", 'id', "'0.1'::double as steps"]);
  });

  test('null is a constant that differs from every other value', () => {
    const columns = [column('extra', 'varchar'), column('calories', 'double')];
    expect(layOut(columns, rowsOf({}, {})).selected).toEqual(['null::varchar as extra', "'nan'::double as calories"]);
    const { written } = layOut(columns, rowsOf({}, {}, { extra: '{}', calories: 0 }, {}));
    expect(written.map((column) => [column.name, cellsOf(column)])).toEqual([
      ['extra', [null, null, '{}', null]],
      ['calories', [Number.NaN, Number.NaN, 0, Number.NaN]],
    ]);
  });

  test('zero and minus zero are different values', () => {
    expect(names(layOut([column('value', 'double')], rowsOf({ value: 0 }, { value: -0 })).written)).toEqual(['value']);
  });

  test('a column that is declared equal to another column is not written', () => {
    const columns = [column('d_user_id', 'varchar', 'c_user_id'), column('c_user_id', 'varchar')];
    const rows = [
      { c_user_id: 'u', d_user_id: 'u' },
      { c_user_id: 'v', d_user_id: 'v' },
    ];
    const { written, selected } = layOut(columns, rowsOf(...rows));
    expect(names(written)).toEqual(['c_user_id']);
    expect(selected).toEqual(['c_user_id as d_user_id', 'c_user_id']);
  });

  test('two columns with the same cells and type are written once and selected under both names', () => {
    const columns = [
      column('user_id', 'varchar'),
      column('calories', 'double'),
      column('data_user_id', 'varchar'),
      column('steps', 'double'),
      column('owner', 'varchar'),
    ];
    const rows = rowsOf(...['u', 'u', 'v'].map((name, row) => ({ user_id: name, data_user_id: name, owner: name, steps: row })));
    const { written, selected } = layOut(columns, rows);
    expect(names(written)).toEqual(['user_id', 'steps']);
    expect(selected).toEqual(['user_id', "'nan'::double as calories", 'user_id as data_user_id', 'steps', 'user_id as owner']);
  });

  test('a column that stops being equal to another one is written in full, from the first row', () => {
    for (const last of [null, 'x']) {
      const columns = [column('user_id', 'varchar'), column('data_user_id', 'varchar'), column('owner', 'varchar')];
      const users = Array.from({ length: CHUNK + 40 }, (_, row) => `u${row % 7}`);
      const rows = users.map((user) => ({ user_id: user, data_user_id: user, owner: user }));
      const { written, selected } = layOut(columns, rowsOf(...rows, { user_id: 'v', data_user_id: last, owner: 'v' }));
      expect(selected).toEqual(['user_id', 'data_user_id', 'user_id as owner']);
      expect(written.map(cellsOf)).toEqual([
        [...users, 'v'],
        [...users, last],
      ]);
    }
  });

  test('in a chain of equal columns, only one is written, and it is selected under all names', () => {
    const columns = [column('d_offset', 'double', '_offset'), column('samples', 'double'), column('_offset', 'double')];
    const rows = rowsOf(...[1, 2].map((offset) => ({ d_offset: offset, samples: offset, _offset: offset })));
    const { written, selected } = layOut(columns, rows);
    expect(names(written)).toEqual(['samples']);
    expect(selected).toEqual(['samples as d_offset', 'samples', 'samples as _offset']);
  });

  test.each([
    ['begins with a different value', ['x', 'v', 'w'], ['u', 'v', 'w']],
    ['varied earlier', ['u', 'v', 'w'], ['u', 'u', 'w']],
    ['varies later', ['u', 'u', 'w'], ['u', 'v', 'w']],
  ])('a column is not replaced by another column that %s', (_, user, owner) => {
    const rows = user.map((name, row) => ({ user: name, owner: owner[row]! }));
    const { written, selected } = layOut([column('user', 'varchar'), column('owner', 'varchar')], rowsOf(...rows));
    expect(selected).toEqual(['user', 'owner']);
    expect(written.map(cellsOf)).toEqual([user, owner]);
  });

  test('DuckDB reads back every cell, whichever columns are equal', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const columns = [
      column('no', 'uinteger'),
      column('d_offset', 'double', '_offset'),
      column('d_user', 'varchar', 'c_user'),
      column('delivery', 'varchar'),
      column('samples', 'double'),
      column('c_user', 'varchar'),
      column('owner', 'varchar'),
      column('_offset', 'double'),
      column('updated', 'double'),
    ];
    const text = fc.constantFrom<Cell>(null, 'a', 'b');
    const number = fc.constantFrom<Cell>(null, 1, 2);
    const anyRow = fc
      .record({ delivery: text, samples: number, c_user: text, owner: text, _offset: number, updated: number })
      .map((row): Record<string, Cell> => ({ ...row, d_offset: row._offset, d_user: row.c_user }));
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 4 }), async (some) => {
        const rows = some.map((row, no) => ({ ...row, no }));
        const { written, selected } = layOut(columns, rowsOf(...rows));
        await connection.run(`create or replace table r (${written.map(({ name, type }) => `${name} ${type}`).join(', ')})`);
        const appender = await connection.createAppender('r');
        appendRows(appender, written, rows.length);
        appender.closeSync();
        await connection.run(`create or replace view e as select ${selected.join(', ')} from r`);
        const read = await connection.runAndReadAll(`select ${names(columns).join(', ')} from e order by no`);
        const expected = rows.map((row) =>
          columns.map(({ name, type }) => (row as Record<string, Cell>)[name] ?? (type === 'double' ? Number.NaN : null)),
        );
        expect(read.getRows()).toEqual(expected);
      }),
      { numRuns: 300 },
    );
    connection.closeSync();
    instance.closeSync();
  });

  test('strings that contain NUL or are too long for a literal are written row by row', () => {
    const columns = [column('note', 'varchar')];
    for (const note of ['a\0b', 'x'.repeat(1001)])
      expect(names(layOut(columns, rowsOf({ note }, { note })).written)).toEqual(['note']);
  });

  test('the layout does not depend on how rows are split into calls or which row differs first', () => {
    const total = 2 * CHUNK + 300;
    const someRows = fc.array(fc.nat(total), { maxLength: 5 });
    fc.assert(
      fc.property(
        someRows,
        someRows,
        fc.array(fc.integer({ min: 1, max: total }), { minLength: 1, maxLength: 8 }),
        (differing, apart, sizes) => {
          const steps = Array.from({ length: total }, (_, row) => (differing.includes(row) ? row : 7));
          const texts = steps.map((step) => (step === 7 ? null : `t${step}`));
          const others = texts.map((text, row) => (apart.includes(row) ? `a${row}` : text));
          const columns = [
            column('no', 'uinteger'),
            column('steps', 'double'),
            column('text', 'varchar'),
            column('other', 'varchar'),
          ];
          const rows = rowsOf(...steps.map((step, no) => ({ no, steps: step, text: texts[no]!, other: others[no]! })));
          const layout = new BatchLayout(columns);
          for (let at = 0, turn = 0; at < total; turn++) {
            const size = sizes[turn % sizes.length]!;
            layout.add(rows.slice(at, at + size));
            at += size;
          }
          const { written, selected } = layout.finish();
          expect(selected).toEqual(layOut(columns, rows).selected);
          const expected: Record<string, Cell[]> = { no: steps.map((_, no) => no), steps, text: texts, other: others };
          expect(Object.fromEntries(written.map((one) => [one.name, cellsOf(one)]))).toEqual(
            Object.fromEntries(written.map(({ name }) => [name, expected[name]])),
          );
          const varies = (cells: readonly Cell[]): boolean => new Set(cells).size > 1;
          const same = others.every((text, row) => text === texts[row]);
          expect(names(written).includes('steps')).toBe(varies(steps));
          expect(names(written).includes('other')).toBe(varies(others) && !same);
          if (varies(others)) expect(selected.at(-1)).toBe(same ? 'text as other' : 'other');
        },
      ),
    );
  });
});
