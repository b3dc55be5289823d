import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf } from '../docs/documents.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

let folder: string;
/** A folder that contains only the installed packages. */
let project: string;

/** A user's environment, without the variables that npm and vitest set for this process. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV|NODE_OPTIONS)/.test(name))),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  NO_COLOR: '1',
};

async function inProject(program: string, ...words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  try {
    const { stdout, stderr } = await run(program, words, { cwd: project, env: environment });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-installed-'));
  const built = join(folder, 'built');
  await run(process.execPath, [join(root, 'infra', 'release', 'build.ts'), built], { cwd: root, env: environment });
  project = join(folder, 'project');
  mkdirSync(project);
  const tarballs = readdirSync(join(built, 'tarballs')).map((file) => join(built, 'tarballs', file));
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], { cwd: project, env: environment });
  writeFileSync(
    join(project, 'events.ndjson'),
    `${JSON.stringify({
      event_type: 'daily.data.activity.created',
      user_id: 'u-1',
      data: { id: 'a-1', calendar_date: '2026-03-30', steps: 8123, source: { provider: 'oura', type: 'ring' } },
    })}\n`,
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the installed packages contain no local server and no TypeScript source', () => {
  expect(readdirSync(join(project, 'node_modules', '@aorta')).sort()).toEqual([
    'connectors',
    'enrichment',
    'ingestion',
    'loading',
    'runtime',
    'schemas',
  ]);
  const files = readdirSync(join(project, 'node_modules', 'aorta'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json']));
});

test('npx aorta prints its version', async () => {
  expect(await inProject('npx', 'aorta', '--version')).toEqual({ code: 0, out: '0.1.0\n', err: expect.any(String) });
});

test('aorta load loads an event file into DuckDB, and aorta query reads the row', async () => {
  const loaded = await inProject('npx', 'aorta', 'load', 'events.ndjson', '--warehouse', 'duckdb:health.duckdb', '--json');
  expect(JSON.parse(loaded.out), loaded.err).toMatchObject({ received: 1, tables: { activity: 1 } });
  const asked = await inProject(
    'npx',
    'aorta',
    'query',
    'select id, steps from activity',
    '--warehouse',
    'duckdb:health.duckdb',
    '--json',
  );
  expect(JSON.parse(asked.out), asked.err).toEqual([{ id: 'a-1', steps: 8123 }]);
});

test('aorta run --once loads a configured folder into the tables', async () => {
  writeFileSync(
    join(project, 'aorta.yaml'),
    'sources: [{ type: files, paths: [./events.ndjson] }]\nwarehouse: { type: duckdb, path: run.duckdb }\n',
  );
  const ran = await inProject('npx', 'aorta', 'run', '--once', '--json');
  expect(JSON.parse(ran.out), ran.err).toMatchObject({ received: 1, tables: { activity: 1 } });
});

test.each(['demo', 'dev event-hubs', 'dev kafka', 'dev bigquery'])(
  'aorta %s reports that only the repository contains the local servers',
  async (verb) => {
    const ended = await inProject('npx', 'aorta', ...verb.split(' '));
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('AORTA-SERVERS-ABSENT') });
  },
);

test('every program in the library guide passes the type check and runs', async () => {
  const blocks = blocksOf('docs/guides/library.md');
  for (const { language, note, text } of blocks)
    if (language === 'sh' && note === '' && !text.startsWith('npm')) await inProject('sh', '-c', text);
  const programs = blocks.filter(({ language }) => language === 'ts');
  const files = programs.map(({ line }) => `line-${line}.mts`);
  for (const [index, { text }] of programs.entries()) writeFileSync(join(project, files[index]!), text);

  const types = ['--typeRoots', join(root, 'node_modules', '@types'), '--types', 'node'];
  const settings = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext'];
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  expect(await inProject('node', compiler, ...settings, ...types, ...files)).toMatchObject({ code: 0, out: '' });
  for (const file of files) expect(await inProject('node', file)).toMatchObject({ code: 0, err: '' });
  expect(files.length).toBeGreaterThan(4);
});

test('every module of the installed packages loads', async () => {
  await expect(inProject('node', '--input-type=module', '--eval', loadEverything)).resolves.toMatchObject({ code: 0, err: '' });
});

/** Imports every module that the packages export, including modules with client libraries, which Aorta loads only if needed. */
const loadEverything = `
  import { readFileSync } from 'node:fs';
  for (const name of ['@aorta/schemas', '@aorta/runtime', '@aorta/connectors', '@aorta/ingestion', '@aorta/enrichment', '@aorta/loading', 'aorta']) {
    const { exports } = JSON.parse(readFileSync(\`node_modules/\${name}/package.json\`, 'utf8'));
    for (const entry of Object.keys(exports)) await import(name + entry.slice(1));
  }
  process.exit();
`;
