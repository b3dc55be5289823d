import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Analyser, type DeclaredTable, startAnalyser } from './analyser.fixture.ts';

const columns = [
  { name: 'user_id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'id', type: 'INTEGER', mode: 'REQUIRED' },
  { name: 'amount', type: 'NUMERIC' },
  { name: 'share', type: 'FLOAT' },
  { name: 'taken_at', type: 'TIMESTAMP' },
  { name: '_day', type: 'DATE' },
  { name: 'extra', type: 'JSON' },
  { name: 'tags', type: 'STRING', mode: 'REPEATED' },
  {
    name: 'samples',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'value', type: 'FLOAT64' },
      { name: 'taken_at', type: 'TIMESTAMP' },
    ],
  },
];
const tables: DeclaredTable[] = [
  { name: 'my-project.health.sleep', columns },
  { name: 'my-project.health.landed_1', columns: [...columns, { name: 'ordinal', type: 'INT64' }] },
  { name: 'health.INFORMATION_SCHEMA.TABLES', columns: [{ name: 'table_name', type: 'STRING' }] },
];

let analyser: Analyser;
beforeAll(async () => {
  analyser = await startAnalyser();
});
afterAll(() => analyser.close());

const refusal = async (sql: string): Promise<string> => {
  const analysis = await analyser.analyse(sql, tables);
  return analysis.accepted ? 'accepted' : analysis.message;
};

const merge = `MERGE health.sleep T
  USING (SELECT * FROM health.landed_1 WHERE _day IN (DATE '2026-11-01') QUALIFY ROW_NUMBER() OVER (PARTITION BY user_id, id ORDER BY taken_at DESC) = 1) S
  ON T.user_id = S.user_id AND T.id = S.id AND T._day IN (DATE '2026-11-01')
  WHEN MATCHED AND S.taken_at > T.taken_at THEN UPDATE SET amount = S.amount, samples = S.samples
  WHEN NOT MATCHED THEN INSERT (user_id, id, taken_at) VALUES (S.user_id, S.id, S.taken_at)`;

describe('the analyser accepts', () => {
  test.each([
    ['a merge', merge, 'resolvedMergeStmtNode'],
    [
      'a table with every option',
      'CREATE TABLE IF NOT EXISTS health.n (id INT64 NOT NULL, taken_at TIMESTAMP OPTIONS(description="x"), PRIMARY KEY (id) NOT ENFORCED) PARTITION BY DATE(taken_at) CLUSTER BY id OPTIONS(labels=[("a", "b")], expiration_timestamp=NULL)',
      'resolvedCreateTableStmtNode',
    ],
    [
      'a view',
      'CREATE OR REPLACE VIEW `my-project.health.latest` AS SELECT user_id, share FROM `my-project.health.sleep`',
      'resolvedCreateViewStmtNode',
    ],
    [
      'an added column',
      'ALTER TABLE `my-project`.health.sleep ADD COLUMN IF NOT EXISTS note STRING',
      'resolvedAlterTableStmtNode',
    ],
    [
      'a field of a repeated record',
      'SELECT s.value FROM `my-project.health`.sleep, UNNEST(samples) s WITH OFFSET o',
      'resolvedQueryStmtNode',
    ],
    ['a list of tables', 'SELECT table_name FROM health.INFORMATION_SCHEMA.TABLES', 'resolvedQueryStmtNode'],
    ['JSON functions', 'SELECT JSON_VALUE(extra, "$.a"), SAFE.INT64(extra.b) FROM health.sleep', 'resolvedQueryStmtNode'],
    ['a deletion', "DELETE FROM health.sleep WHERE user_id = 'u'", 'resolvedDeleteStmtNode'],
  ])('%s', async (_, sql, kind) => {
    expect(await analyser.analyse(sql, tables)).toMatchObject({ accepted: true, statements: [kind] });
  });

  test('a script that uses tables and columns created by its earlier statements', async () => {
    const script = `CREATE TEMP TABLE fresh AS SELECT id, samples FROM health.landed_1;
      ALTER TABLE health.sleep ADD COLUMN note STRING;
      BEGIN TRANSACTION;
      UPDATE health.sleep SET note = 'x' WHERE id IN (SELECT id FROM fresh);
      COMMIT TRANSACTION;
      SELECT note, samples, COUNT(*) OVER () AS n FROM health.sleep;`;
    const analysis = await analyser.analyse(script, tables);
    expect(analysis).toMatchObject({ accepted: true });
    if (!analysis.accepted) return;
    expect(analysis.statements.length).toBe(6);
    expect(analysis.columns).toEqual([
      { name: 'note', type: 'STRING' },
      {
        name: 'samples',
        type: 'STRUCT',
        mode: 'REPEATED',
        fields: [
          { name: 'value', type: 'FLOAT64' },
          { name: 'taken_at', type: 'TIMESTAMP' },
        ],
      },
      { name: 'n', type: 'INT64' },
    ]);
  });

  test('parameters with declared types', async () => {
    const sql = 'SELECT id FROM health.sleep WHERE _day >= @from AND user_id IN UNNEST(@users)';
    const parameters = [
      { name: 'from', type: 'DATE' },
      { name: 'users', type: 'STRING', mode: 'REPEATED' },
    ];
    expect(await analyser.analyse(sql, tables, { parameters })).toMatchObject({ accepted: true });
    expect(await refusal(sql)).toContain('from');
  });
});

