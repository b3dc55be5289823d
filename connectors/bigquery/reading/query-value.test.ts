import { expect, test } from 'vitest';
import { jsonOf } from '../../query-values.ts';
import { queryValue } from './query-value.ts';

test('NUMERIC and BIGNUMERIC are JSON numbers with all digits, also in lists and structs', () => {
  const json = (type: string, value: unknown, mode?: string) =>
    jsonOf(queryValue({ name: 'x', type, ...(mode && { mode }) }, value));
  expect(json('NUMERIC', '99999999999999999999999999999.999999999')).toBe('99999999999999999999999999999.999999999');
  expect(json('BIGNUMERIC', '-0.00000000000000000000000000000000000001')).toBe('-0.00000000000000000000000000000000000001');
  expect(json('NUMERIC', '8')).toBe('8');
  expect(json('NUMERIC', null)).toBe('null');
  expect(json('NUMERIC', [{ v: '1.5' }, { v: '2' }], 'REPEATED')).toBe('[1.5,2]');
  const struct = {
    name: 'x',
    type: 'RECORD',
    fields: [
      { name: 'a', type: 'NUMERIC' },
      { name: 'b', type: 'FLOAT' },
    ],
  };
  expect(jsonOf(queryValue(struct, { f: [{ v: '0.1' }, { v: 'NaN' }] }))).toBe('{"a":0.1,"b":"NaN"}');
});
