import { expect, test } from 'vitest';
import { statementsOf, tokensOf } from './tokens.ts';

const texts = (sql: string): string[] => tokensOf(sql).map(({ kind, text }) => `${kind} ${text}`);

test('names, strings and comments are recognized', () => {
  expect(texts("SELECT `a.b`, r'\\d;' /* ; */ FROM x.y -- it's ; here\n# 'nor here\nWHERE @p >= 1.5e3")).toEqual([
    'word SELECT',
    'name a.b',
    'symbol ,',
    'string \\d;',
    'word FROM',
    'word x',
    'symbol .',
    'word y',
    'word WHERE',
    'word @p',
    'symbol >=',
    'number 1.5e3',
  ]);
});

test('a string may contain quotes, semicolons and line breaks', () => {
  expect(texts('\'it\\\'s\' """a "b"; \n c""" ""')).toEqual(["string it\\'s", 'string a "b"; \n c', 'string ']);
});

test('SQL text is split into statements at its semicolons', () => {
  const sql = "BEGIN TRANSACTION;\nUPDATE t SET a = ';' WHERE TRUE; -- the end;\nCOMMIT;;";
  expect(statementsOf(sql).map(({ start, end }) => sql.slice(start, end))).toEqual([
    'BEGIN TRANSACTION',
    "UPDATE t SET a = ';' WHERE TRUE",
    'COMMIT',
  ]);
});