describe('the analyser refuses', () => {
  test.each([
    ['an unknown column', 'SELECT nope FROM health.sleep', 'Unrecognized name: nope [at 1:8]'],
    ['an unknown table', 'SELECT 1 FROM health.nope', 'Table not found'],
    ['a comparison of incompatible types', "SELECT 1 FROM health.sleep WHERE id = '1'", 'No matching signature for operator ='],
    ['a cast of another dialect', "SELECT '1'::INT64", 'Syntax error'],
    ['a value of a wrong type', "INSERT INTO health.sleep (id) VALUES ('x')", 'has type STRING which cannot be'],
    ['a clause of another dialect', 'INSERT INTO health.sleep (id) VALUES (1) ON CONFLICT DO NOTHING', 'Syntax error'],
    ['a column that is not grouped', 'SELECT id, COUNT(*) FROM health.sleep', 'id'],
    [
      'too few values',
      'MERGE health.sleep T USING health.landed_1 S ON T.id = S.id WHEN NOT MATCHED THEN INSERT (id, user_id) VALUES (S.id)',
      'column count',
    ],
    ['an unknown field of a struct', 'SELECT s.nope FROM health.sleep, UNNEST(samples) s', 'nope'],
  ])('%s', async (_, sql, words) => {
    expect(await refusal(sql)).toContain(words);
  });

  test('a script, and reports the number of the statement and the position of the error', async () => {
    expect(await analyser.analyse('BEGIN TRANSACTION;\nDELETE FROM health.sleep WHERE nope;\nCOMMIT', tables)).toEqual({
      accepted: false,
      statement: 2,
      message: 'Unrecognized name: nope [at 2:32]',
    });
  });
});

/** The analyser knows GoogleSQL as of 2023. BigQuery accepts these statements, but the analyser cannot check them. */
describe('the analyser cannot read', () => {
  test.each([
    ['GROUP BY ALL', 'SELECT id FROM health.sleep GROUP BY ALL'],
    ['pipes', 'FROM health.sleep |> WHERE id = 1'],
    ['MAX_BY', 'SELECT MAX_BY(id, taken_at) FROM health.sleep'],
    ['a widened column', 'ALTER TABLE health.sleep ALTER COLUMN id SET DATA TYPE NUMERIC'],
    ['variables', 'DECLARE x INT64 DEFAULT 1; SET x = 2'],
    ['blocks', 'BEGIN SELECT 1; EXCEPTION WHEN ERROR THEN ROLLBACK TRANSACTION; END'],
    ['system tables that are not declared', 'SELECT * FROM health.INFORMATION_SCHEMA.COLUMNS'],
  ])('%s', async (_, sql) => {
    expect(await refusal(sql)).not.toBe('accepted');
  });
});
