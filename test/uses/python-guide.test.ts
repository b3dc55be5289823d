import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, proseOf } from '../docs/documents.ts';
import { linesOf } from '../docs/expectation.ts';
import { aorta } from '../e2e/command.ts';
import { DUCKDB_VERSIONS, dataPython, noDuckdbPython } from './duckdb-python.ts';

/** The code of `docs/guides/python.md`, with the oldest and the newest DuckDB that the page names. */

const page = 'docs/guides/python.md';
const versions = [DUCKDB_VERSIONS[0], DUCKDB_VERSIONS.at(-1)!] as const;

const blocks = blocksOf(page);
const code = blocks.filter(({ language, note }) => language === 'python' && note === '');
/** The output that the page shows after each block. */
const shown = code.map((block) => {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.language === 'text' ? linesOf(next.text) : [''];
});

/** The table of calls. Its columns are the call, and its result in each version. */
const calls = [...proseOf(page).matchAll(/^\| `(con\..*?)` +\| `(\w+)` +\| `(\w+)` +\|$/gm)].map(([, ...cells]) => cells);

/** Calls that the prose describes, with their results in DuckDB 1.4 and 2.0. A reader that another query interrupts loses its rows. */
const described = [
  [
    '(lambda r: [r.read_next_batch(), con.sql("select 1").fetchall(), r.read_all().num_rows][-1])(con.sql("from heartrate").arrow(9))',
    0,
    'ResourceInUseException',
  ],
  ['[con.execute("from people").fetchone(), con.sql("select 1").fetchall()][-1]', 'list', 'ResourceInUseException'],
] as const;

const root = mkdtempSync(join(tmpdir(), 'aorta-python-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the page names the tested versions', () => {
  expect(proseOf(page)).toContain(`with DuckDB ${versions.join(' and ')}`);
  expect(proseOf(page)).toMatch(new RegExp(`\\| call +\\| ${versions.join(' +\\| ')} +\\|`));
  expect(calls.length).toBeGreaterThan(5);
});

const problem = await noDuckdbPython();

describe.skipIf(problem !== undefined)(`the guide for Python${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  beforeAll(async () => {
    const { code, stderr } = await aorta(root, ['demo', '--until', '2026-04-01']);
    expect(code, stderr).toBe(0);
  }, 600_000);

  test.each(versions.map((version, at) => ({ version, at })))(
    'DuckDB $version prints what the page shows',
    async ({ version, at }) => {
      const input = JSON.stringify({
        blocks: code.map(({ text }) => text),
        calls: [...calls, ...described].map(([call]) => call),
      });
      const script = join(import.meta.dirname, 'guide.py');
      const { stdout, stderr } = spawnSync(await dataPython(version), [script], {
        cwd: root,
        input,
        encoding: 'utf8',
        timeout: 120_000,
      });
      expect(stderr).toBe('');
      const found = JSON.parse(stdout) as { blocks: string[]; calls: unknown[] };
      expect(found.blocks.map(linesOf)).toEqual(shown);
      expect(found.calls).toEqual([...calls, ...described].map((cells) => cells[at + 1]));
    },
    600_000,
  );
});
