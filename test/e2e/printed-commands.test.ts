import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, test } from 'vitest';
import { callOf } from '../../pipelines/aorta/cli/printing/command-lines.ts';
import { completenessIn, gapsText } from '../../pipelines/aorta/report/completeness.ts';
import { aorta } from '../faults/command-line.ts';
import { writeManyTracks } from '../pulls/many-tracks.ts';
import { printedCommands, shellIn } from './pasting.ts';
import { runService } from './running-service.ts';

const root = mkdtempSync(join(tmpdir(), 'aorta-printed-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A name that a shell must not interpret. It holds no slash. */
const HOSTILE = 'it\'s "mine" & [old] $(touch pwned)';
let folders = 0;
function newFolder(): string {
  folders += 1;
  const folder = join(root, String(folders), HOSTILE);
  mkdirSync(join(folder, 'in coming'), { recursive: true });
  return folder;
}

const steps = (id: string | undefined, count: number): string =>
  `${JSON.stringify({ event_type: 'daily.data.activity.created', user_id: 'u-1', data: { id, calendar_date: '2026-02-01', steps: count } })}\n`;

function write(path: string, content: string): void {
  writeFileSync(path, content);
  utimesSync(path, 1_770_000_000, 1_770_000_000);
}

function writeConfiguration(folder: string): void {
  const path = JSON.stringify(`./${HOSTILE}.duckdb`);
  const text = `sources: [{ type: files, name: inbox, paths: ["./in coming"] }]\nwarehouse: { type: duckdb, path: ${path} }\nlog: { level: silent }\n`;
  write(join(folder, `${HOSTILE}.yaml`), text);
}

/** What commands print that do not exit with code 0, because something else must be done first. */
const reasons: Readonly<Record<string, RegExp>> = {
  doctor: /^✗/m,
  run: /^aorta: there is no aorta.yaml here/m,
  // A text that names a command, and not its arguments.
  service: /^aorta: missing required argument/m,
};

interface Crawl {
  readonly folder: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Runs command lines, then pastes each command that they print into a shell and runs it as the shell passes it on, and so on.
 * Returns all commands that were printed.
 */
async function crawl({ folder, environment = {} }: Crawl, first: readonly (readonly string[])[]): Promise<readonly string[]> {
  const paste = shellIn(folder);
  const seen = new Set<string>();
  const queue: string[] = [];
  const take = ({ out, err }: { readonly out: string; readonly err: string }) => {
    for (const line of printedCommands(`${out}${err}`)) if (!seen.has(line) && seen.add(line)) queue.push(line);
  };
  for (const words of first) take(await aorta(folder, words, '', environment));
  for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
    const { program, words, input } = paste(line.replaceAll('FILE…', "'a file.json'").replace(/ NAME\b/, ' first'));
    expect({ line, program }).toEqual({ line, program: 'aorta' });
    // A run without an end would wait for new files.
    const said = await aorta(folder, words[0] === 'run' ? [...words, '--once'] : words, input, environment);
    // Help has names such as `<file>` in place of words.
    if (!line.endsWith('--help')) take(said);
    const text = `${line}\n${said.out}${said.err}`;
    if (said.code !== 0) expect(text).toMatch(reasons[words[0]!] ?? /^no reason$/);
  }
  return [...seen];
}

const places: readonly (readonly [name: string, place: (folder: string) => readonly string[], printed: RegExp])[] = [
  ['a configuration', () => ['--config', `${HOSTILE}.yaml`], / --config '[^`]*\.yaml'$/],
  ['a warehouse', () => ['--warehouse', `duckdb:${HOSTILE}.duckdb`], / --warehouse 'duckdb:[^`]*\.duckdb'$/],
  ['a data folder', (folder) => ['--data', join(folder, HOSTILE)], / --data '\/[^`]*'$/],
];

test.each(places)('each command that is printed for %s works if it is pasted into a shell', async (_, placeOf, printed) => {
  const folder = newFolder();
  const place = placeOf(folder);
  writeConfiguration(folder);
  write(join(folder, 'a file.json'), steps('a-0', 1));
  const at = (...words: string[]) => [...words, ...place];
  const empty = [at('query', 'select 1'), at('dlq', 'list'), at('status'), at('pulls'), at('doctor'), at('tail', '--once')];
  const first = await crawl({ folder }, [...empty, at('run', '--once')]);
  write(join(folder, 'bad.json'), steps('a-1', 1) + steps(undefined, 2));
  const loaded = await crawl({ folder }, [
    at('load', 'bad.json'),
    at('dlq', 'show', 'nowhere/0/1'),
    at('query', 'select * from nothing'),
    at('query', 'select nothing from activity'),
    at('query', ''),
    at('query', 'select 1', '--jsn'),
    at('status', '--completeness'),
    at('plan'),
    at('validate'),
    at('doctor'),
  ]);
  for (const wanted of ['aorta dlq list', 'aorta dlq show files/', 'aorta schema'])
    expect(loaded.some((line) => line.startsWith(wanted))).toBe(true);
  for (const line of [...first, ...loaded]) {
    if (!line.endsWith('--help')) expect(line).toMatch(printed);
  }
});

test('the commands that load what the tables lack work if they are pasted into a shell', async () => {
  const folder = newFolder();
  writeConfiguration(folder);
  write(join(folder, 'a file.json'), steps('a-0', 1));
  const place = ['--config', `${HOSTILE}.yaml`];
  const at = (...words: string[]) => [...words, ...place];
  expect((await aorta(folder, at('load', 'a file.json'))).code).toBe(0);
  // The streams hold records that are not in the tables yet.
  const incoming = join(folder, 'in coming', `${HOSTILE}.json`);
  write(incoming, steps('a-2', 2));
  expect((await aorta(folder, ['run', '--once', '--only', 'ingestion', ...place])).code).toBe(0);
  const ahead = await crawl({ folder }, [at('query', 'select 1'), at('doctor')]);
  expect(ahead.some((line) => line.startsWith('aorta run --only loading --once '))).toBe(true);
  // A file has grown.
  appendFileSync(incoming, steps('a-3', 3));
  expect((await aorta(folder, ['run', '--once', ...place])).code).toBe(1);
  const grown = await crawl({ folder }, [['status', ...place]]);
  expect(grown.filter((line) => line.startsWith('gzip '))).toHaveLength(1);
  const { out } = await aorta(folder, at('query', 'select id, steps from activity order by id', '--csv'));
  expect(out.replaceAll('\r', '')).toBe('id,steps\na-0,1\na-2,2\na-3,3\n');
});

test('a program that npm started prints commands that npm finds', async () => {
  const folder = newFolder();
  const environment = { npm_command: 'exec' };
  write(join(folder, 'a file.json'), steps('a-1', 1) + steps(undefined, 2));
  const lines = await crawl({ folder, environment }, [['query', 'select 1'], ['load', 'a file.json'], ['qery']]);
  expect(lines).toContain('npx aorta dlq list');
  expect(lines).toContain('npx aorta --help');
  expect(lines.filter((line) => !/^npx aorta |\| npx aorta /.test(line))).toEqual([]);
  const { out } = await aorta(folder, ['load', '--help'], '', environment);
  expect(out).toContain('\n  $ npx aorta load deliveries/ --json --strict\n');
  expect(out).toContain('\n  $ curl https://example.org/events | npx aorta load -\n');
});

test('each command that the commands of a service print reaches the same service', async () => {
  const folder = newFolder();
  const service = await runService(folder);
  await using closing = new AsyncDisposableStack();
  closing.defer(async () => void (await service.stop()));
  const address = ['--control-url', service.controlUrl];
  const lines = await crawl({ folder }, [
    ['service', 'team', 'key', 'nothing', ...address],
    ['service', 'organization', 'key', 'nothing', ...address],
    ['service', 'snapshot', ...address],
    ['service', 'pulls', 'list', ...address],
    ['service', 'restore', 'nothing', ...address],
    ['service', 'connect', 'x', 'oura', ...address],
    ['service', 'clock', 'show', ...address],
  ]);
  for (const wanted of ['team create NAME', 'snapshot NAME', 'organization list'])
    expect(lines).toContain(`aorta service ${wanted} ${address.join(' ')}`);
  for (const line of lines) if (!line.endsWith('--help')) expect(line).toContain(address.join(' '));
});

test('the commands of `aorta pulls` work with any names of users and providers', async () => {
  const folder = newFolder();
  write(
    join(folder, 'aorta.yaml'),
    'service: { base_url: "https://api.example.com/", key: planted }\nhistorical_pulls: {}\nwarehouse: { type: duckdb, path: ./w.duckdb }\n',
  );
  await writeManyTracks(join(folder, 'w.duckdb'), 1);
  const user = `${HOSTILE} \`id\` \\ !\u001b\u202e`;
  const instance = await DuckDBInstance.create(join(folder, 'w.duckdb'));
  const connection = await instance.connect();
  await connection.run(
    `update historical_pull_tracks set user_id = $1, pulls = [struct_update(pulls[1],
       state := case when resource = 'sleep' then 'failure' else 'success' end, error_class := 'retriable')]`,
    [user],
  );
  connection.closeSync();
  instance.closeSync();
  const paste = shellIn(folder);
  let words: readonly string[] = ['pulls', '--limit', '15', '--user', user, '--config', 'aorta.yaml'];
  const pulls = new Set<string>();
  for (let pages = 1; pages <= 3; pages += 1) {
    const { code, out } = await aorta(folder, words);
    expect(code).toBe(0);
    for (const [, provider, resource] of out.matchAll(/ {2}(fitbit|oura|withings) +(\w+) {2}/g))
      pulls.add(`${provider} ${resource}`);
    const lines = printedCommands(out);
    const calls = lines.filter((line) => line.startsWith('curl ')).map(paste);
    const next = lines.filter((line) => line.startsWith('aorta '));
    expect(next).toHaveLength(pages === 3 ? 0 : 1);
    if (pages === 1) {
      const called = calls.map((call) => call.words);
      const body = (provider: string) => JSON.stringify({ user_ids: [user], provider, wait_for_completion: false });
      expect(called.map(([, , , , , , , , data]) => data).sort()).toEqual(['fitbit', 'oura', 'withings'].map(body));
      for (const one of called)
        expect(one.slice(0, -1)).toEqual([
          '-X',
          'POST',
          'https://api.example.com/v2/link/bulk_trigger_historical_pull',
          '-H',
          'x-service-api-key: the key',
          '-H',
          'content-type: application/json',
          '-d',
        ]);
    }
    if (next.length > 0) ({ words } = paste(next[0]!));
  }
  expect(pulls.size).toBe(36);
});

test('the command that closes a gap names the user and the place', async () => {
  const user = `-${HOSTILE}`;
  const rows = [[[2, 0, 2]], [[user, 'oura', 'body_weight', 5, 3, 0, 2, '2026-02-01T00:00:00Z', '2026-01-01', '2026-01-31']]];
  const reader = {
    query: async () => {
      const batch = rows.shift()!;
      return {
        columns: [],
        rows: (async function* () {
          yield batch;
        })(),
      };
    },
  };
  const call = callOf({ data: HOSTILE }, {});
  const gaps = await completenessIn(reader as unknown as Parameters<typeof completenessIn>[0], 25, call);
  const lines = printedCommands(gapsText(gaps, { columns: undefined }, call));
  expect(lines).toHaveLength(1);
  const { words } = shellIn(newFolder())(lines[0]!);
  const range = ['--from', '2026-01-01', '--to', '2026-01-31', '--resource', 'weight'];
  expect(words).toEqual(['backfill', '--user', user, ...range, '--data', HOSTILE]);
});
