import { describe, expect, test } from 'vitest';
import { layOut } from './batch-constants.ts';
import type { Cell, LandedColumn, LandedRow } from './landed-row.ts';

/** Rows that carry their cells by column in `texts`, whatever their type. */
const rowsOf = (...rows: Record<string, Cell>[]): LandedRow[] => rows.map((texts) => ({ texts }) as unknown as LandedRow);
const column = (name: string, type: LandedColumn['type'], sameAs?: string): LandedColumn => ({
  name,
  type,
  cell: ({ texts }) => (texts as Record<string, Cell>)[name] ?? null,
  ...(sameAs === undefined ? {} : { sameAs }),
});
const names = (columns: readonly LandedColumn[]): string[] => columns.map(({ name }) => name);

describe('the layout of a batch', () => {
  test('writes what differs, and keeps the order of the declaration', () => {
    const columns = [column('no', 'uinteger'), column('provider', 'varchar'), column('id', 'varchar'), column('steps', 'double')];
    const rows = rowsOf({ no: 1, provider: "o'ura", id: 'a', steps: 0.1 }, { no: 2, provider: "o'ura", id: 'b', steps: 0.1 });
    const { written, selected } = layOut(columns, rows);
    expect(names(written)).toEqual(['no', 'id']);
    expect(written.map(({ cells }) => [...cells])).toEqual([
      [1, 2],
      ['a', 'b'],
    ]);
    expect(selected).toEqual(['no', "'o''ura'::varchar as provider", 'id', "'0.1'::double as steps"]);
  });

  test('null is a constant too, and differs from a value', () => {
    const columns = [column('extra', 'varchar'), column('calories', 'double')];
    expect(layOut(columns, rowsOf({}, {})).selected).toEqual(['null::varchar as extra', "'nan'::double as calories"]);
    const { written } = layOut(columns, rowsOf({}, {}, { extra: '{}', calories: 0 }, {}));
    expect(written.map(({ name, cells }) => [name, [...cells]])).toEqual([
      ['extra', [null, null, '{}', null]],
      ['calories', [Number.NaN, Number.NaN, 0, Number.NaN]],
    ]);
  });

  test('zero and minus zero are two values', () => {
    expect(names(layOut([column('value', 'double')], rowsOf({ value: 0 }, { value: -0 })).written)).toEqual(['value']);
  });

  test('a column that another one stands for is not written', () => {
    const columns = [column('d_user_id', 'varchar', 'c_user_id'), column('c_user_id', 'varchar')];
    const rows = [
      { c_user_id: 'u', d_user_id: 'u' },
      { c_user_id: 'v', d_user_id: 'v' },
    ];
    const { written, selected } = layOut(columns, rowsOf(...rows));
    expect(names(written)).toEqual(['c_user_id']);
    expect(selected).toEqual(['c_user_id as d_user_id', 'c_user_id']);
  });

  test('a text that ends a statement, or makes it long, is written', () => {
    const columns = [column('note', 'varchar')];
    for (const note of ['a\0b', 'x'.repeat(1001)])
      expect(names(layOut(columns, rowsOf({ note }, { note })).written)).toEqual(['note']);
  });
});
