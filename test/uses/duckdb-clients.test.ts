import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyEvent } from '../catalogue/every-event.ts';
import { lineOf } from '../catalogue/loaded.ts';
import { blocksOf, textOf } from '../docs/documents.ts';
import { aorta } from '../e2e/command.ts';
import { DUCKDB_VERSIONS, duckdbPython, noDuckdbPython } from './duckdb-python.ts';

/**
 * Other tools bring their own version of DuckDB. Each supported version must read every relation of the published copy, with the
 * rows that Aorta's own DuckDB reads. A view that one version wrote can fail, hang or return different rows in another version.
 */

/** The limit for one relation, which takes seconds at most. */
const LIMIT_S = 120;

const root = mkdtempSync(join(tmpdir(), 'aorta-clients-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** A published copy. Its relations and its queries are named, and each has the row of {@link check} from Aorta's own DuckDB. */
interface Copy {
  readonly file: string;
  /** By the name with the schema. */
  readonly relations: Readonly<Record<string, string>>;
  /** The queries of the guides, by their place. */
  readonly queries: Readonly<Record<string, { readonly query: string; readonly row: string }>>;
}

/** Query for the number of rows of a relation, and for a checksum of them that does not depend on their order. */
const check = (relation: string): string => `select count(*)::varchar, sum(md5_number_lower(to_json(one)::varchar))::varchar
from (
  -- This age depends on the clock.
  select columns(lambda name: name <> 'age_s') from ${relation}
) one`;

const inParentheses = (query: string): string => `(${query.replace(/;\s*$/, '')})`;

/** Runs queries with Aorta's own DuckDB. Returns each row as text. */
async function ownRows(file: string, queries: readonly string[]): Promise<string[]> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run("set TimeZone = 'UTC'");
    const rows: string[] = [];
    for (const query of queries)
      for (const row of (await connection.runAndReadAll(query)).getRows()) rows.push(row.map((one) => one ?? 'None').join(' '));
    return rows;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function copyOf(name: string, queries: readonly (readonly [string, string])[]): Promise<Copy> {
  const file = join(root, name, 'warehouse.published.duckdb');
  const relations = await ownRows(
    file,
    ['tables', 'views'].map(
      (kind) => `select schema_name || '.' || ${kind.slice(0, -1)}_name from duckdb_${kind}() where not internal order by all`,
    ),
  );
  const rows = await ownRows(file, [...relations, ...queries.map(([, query]) => inParentheses(query))].map(check));
  return {
    file,
    relations: Object.fromEntries(relations.map((relation, index) => [relation, rows[index]!])),
    queries: Object.fromEntries(queries.map(([place, query], index) => [place, { query, row: rows[relations.length + index]! }])),
  };
}

/** Rows of a demonstration, and the queries of two guides, which ask about a demonstration. */
async function demonstration(): Promise<Copy> {
  const { code, stderr } = await aorta(root, ['demo', '--days', '7', '--until', '2026-04-01', '--folder', 'demo']);
  expect(code, stderr).toBe(0);
  const blocks = ['querying', 'questions'].flatMap((guide) => blocksOf(`docs/guides/${guide}.md`));
  const queries = blocks.filter(({ language }) => language === 'sql');
  expect(queries.length).toBeGreaterThan(30);
  return copyOf(
    'demo',
    queries.map((block) => [`${block.document}:${block.line}`, block.text]),
  );
}

/** A row in each table that events fill, with a value in each column of an event. */
async function everyTable(): Promise<Copy> {
  const lines = everyEvent().map(({ body }, offset) => lineOf({ headers: {}, body: JSON.stringify(body) }, offset));
  writeFileSync(join(root, 'every-event.ndjson'), lines.join(''));
  const { code, stderr } = await aorta(root, ['load', 'every-event.ndjson', '--data', 'every-table']);
  expect(code, stderr).toBe(0);
  return copyOf('every-table', []);
}

/** Returns the relations and queries that fail in a version, run for too long, or return different rows. */
async function problemsOf(version: string, { file, relations, queries }: Copy, attach: string | null): Promise<string[]> {
  const prefix = attach === null ? '' : `${attach}.`;
  const asked = [
    ...Object.entries(relations).map(([name, row]) => ({ name, row, from: `${prefix}${name}` })),
    ...(attach === null ? Object.entries(queries) : []).map(([name, { query, row }]) => ({
      name,
      row,
      from: inParentheses(query),
    })),
  ];
  const child = spawn(await duckdbPython(version), [join(import.meta.dirname, 'check-queries.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pairs = asked.map(({ from }) => [`select * from ${from}`, check(from)]);
  child.stdin.end(JSON.stringify({ file, attach, limit_s: LIMIT_S, queries: pairs }));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(code).toBe(0);
  const rows = JSON.parse(output) as string[];
  return asked.flatMap(({ name, row }, index) => (rows[index] === row ? [] : [`${name}: ${rows[index]} and not ${row}`]));
}

test('the guide lists the tested versions', () => {
  expect(textOf('docs/guides/querying.md')).toContain(`| ${DUCKDB_VERSIONS.join(', ')} |`);
});

const problem = await noDuckdbPython();

describe.skipIf(problem !== undefined)(`clients of DuckDB${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let copies: readonly Copy[];
  beforeAll(async () => {
    copies = [await demonstration(), await everyTable()];
  }, 600_000);

  test('the copies have rows in every relation that these events fill', () => {
    const filled = new Set(
      copies.flatMap(({ relations }) => Object.keys(relations).filter((name) => !relations[name]!.startsWith('0 '))),
    );
    expect(Object.keys(copies[0]!.relations).filter((name) => !filled.has(name))).toEqual([
      // Batches that wait for a merge, erased users, backfills, and failures of webhooks.
      'control.batches',
      'control.changed_days',
      'control.suppressed',
      'control.suppression_key',
      'main.backfills',
      'main.delivery_failures',
    ]);
  });

  test('DuckDB 1.3.2 refuses a copy with the error that the guide shows', async () => {
    const script = `import duckdb\nduckdb.connect('${copies[0]!.file}', read_only=True)`;
    const { status, stderr } = spawnSync(await duckdbPython('1.3.2'), ['-c', script], { encoding: 'utf8' });
    const shown = /older, such as 1\.3\.2.*`IO Error: (.*)`/.exec(textOf('docs/guides/querying.md'))![1];
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(shown!) });
  });

  test.each(DUCKDB_VERSIONS)(
    'DuckDB %s reads the same rows as Aorta from every relation of a copy that it opens',
    async (version) => {
      for (const copy of copies) expect(await problemsOf(version, copy, null)).toEqual([]);
    },
  );

  test.each(DUCKDB_VERSIONS)(
    'DuckDB %s reads the same rows as Aorta from every relation of a copy that it attaches',
    async (version) => {
      for (const copy of copies) expect(await problemsOf(version, copy, 'aorta')).toEqual([]);
    },
  );
});
