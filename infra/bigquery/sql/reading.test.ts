import { describe, expect, test } from 'vitest';
import { definitionOf } from './definition.ts';
import { withExactNumbers, withParameters } from './emulator-text.ts';
import { leavesIn, partitionBounds, readingOf } from './statement-facts.ts';
import { statementsOf } from './tokens.ts';

const read = (sql: string) => readingOf(statementsOf(sql)[0]!);
const tables = (sql: string): string[] => read(sql).tables.map(({ parts, alias }) => `${parts.join('.')} ${alias}`);

describe('tables of a statement', () => {
  test.each([
    ['SELECT * FROM `p.d.a` AS x JOIN d.b USING (id), UNNEST(x.l) l', ['p.d.a x', 'd.b b']],
    ['SELECT 1 FROM d.a t, t.samples s', ['d.a t']],
    ['SELECT 1 FROM my-project.d.a', ['my-project.d.a a']],
    [
      'MERGE INTO d.t AS T USING (SELECT * FROM d.s UNION ALL SELECT * FROM d.u) S ON T.id = S.id WHEN MATCHED THEN DELETE',
      ['d.t T', 'd.s s', 'd.u u'],
    ],
    ['INSERT INTO d.t (a, b) SELECT a, b FROM d.s WHERE TRUE', ['d.t t', 'd.s s']],
    ['DELETE FROM d.t WHERE a IN (SELECT a FROM d.s)', ['d.t t', 'd.s s']],
    ['UPDATE d.t x SET a = 1 FROM d.s WHERE TRUE', ['d.t x', 'd.s s']],
    ['TRUNCATE TABLE d.t', ['d.t t']],
    ["SELECT EXTRACT(DAY FROM at), 'FROM d.x' FROM d.a", ['at at', 'd.a a']],
  ])('are found in %s', (sql, wanted) => {
    expect(tables(sql)).toEqual(wanted);
  });

  test('include the target table, which is distinguished from the other tables', () => {
    expect(read('MERGE d.t USING d.s ON TRUE WHEN MATCHED THEN DELETE')).toMatchObject({
      kind: 'merge',
      target: { parts: ['d', 't'] },
    });
    expect(read('SELECT 1 FROM d.t').target).toBeUndefined();
  });
});

describe('bounds of a partition column', () => {
  const bounds = (condition: string) =>
    partitionBounds(statementsOf(`SELECT * FROM d.t T WHERE ${condition}`)[0]!.tokens, '_day', 'T');
  const days = ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03'];
  test.each([
    ["T._day IN (DATE '2026-11-01', DATE('2026-11-03'))", '.x.x'],
    ["_day = '2026-11-02'", '..x.'],
    ["T._day BETWEEN DATE '2026-11-01' AND DATE '2026-11-02'", '.xx.'],
    ["_day >= DATE '2026-11-02'", '..xx'],
    ["_day > '2026-10-31' AND _day <= '2026-11-01'", 'xx..'],
    ['_day = @day', 'xxxx'],
    ["S._day = DATE '2026-11-01'", 'xxxx'],
    ["x = DATE '2026-11-01'", 'xxxx'],
  ])('include exactly the days that %s selects', (condition, wanted) => {
    expect(days.map((day) => (leavesIn(bounds(condition), day) ? 'x' : '.')).join('')).toBe(wanted);
  });

  test('are unknown for a filter without literal days, and absent for a filter on another table', () => {
    expect([bounds('_day = @day').kind, bounds('S._day = @day').kind, bounds('TRUE').kind]).toEqual(['unknown', 'none', 'none']);
  });
});

