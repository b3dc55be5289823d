import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AvroRecord, AvroType, FieldDeclaration } from '../streams/declaration.ts';
import { type JsonObject, type Leftovers, planOf, readFields } from './fields.ts';

const field = (name: string, type: AvroType, source: string): FieldDeclaration => ({ name, type, source, doc: name });
const record: AvroRecord = {
  type: 'record',
  name: 'Cycle',
  doc: 'A cycle.',
  fields: [
    field('starts', { type: 'array', items: 'long' }, '$.data.starts'),
    field('stages', { type: 'array', items: 'string' }, '$.data.stages'),
    field(
      'flow',
      {
        type: 'array',
        items: {
          type: 'record',
          name: 'Flow',
          doc: 'A flow.',
          fields: [
            field('day', ['null', { type: 'int', logicalType: 'date' }], '$.data.flow[*].date'),
            field('amount', ['null', 'long'], '$.data.flow[*].amount'),
            field('unit', ['null', 'string'], '$.data.flow[*].unit.name'),
          ],
        },
      },
      '$.data.flow',
    ),
  ],
};
const plan = planOf(record, '$.data');

function read(data: JsonObject): { fields: unknown; extra: unknown; places: string[] } {
  const leftovers: Leftovers = { extra: undefined, refused: [] };
  const target = { ...plan.empty };
  readFields(plan, data, target, { path: 'data', leftovers });
  return { fields: target, extra: leftovers.extra, places: leftovers.refused.map(({ place }) => place) };
}

const nothing = { starts: [], stages: [], flow: [] };

describe('list fields', () => {
  test('a list field is empty if its member is absent or null', () => {
    expect(read({})).toEqual({ fields: nothing, extra: undefined, places: [] });
    expect(read({ starts: null, flow: null })).toEqual({ fields: nothing, extra: undefined, places: [] });
  });

  test('a list of values keeps its order', () => {
    const data = { starts: [0, 300, -1], stages: ['light', ''], flow: [] };
    expect(read(data)).toEqual({ fields: { ...data }, extra: undefined, places: [] });
  });

  test.each([[[0, null, 600]], [[0, '300', 600]], [[0, 0.5]], [{ 0: 1 }], [5]])(
    'the whole list of values %j goes to the extra column because an element does not fit',
    (starts) => {
      expect(read({ starts })).toEqual({ fields: nothing, extra: { 'data.starts': starts }, places: ['data.starts'] });
    },
  );

  test('objects in a list are read field by field, and the extra column keeps unknown and invalid members by path', () => {
    const flow = [
      { date: '2026-03-01', amount: 2, unit: { name: 'ml', system: 'si' } },
      {},
      { date: 'yesterday', amount: null, mood: 'well' },
    ];
    expect(read({ flow })).toEqual({
      fields: {
        ...nothing,
        flow: [
          { day: 20_513, amount: 2, unit: 'ml' },
          { day: null, amount: null, unit: null },
          { day: null, amount: null, unit: null },
        ],
      },
      extra: { 'data.flow[0].unit.system': 'si', 'data.flow[2].date': 'yesterday', 'data.flow[2].mood': 'well' },
      places: ['data.flow[2].date'],
    });
  });

  test.each([[[{ amount: 1 }, null]], [[{ amount: 1 }, 'x']], [[[]]], [{ amount: 1 }], ['x']])(
    'the whole list of objects %j goes to the extra column because an element is not an object',
    (flow) => {
      expect(read({ flow })).toEqual({ fields: nothing, extra: { 'data.flow': flow }, places: ['data.flow'] });
    },
  );
});

describe('a plan', () => {
  test('planOf throws if two fields have the same source, or if the source of one is below the source of the other', () => {
    const twice = { ...record, fields: [...record.fields, field('again', 'string', '$.data.starts')] };
    expect(() => planOf(twice, '$.data')).toThrow('two fields');
    const below = { ...record, fields: [...record.fields, field('again', 'string', '$.data.starts.first')] };
    expect(() => planOf(below, '$.data')).toThrow('is the source of a field');
  });

  test('members that are read elsewhere do not go to the extra column', () => {
    const leftovers: Leftovers = { extra: undefined, refused: [] };
    readFields(planOf(record, '$.data', [], ['id']), { id: 5, other: 6 }, {}, { path: 'data', leftovers });
    expect(leftovers.extra).toEqual({ 'data.other': 6 });
  });

  test('readFields returns the same result for any order of the members, even if many other members precede them', () => {
    const data = { starts: [1], unknown: 'x', stages: ['deep'], flow: [{ date: '2026-01-02', amount: 3, unit: { name: 'ml' } }] };
    const expected = read(data);
    expect(expected.extra).toEqual({ 'data.unknown': 'x' });
    expect((expected.fields as { flow: unknown[] }).flow).toHaveLength(1);
    const names = Object.keys(data) as (keyof typeof data)[];
    const orders = fc.shuffledSubarray(names, { minLength: names.length, maxLength: names.length });
    fc.assert(
      fc.property(orders, fc.nat({ max: 300 }), (order, before) => {
        const others = Object.fromEntries(Array.from({ length: before }, (_, at) => [`other_${at}`, null]));
        expect(read({ ...others, ...Object.fromEntries(order.map((name) => [name, data[name]])) })).toEqual(expected);
      }),
    );
  });
});
