import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { writeManyTracks } from '../pulls/many-tracks.ts';
import { measured } from '../pulls/measured.ts';
import { aorta } from './command.ts';

/** Tests `aorta pulls` with 108,000 pulls: 3,000 users with 36 each. `npm run soak -- pulls` does the same with 3.6 million. */

const root = mkdtempSync(join(tmpdir(), 'aorta-pulls-'));
const many = join(root, 'many');
const few = join(root, 'few');
const PULLS = 108_000;

beforeAll(async () => {
  for (const [folder, users] of [
    [many, 3_000],
    [few, 1],
  ] as const) {
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'aorta.yaml'),
      `sources: [{ type: files, paths: [./incoming] }]
warehouse: { type: duckdb, path: ./warehouse.duckdb }
service: { base_url: "https://api.example.com/", key: planted-key }
historical_pulls: {}
`,
    );
    await writeManyTracks(join(folder, 'warehouse.duckdb'), users);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

// biome-ignore lint/suspicious/noExplicitAny: the command's JSON
async function json(words: readonly string[]): Promise<any> {
  const { code, stdout, stderr } = await aorta(many, [...words, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('a page needs no more memory with many pulls than with few, and printing all pulls as JSON needs bounded memory', async () => {
  const little = await measured(few, ['pulls']);
  expect(little.code, little.stderr).toBe(0);
  const page = await measured(many, ['pulls']);
  expect(page.code, page.stderr).toBe(0);
  // The page has 100 pulls, two header lines, the command for the next page, and a few more lines.
  expect(page.stdout.split('\n').length).toBeLessThan(115);
  expect(page.stdout).toContain('Next page: aorta pulls --after ');
  const all = await measured(many, ['pulls', '--json']);
  const rows = JSON.parse(all.stdout) as Record<string, unknown>[];
  expect(rows).toHaveLength(PULLS);
  expect(new Set(rows.map((row) => `${row.user_id} ${row.provider} ${row.resource}`)).size).toBe(PULLS);
  const places = rows.map(({ standing }) => ['failed', 'stalled', 'retrying', 'in_motion', 'complete'].indexOf(String(standing)));
  expect(places.every((place, index) => index === 0 || places[index - 1]! <= place)).toBe(true);
  expect(page.peakMb - little.peakMb, `${little.peakMb} → ${page.peakMb} MB`).toBeLessThan(60);
  expect(all.peakMb - little.peakMb, `${little.peakMb} → ${all.peakMb} MB`).toBeLessThan(250);
});

test('successive pages list the failed pulls from the newest to the oldest, without gaps or repetitions', async () => {
  const expected = await json([
    'query',
    "select user_id || provider || resource as key from historical_pull_board where standing = 'failed' order by since desc, user_id, provider, resource",
  ]);
  const found: string[] = [];
  let after: readonly string[] = [];
  for (let page = 0; page < 20; page++) {
    const { code, stdout, stderr } = await aorta(many, ['pulls', '--state', 'failed', '--limit', '300', '--json', ...after]);
    expect(code, stderr).toBe(0);
    for (const row of JSON.parse(stdout)) found.push(`${row.user_id}${row.provider}${row.resource}`);
    const place = /Next page: aorta pulls --state failed --limit 300 --json --after (\S+)\n/.exec(stderr)?.[1];
    if (place === undefined) break;
    after = ['--after', place];
  }
  expect(expected.length).toBeGreaterThan(1_500);
  expect(found).toEqual(expected.map(({ key }: { key: string }) => key));
  const wrong = await aorta(many, ['pulls', '--after', 'somewhere']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Next page')]);
});

test('--counts groups by provider, --check exits with code 4 if a pull needs attention, and a failed pull is shown with the call that triggers it again', async () => {
  const counts = (await json(['pulls', '--counts'])) as { provider: string; standing: string; pulls: number }[];
  const expected = await json([
    'query',
    'select provider, standing, count(*) as n from historical_pull_board group by all order by provider, standing',
  ]);
  const sorted = counts.map(({ provider, standing, pulls }) => `${provider} ${standing} ${pulls}`).sort();
  expect(sorted).toEqual(expected.map((one: Record<string, unknown>) => `${one.provider} ${one.standing} ${one.n}`).sort());

  expect((await aorta(many, ['pulls', '--check', '--limit', '1'])).code).toBe(4);
  expect((await aorta(many, ['pulls', '--check', '--state', 'complete', '--limit', '1'])).code).toBe(0);
  expect((await aorta(many, ['pulls', '--check', '--state', 'retrying', '--json'])).code).toBe(0);

  const [row] = await json(['pulls', '--state', 'failed', '--limit', '1']);
  expect(row.trace_id).toMatch(/^[0-9a-f]{32}$/);
  expect(Date.parse(row.as_of) - Date.parse(row.since)).toBeGreaterThan(3_000_000);
  expect(row.trigger).toEqual({
    method: 'POST',
    path: '/v2/link/bulk_trigger_historical_pull',
    body: { user_ids: [row.user_id], provider: row.provider, wait_for_completion: false },
  });
  const one = ['--user', row.user_id, '--provider', row.provider, '--resource', row.resource];
  const changes = await json(['pulls', '--changes', ...one]);
  expect(changes.map(({ to_state }: { to_state: string }) => to_state)).toEqual(['expected', 'in_progress', 'failure']);
  const shown = await aorta(many, ['pulls', ...one]);
  expect(shown.stdout).toContain(row.trace_id);
  expect(shown.stdout + shown.stderr).not.toContain('planted-key');
  expect((await aorta(many, ['pulls', '--changes'])).code).toBe(2);
});

test('--counts prints a row per provider, and a pull with a retriable failure is shown with the call that triggers it again', async () => {
  const instance = await DuckDBInstance.create(join(few, 'warehouse.duckdb'));
  const connection = await instance.connect();
  await connection.run(`update historical_pull_tracks set
    pulls = [struct_update(pulls[1], state := case when provider = 'fitbit' and resource = 'sleep' then 'failure' else 'success' end,
      error_class := 'retriable')]`);
  connection.closeSync();
  instance.closeSync();
  const { stdout: counts } = await aorta(few, ['pulls', '--counts']);
  for (const line of [/^provider +failed +complete$/m, /^fitbit +1 +11$/m, /^oura +0 +12$/m, /^withings +0 +12$/m])
    expect(counts).toMatch(line);
  const { stdout } = await aorta(few, ['pulls', '--state', 'failed']);
  const user = /^\S+-\S+/m.exec(stdout)![0];
  expect(stdout).toContain(
    `curl -X POST https://api.example.com/v2/link/bulk_trigger_historical_pull -H "x-service-api-key: $SERVICE_KEY"`,
  );
  expect(stdout).toContain(`-d '{"user_ids":["${user}"],"provider":"fitbit","wait_for_completion":false}'`);
});

test('--watch prints a page, and then only the changed pulls', async () => {
  const path = join(many, 'warehouse.duckdb');
  const publish = async (sql: string): Promise<void> => {
    const copy = join(many, 'next.duckdb');
    copyFileSync(path, copy);
    const instance = await DuckDBInstance.create(copy);
    const connection = await instance.connect();
    await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    renameSync(copy, join(many, 'warehouse.published.duckdb'));
  };
  await publish('select 1');
  const [changed] = await json(['pulls', '--state', 'complete', '--limit', '1']);
  const watching = spawnWatch(['pulls', '--watch', '--json', '--limit', '5']);
  try {
    await watching.printed(1);
    // Before and after the change, the pull sorts behind thousands of failed ones, so it is never on the first page.
    await publish(
      `update historical_pull_tracks set _loaded_at = now(),
        pulls = [struct_update(pulls[1], state := 'in_progress')]
      where user_id = '${changed.user_id}' and provider = '${changed.provider}' and resource = '${changed.resource}'`,
    );
    await watching.printed(2);
    expect(JSON.parse(watching.lines[0]!)).toHaveLength(5);
    expect(JSON.parse(watching.lines[1]!)).toMatchObject([
      { user_id: changed.user_id, provider: changed.provider, resource: changed.resource, standing: 'in_motion' },
    ]);
    // Publishes the same rows again.
    await publish('select 1');
  } finally {
    await watching.stop();
    rmSync(join(many, 'warehouse.published.duckdb'));
  }
  expect(watching.lines).toHaveLength(2);
});

function spawnWatch(words: readonly string[]) {
  const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
  const child: ChildProcess = spawn(process.execPath, [program, ...words], { cwd: many, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let rest = '';
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
  });
  const gone = new Promise((done) => child.once('exit', done));
  return {
    lines,
    /** Waits until the command has printed `count` lines. */
    printed: async (count: number): Promise<void> => {
      const look = (): number => {
        if (child.exitCode !== null) throw new Error(`the command ended: ${said}`);
        return lines.length;
      };
      await until(
        `${count} lines`,
        look,
        (found) => found >= count,
        () => `${lines.length} lines. ${said}`,
      );
    },
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
