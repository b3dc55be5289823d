import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonOf } from '../query-values.ts';
import { ReadTables } from './read-tables.fixture.ts';

let tables: ReadTables;
beforeAll(async () => {
  tables = await ReadTables.open();
});
afterAll(() => tables[Symbol.asyncDispose]());

/** Expects that each expression has the text of DuckDB's own cast. DuckDB omits the zero of `0.5` if the type has no digit for it. */
async function expectDuckDbText(expressions: readonly string[]): Promise<void> {
  const columns = expressions.map((expression) => `${expression}, cast(${expression} as varchar)`);
  const [row = []] = await tables.rows(`select ${columns.join(', ')}`);
  expressions.forEach((expression, index) => {
    const [value, text] = row.slice(2 * index, 2 * index + 2);
    const expected = text === null ? 'null' : String(text).replace(/^(-?)\./, '$10.');
    expect(`${expression}: ${value}`).toBe(`${expression}: ${expected}`);
  });
}

describe('a value has the text that DuckDB prints', () => {
  test.each([
    ['dates', ['infinity', '-infinity', '0044-03-15 (BC)', '0001-12-31 (BC)', '0001-01-01', '10000-01-01', '5877642-06-25 (BC)', '5881580-07-10'].map((day) => `date '${day}'`)],
    ['timestamps', ['infinity', '-infinity', '0044-03-15 (BC) 01:02:03.5', '0001-12-31 (BC) 23:59:59.999999', '10000-01-01'].flatMap((time) => [`timestamp '${time}'`, `timestamptz '${time}'`])],
    ['seconds', ['infinity', '-infinity', '2026-01-01 01:02:03', '0001-12-31 (BC) 01:02:03', '12000-01-01'].map((time) => `'${time}'::timestamp_s`)],
    ['milliseconds', ['infinity', '-infinity', '2026-01-01 01:02:03.120', '1600-01-01 01:02:03.001', '12000-01-01'].map((time) => `'${time}'::timestamp_ms`)],
    ['nanoseconds', ['infinity', '-infinity', '2026-01-01 01:02:03.123456780', '1677-09-22'].map((time) => `'${time}'::timestamp_ns`)],
    ['times', ["time '24:00:00'", "time '01:02:03.000004'", "'01:02:03.5+05:30'::timetz", "'01:02:03-15:59:59'::timetz", "'01:02:03.123456789'::time_ns"]],
    ['intervals', ['-1 month 2 days -3 seconds', '14 months 40 days 25:00:00.5', '0 days', '-1 year -2 months', '1 day -01:00:00.000001'].map((span) => `interval '${span}'`)],
    ['integers', ['170141183460469231731687303715884105727::hugeint', '340282366920938463463374607431768211455::uhugeint', "'123456789012345678901234567890123456789012345678901234567890'::bignum", '(-128)::tinyint']],
    ['decimals', ['0.1234::decimal(4,4)', '(-0.1234)::decimal(4,4)', '0::decimal(9,3)', '(-0.001)::decimal(38,37)', '1234.50::decimal(18,2)', '99999999999999999999999999999999999999::decimal(38,0)', '5::decimal(3,0)']],
    ['other types', ["uuid '00000000-0000-0000-0000-000000000001'", "'0101'::bit", "'y'::enum('x', 'y')", `'{"a": 1.50}'::json`, 'true', "''", "chr(0) || 'b'", "'x'::variant", '1.5::variant', "date 'infinity'::variant", "union_value(a := 'x')", 'union_value(a := 1.50)', "union_value(a := timestamp '-infinity')"]],
    ['NULL of each type', ['date', 'timestamp', 'timestamptz', 'time', 'interval', 'decimal(4,4)', 'hugeint', 'bignum', 'uuid', 'blob', 'bit', 'double', 'json', 'variant', 'geometry', 'int[]', 'int[2]', 'struct(a int)', 'map(int, int)', 'union(a int)', "enum('x')"].map((type) => `null::${type}`)],
  ])('%s', (_, expressions) => expectDuckDbText(expressions)); // biome-ignore format: one line for each type

  test('random dates, timestamps, intervals and decimals', async () => {
    const int64 = fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n);
    const micros = fc.bigInt(-9_223_372_022_400_000_000n, 9_223_372_036_854_775_806n);
    const rounded = fc.bigInt(-9_223_000_000_000_000_000n, 9_223_000_000_000_000_000n);
    const isOutsideOfRfc3339 = (count: bigint) => count < -62_135_596_800_000_000n || count >= 253_402_300_800_000_000n;
    const decimal = fc
      .integer({ min: 1, max: 38 })
      .chain((width) =>
        fc.tuple(
          fc.constant(width),
          fc.integer({ min: 0, max: width }),
          fc.bigInt(-(10n ** BigInt(width)) + 1n, 10n ** BigInt(width) - 1n),
        ),
      );
    const expression = fc.oneof(
      fc
        .integer({ min: -(2 ** 31) + 2, max: 2 ** 31 - 2 })
        .map((days) => `(date '1970-01-01' + (${days}))`)
        .filter((text) => !/\d{10}/.test(text)),
      micros.filter(isOutsideOfRfc3339).map((count) => `make_timestamp(${count})`),
      // DuckDB's cast of an instant is wrong by a millisecond for some years that are further away.
      fc
        .bigInt(-4_000_000_000_000_000_000n, 4_000_000_000_000_000_000n)
        .filter(isOutsideOfRfc3339)
        .map((count) => `make_timestamptz(${count})`),
      fc.bigInt(-9_223_286_400_000_000_000n, 9_223_372_036_854_775_806n).map((count) => `make_timestamp_ns(${count})`),
      rounded.map((count) => `make_timestamp(${count})::timestamp_ms`),
      rounded.map((count) => `make_timestamp(${count})::timestamp_s`),
      fc
        .tuple(fc.integer(), fc.integer(), micros)
        .map(([months, days, count]) => `(to_months(${months}) + to_days(${days}) + to_microseconds(${count}))`),
      int64.map((count) => `(${count})::hugeint * 1000000007`),
      decimal.map(([width, scale, count]) => {
        const digits = String(count < 0n ? -count : count).padStart(scale + 1, '0');
        return `'${count < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}'::decimal(${width}, ${scale})`;
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(expression, { minLength: 1, maxLength: 20 }), (expressions) => expectDuckDbText(expressions)),
    );
  });
});

