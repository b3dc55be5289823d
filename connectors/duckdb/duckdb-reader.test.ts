import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDbReader } from './duckdb-reader.ts';
import { ReadTables } from './read-tables.fixture.ts';

let tables: ReadTables;
beforeAll(async () => {
  tables = await ReadTables.open();
});
afterAll(() => tables[Symbol.asyncDispose]());

describe('PIVOT', () => {
  test.each([
    'pivot t on k using sum(v)',
    '/* a; b */ pivot t on k using sum(v) -- c; d\n',
    '\n pivot t on k using sum(v);\n-- done; ok\n',
    'pivot t on k using sum(v) /* ; */ ;;; /* x */',
    'with p as (pivot t on k using sum(v)) select * from p',
    'with s as (select * from t) pivot s on k using sum(v)',
    'select * from (pivot t on k using sum(v))',
    "pivot t on k using sum(case when ';' = ';' then v end)",
    "pivot t on k in ('a', 'b') using sum(v)",
    'pivot_wider t on k using sum(v)',
    "from (from t select k, v) pivot (sum(v) for k in ('a', 'b'))",
  ])('%j runs', async (sql) => {
    expect(await tables.objects(sql)).toEqual([{ a: 4, b: 2 }]);
  });

  test('several run one after another, and in one query', async () => {
    expect(await tables.rows('(pivot (select k from t) on k) union all (pivot (select k from t) on k)')).toEqual([
      [2n, 1n],
      [2n, 1n],
    ]);
    expect(await tables.objects('pivot t on k, v using count(*)')).toMatchObject([{ a_1: 1, a_2: 0, b_2: 1 }]);
    expect(await tables.objects('unpivot (select k, v from t where v = 2) on v;')).toEqual([{ k: 'b', name: 'v', value: 2 }]);
    expect(await tables.rows('describe pivot (select k from t) on k')).toHaveLength(2);
  });

  test.each([
    'pivot t on k using sum(v); select 1',
    'select 1; pivot t on k using sum(v)',
    'pivot t on k using sum(v); drop table t',
    'pivot t on k using sum(v); pivot t on k using sum(v)',
    "create temp type mood as enum ('x'); select 1",
    'create temp table x as select 1; pivot t on k',
    'create temp table x as pivot t on k',
    'insert into t from (pivot t on k)',
    'explain pivot t on k using sum(v)',
    'prepare q as pivot t on k',
    'select 1; select 2',
    "select ';'; select 2",
    '; ; ',
    '-- nothing',
    '/* nothing; */;',
  ])('%j is not one SELECT', async (sql) => {
    expect(await tables.failure(sql)).toMatch(/^AORTA-QUERY-NOT-READ-ONLY/);
    expect(await tables.rows('select count(*) from duckdb_tables() where temporary')).toEqual([[0n]]);
  });

  test('without values fails, and says what is missing', async () => {
    expect(await tables.failure('pivot (select k from t where false) on k')).toContain('IN list');
    expect(await tables.failure('pivot (select range as r from range(100001)) on r')).toContain('IN list');
    expect(await tables.failure('pivot (select ? as k) on k')).toContain('parameters');
  });
});

describe('a query that fails', () => {
  test.each([
    ['select', 'SELECT has no columns'],
    ['select 1 +', 'ends too early'],
    ['sel ect', 'syntax error near "sel"'],
    ["select 'x", 'unterminated quoted string'],
    ['select 1 /*', 'unterminated /* comment'],
    ['values (1), (1, 2)', 'syntax of the statement'],
    ["select 'a' like 'b' escape 'secret'", 'syntax of the statement'],
    ['select nope from t', 'no column "nope"'],
    ['select t.nope from t', 'no column "nope"'],
    ['select x.nope from (select 1 as v) x', 'no column "nope"'],
    ["select 1 where date '2026-01-01' > 5", 'a value of type DATE is compared with one of type INTEGER'],
    ['select * exclude (nope) from t', 'no column "nope"'],
    ['select * from t join t s using (nope)', 'no column "nope"'],
    ['pivot t on nope using sum(v)', 'no column "nope"'],
    ['unpivot t on nope', 'no column "nope"'],
    ['select nope.v from t', 'no table "nope"'],
    ['select * from nope', 'no table "nope"'],
    ['select * from nope.secrets', 'no table "nope.secrets"'],
    ['select nope(1)', 'no function "nope"'],
    ['select 1::nope', 'no type "nope"'],
    ["select nextval('secret')", 'name that does not exist'],
    ['select v from t a, t b', 'more than one table'],
    ['select sum(v), k from t', 'neither grouped nor aggregated'],
    ['select sum(k) from t', 'sum does not accept these argument types'],
    ['select * from t where sum(v) > 1', 'does not fit'],
    ["select 'secret'::int", 'could not be converted'],
    ['select name::date from people', 'could not be converted'],
    ["select 'secret'::enum('a')", 'could not be converted'],
    ['select (1, 2) = (1, 2, 3)', 'could not be converted'],
    ['select 9223372036854775807 + 1', 'out of range'],
    ['select sqrt(-1)', 'out of range'],
    ["select error('secret')", 'does not accept'],
    ['select json(name) from people', 'does not accept'],
    ["select strptime(name, '%Y') from people", 'does not accept'],
    ['select (select v from t)', 'more than one row'],
    ["select 'abc'[1:2:0]", 'does not support'],
    ['select timezone(name, now()) from people', 'does not support'],
    ['select ?', 'parameters'],
    ['select $name', 'parameters'],
    ["select * from read_csv('/etc/passwd')", 'cannot access files'],
    ["copy t to '/tmp/aorta-secret.csv'", 'cannot access files'],
    ["with a as (insert into t values ('x', 1) returning *) select * from a", 'syntax of the statement'],
    ['select error(\'syntax error at or near "secret"\')', 'does not accept'],
    ["select case when range = 50000 then 'secret'::int else 1 end from range(100000)", 'could not be converted'],
  ])('%j says what is wrong, without values', async (sql, problem) => {
    const failure = await tables.failure(sql);
    expect(failure).toMatch(/^AORTA-QUERY-FAILED: /);
    expect(failure).toContain(problem);
    expect(failure.replace('nope.secrets', '')).not.toMatch(/secret|unknown/);
  });

  test('says that it needs more memory than the limit', async () => {
    await using small = await openDuckDbReader({ path: tables.path, memory: '20MB' });
    await expect(small.query('select list(range) from range(100000000)')).rejects.toThrow('more memory than the limit');
  });
});

test.each(['describe t', 'summarize t', 'show tables', 'from t', 'table t', 'values (1)', 'pragma version', 'show all tables'])(
  'the statement %s runs',
  async (sql) => {
    expect(await tables.rows(sql)).not.toEqual([]);
  },
);

test('a query that runs while another one is being read does not shorten it', async () => {
  const first = (await tables.reader.query('select range from range(100000)')).rows;
  let rows = 0;
  for await (const batch of first) {
    rows += batch.length;
    expect(await tables.rows("select current_setting('TimeZone')")).toEqual([['UTC']]);
  }
  expect(rows).toBe(100_000);
});

test('a reader that is closed while rows are read does not shorten them', async () => {
  const other = await openDuckDbReader({ path: tables.path });
  const { rows } = await other.query('select range from range(100000)');
  let read = 0;
  for await (const batch of rows) {
    if (read === 0) await other.close();
    read += batch.length;
  }
  expect(read).toBe(100_000);
});