test('CREATE TABLE is parsed, and the emulator gets the statement without the primary key', () => {
  const sql =
    'CREATE TABLE d.t (a INT64 NOT NULL, b STRUCT<c NUMERIC(5, 2), e ARRAY<DATE>>, PRIMARY KEY (a, b) NOT ENFORCED) CLUSTER BY a, b OPTIONS (labels = [("k", "v")])';
  const definition = definitionOf(statementsOf(sql)[0]!);
  if (definition?.kind !== 'create') throw new Error('no creation');
  expect(definition.kept.map(({ start, end }) => sql.slice(start, end)).join('')).toBe(
    sql.replace(', PRIMARY KEY (a, b) NOT ENFORCED', ''),
  );
  expect(definition.members).toEqual({
    tableConstraints: { primaryKey: { columns: ['a', 'b'] } },
    clustering: { fields: ['a', 'b'] },
    labels: { k: 'v' },
  });
  expect(definition.columns).toEqual([
    { name: 'a', type: 'INTEGER', mode: 'REQUIRED' },
    {
      name: 'b',
      type: 'RECORD',
      mode: 'NULLABLE',
      fields: [
        { name: 'c', type: 'NUMERIC', mode: 'NULLABLE' },
        { name: 'e', type: 'DATE', mode: 'REPEATED' },
      ],
    },
  ]);
});

test('CREATE VIEW is parsed, and the emulator gets the statement without the columns', () => {
  const list = "(a OPTIONS (description = 'A, as sent.'), `b`)";
  const sql = `CREATE OR REPLACE VIEW d.v ${list} OPTIONS (description = 'One a.') AS SELECT a, b FROM d.t`;
  const definition = definitionOf(statementsOf(sql)[0]!);
  if (definition?.kind !== 'create') throw new Error('no creation');
  expect(definition.kept.map(({ start, end }) => sql.slice(start, end)).join('')).toBe(sql.replace(list, ''));
  expect(definition.members).toEqual({ description: 'One a.' });
  expect(definition.columns).toEqual([{ name: 'a', description: 'A, as sent.' }, { name: 'b' }]);
  expect(sql.slice(definition.query!.start, definition.query!.end)).toBe('SELECT a, b FROM d.t');
});

test('ALTER TABLE is parsed into changes to columns and to metadata', () => {
  const altered = (sql: string) => definitionOf(statementsOf(sql)[0]!);
  expect(altered('ALTER TABLE d.t ADD COLUMN IF NOT EXISTS a ARRAY<STRING>, ALTER COLUMN b DROP NOT NULL')).toMatchObject({
    columns: [
      { kind: 'add', field: { name: 'a', mode: 'REPEATED' } },
      { kind: 'relax', name: 'b' },
    ],
    forServer: false,
  });
  expect(altered('ALTER TABLE d.t SET OPTIONS (expiration_timestamp = NULL)')).toMatchObject({
    members: { expirationTime: null },
    forServer: true,
  });
});

test('exact numeric types get an explicit precision, but columns named like a type do not', () => {
  expect(
    withExactNumbers(
      "SELECT CAST(x AS NUMERIC), numeric AS numeric, NUMERIC '1.5' FROM t; CREATE TABLE t (a NUMERIC, b ARRAY<BIGNUMERIC>, c NUMERIC(5, 2))",
    ),
  ).toBe(
    "SELECT CAST(x AS NUMERIC(38, 9)), numeric AS numeric, NUMERIC '1.5' FROM t; CREATE TABLE t (a NUMERIC(38, 9), b ARRAY<NUMERIC(38, 9)>, c NUMERIC(5, 2))",
  );
});

test('parameters are replaced by literals, except inside strings', () => {
  const parameters = [
    { name: 'who', parameterType: { type: 'STRING' }, parameterValue: { value: "o'\\n" } },
    {
      name: 'days',
      parameterType: { type: 'ARRAY', arrayType: { type: 'DATE' } },
      parameterValue: { arrayValues: [{ value: '2026-11-01' }] },
    },
    { name: 'none', parameterType: { type: 'INT64' }, parameterValue: {} },
  ];
  expect(withParameters("SELECT @who, '@who', @days, @none, @other", parameters)).toBe(
    "SELECT 'o\\'\\\\n', '@who', [CAST('2026-11-01' AS DATE)], CAST(NULL AS INT64), @other",
  );
});
