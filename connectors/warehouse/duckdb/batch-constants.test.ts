import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchLayout, CHUNK, type EventsLayout, type WrittenColumn } from './batch-constants.ts';
import type { Cell, LandedColumn, LandedRow } from './landed-row.ts';

/** Rows that carry their cells by column in `texts`, whatever their type. */
const rowsOf = (...rows: Record<string, Cell>[]): LandedRow[] => rows.map((texts) => ({ texts }) as unknown as LandedRow);
const column = (name: string, type: LandedColumn['type'], sameAs?: string): LandedColumn => ({
  name,
  type,
  cell: ({ texts }) => (texts as Record<string, Cell>)[name] ?? null,
  ...(sameAs === undefined ? {} : { sameAs }),
});
const layOut = (columns: readonly LandedColumn[], rows: readonly LandedRow[]): EventsLayout => {
  const layout = new BatchLayout(columns);
  layout.add(rows);
  return layout.finish();
};
const cellsOf = ({ cells }: WrittenColumn): Cell[] => cells.flatMap((chunk) => [...chunk]);
const names = (columns: readonly LandedColumn[]): string[] => columns.map(({ name }) => name);

describe('the layout of a batch', () => {
  test('writes what differs, and keeps the order of the declaration', () => {
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

  test('null is a constant too, and differs from a value', () => {
    const columns = [column('extra', 'varchar'), column('calories', 'double')];
    expect(layOut(columns, rowsOf({}, {})).selected).toEqual(['null::varchar as extra', "'nan'::double as calories"]);
    const { written } = layOut(columns, rowsOf({}, {}, { extra: '{}', calories: 0 }, {}));
    expect(written.map((column) => [column.name, cellsOf(column)])).toEqual([
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

  test('is the same however the rows come in, and whatever row is the first to differ', () => {
    const total = 2 * CHUNK + 300;
    fc.assert(
      fc.property(
        fc.array(fc.nat(total), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: total }), { minLength: 1, maxLength: 8 }),
        (differing, sizes) => {
          const steps = Array.from({ length: total }, (_, row) => (differing.includes(row) ? row : 7));
          const texts = steps.map((step) => (step === 7 ? null : `t${step}`));
          const columns = [column('no', 'uinteger'), column('steps', 'double'), column('text', 'varchar')];
          const rows = rowsOf(...steps.map((step, no) => ({ no, steps: step, text: texts[no]! })));
          const layout = new BatchLayout(columns);
          for (let at = 0, turn = 0; at < total; turn++) {
            const size = sizes[turn % sizes.length]!;
            layout.add(rows.slice(at, at + size));
            at += size;
          }
          const { written, selected } = layout.finish();
          expect(selected).toEqual(layOut(columns, rows).selected);
          const expected: Record<string, Cell[]> = { no: steps.map((_, no) => no), steps, text: texts };
          expect(Object.fromEntries(written.map((one) => [one.name, cellsOf(one)]))).toEqual(
            Object.fromEntries(written.map(({ name }) => [name, expected[name]])),
          );
          expect(names(written).includes('steps')).toBe(new Set(steps).size > 1);
        },
      ),
    );
  });
});