describe('the JSON type of a column depends only on its type', () => {
  test('decimals and integers are numbers with all digits, also in lists, objects and maps', async () => {
    const [row = []] = await tables.rows(
      'select 1.50, 0.10::decimal(2, 2), [1.50, null], [[2.0]], {a: -0.001}, map {1.5: [2.50]}, [1.0, 2.0]::decimal(9, 1)[2], 18446744073709551616, {a: [{b: 12345678901234567890.12}]}',
    );
    expect(row.map(jsonOf)).toEqual([
      '1.50',
      '0.10',
      '[1.50,null]',
      '[[2.0]]',
      '{"a":-0.001}',
      '[{"key":1.5,"value":[2.50]}]',
      '[1.0,2.0]',
      '18446744073709551616',
      '{"a":[{"b":12345678901234567890.12}]}',
    ]);
  });

  test('a column of mixed types is text', async () => {
    const [row = []] = await tables.rows(
      "select union_value(a := 1), union_value(a := {b: 1.50}), 1::variant, {a: 'x'}::variant, [true]::variant, [date 'infinity']::variant",
    );
    expect(row).toEqual(['1', '{"b":1.50}', '1', '{"a":"x"}', '[true]', '["infinity"]']);
  });

  test('bytes are base64, and only floating-point numbers that JSON does not have are text in a column of numbers', async () => {
    expect(
      await tables.rows(
        "select '\\xAA\\x00b'::blob, 'POINT (1 2)'::geometry, 'nan'::double, '-inf'::float, ['inf'::double, 1.5::double]",
      ),
    ).toEqual([['qgBi', 'AQEAAAAAAAAAAADwPwAAAAAAAABA', 'NaN', '-Infinity', ['Infinity', 1.5]]]);
  });

  test.each([
    'select 1, row(1, 2)',
    "select [row('secret', 2)]",
    'select map {1: row(1, 2)}',
    "select {'__proto__': 1}",
    'select union_value(a := row(1, 2))',
  ])('the query %s fails instead of losing members that have no name', async (sql) => {
    const failure = await tables.failure(sql);
    expect(failure).toMatch(/^AORTA-QUERY-FAILED: .*column \d of the result has objects whose members/);
    expect(failure).not.toContain('secret');
    expect(await tables.rows('select row(1, 2)::varchar, row(1), {a: 1, b: 2}')).toEqual([['(1, 2)', { '': 1 }, { a: 1, b: 2 }]]);
  });
});
