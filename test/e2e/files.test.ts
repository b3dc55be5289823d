import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { aorta, codesOf } from '../faults/command-line.ts';

/** Event files as users give them to the commands: files that grow, and files from the future. */

const root = mkdtempSync(join(tmpdir(), 'aorta-files-'));
const running = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  rmSync(root, { recursive: true, force: true });
});

function place(name: string): string {
  const folder = join(root, name);
  mkdirSync(join(folder, 'in'), { recursive: true });
  const source = '{ type: files, name: inbox, paths: [in], poll_s: 0.1 }';
  writeFileSync(
    join(folder, 'aorta.yaml'),
    `sources: [${source}]\nwarehouse: { type: duckdb, path: w.duckdb, publish_every_s: 0 }\n`,
  );
  return folder;
}

const connectionError = (user: string): string =>
  JSON.stringify({ event_type: 'provider.connection.error', user_id: user, data: { user_id: user, provider: 'fitbit' } });
const activity = (steps: number): string =>
  JSON.stringify({
    event_type: 'daily.data.activity.created',
    user_id: 'u-1',
    data: { id: 'a-1', calendar_date: '2026-01-01', steps, source: { provider: 'oura', type: 'ring' } },
  });

/** Puts a complete file with this modification time into the folder that Aorta reads. */
function put(folder: string, name: string, content: string, modified: string): void {
  writeFileSync(join(folder, name), content);
  utimesSync(join(folder, name), new Date(modified), new Date(modified));
  renameSync(join(folder, name), join(folder, 'in', name));
}

function append(folder: string, name: string, content: string, modified: string): void {
  appendFileSync(join(folder, 'in', name), content);
  utimesSync(join(folder, 'in', name), new Date(modified), new Date(modified));
}

/** Starts `aorta run` in the folder. Returns the messages with a code that it has logged so far. */
function start(
  folder: string,
  stderr: 'pipe' | number = 'pipe',
): { readonly logged: (code: string) => readonly string[]; readonly stop: () => Promise<void> } {
  const program = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
  const child = spawn(process.execPath, [program, 'run'], { cwd: folder, stdio: ['ignore', 'ignore', stderr] });
  running.add(child);
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text));
  return {
    logged: (code) => log.split('\n').filter((line) => line.includes(`"${code}"`)),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
      running.delete(child);
    },
  };
}

/** Returns the names of the files that `aorta run` has read to their ends. */
function filesRead(folder: string, source: string): string[] {
  const checkpoint = join(folder, 'w.duckdb.streams', 'sources', `${source}.json`);
  if (!existsSync(checkpoint)) return [];
  const { files } = JSON.parse(readFileSync(checkpoint, 'utf8')) as { files: Record<string, { done: boolean }> };
  const done = Object.entries(files).filter(([, file]) => file.done);
  return done.map(([path]) => basename(path)).toSorted();
}

async function rows(folder: string, sql: string, more: readonly string[] = []): Promise<unknown> {
  const { code, out, err } = await aorta(folder, ['query', sql, '--json', ...more]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

const errors = 'select user_id, errors from connections order by all';

describe('a file that grows', () => {
  test('aorta run reports it once, status shows it, and the command in the remedy loads only the added lines', async () => {
    const folder = place('growing');
    put(folder, 'log.jsonl', `${connectionError('u-1')}\n${connectionError('u-2').slice(0, 30)}`, '2026-03-02T10:00:00Z');
    const run = start(folder);
    await until(
      'the incomplete line',
      () => run.logged('AORTA-FILE-INCOMPLETE'),
      (lines) => lines.length > 0,
    );
    append(
      folder,
      'log.jsonl',
      `${connectionError('u-2').slice(30)}\n${connectionError('u-3').slice(0, 9)}`,
      '2026-03-02T10:00:05Z',
    );
    await until(
      'the report',
      () => run.logged('AORTA-FILE-GROWN'),
      (lines) => lines.length > 0,
    );
    append(folder, 'log.jsonl', `${connectionError('u-3').slice(9)}\n`, '2026-03-02T10:00:10Z');
    // The folder is read in the order of names, so the file that has grown is seen again before this one.
    put(folder, 'next.jsonl', `${connectionError('u-9')}\n`, '2026-03-02T10:00:15Z');
    await until('the next file', () => filesRead(folder, 'inbox'), ['log.jsonl', 'next.jsonl']);
    await run.stop();
    expect(run.logged('AORTA-FILE-GROWN')).toHaveLength(1);

    const again = await aorta(folder, ['run', '--once', '--json']);
    expect(again).toMatchObject({ code: 0 });
    expect(again.err).not.toContain('AORTA-FILE');
    const file = join(folder, 'in', 'log.jsonl');
    const status = JSON.parse((await aorta(folder, ['status', '--json'])).out);
    expect(status.source_problems).toEqual([
      {
        source: 'inbox',
        code: 'AORTA-FILE-GROWN',
        problem: `${file} has grown since it was read up to line 1, and was not read again.`,
        remedy: expect.stringContaining(
          `run \`gzip -cdf ${file} | tail -n +2 | aorta load - --received-at 2026-03-02T10:00:10.000Z\`.`,
        ),
      },
    ]);
    expect((await aorta(folder, ['status'])).out).toContain(`Source inbox: ${file} has grown`);
    expect(await rows(folder, errors)).toEqual([
      { user_id: 'u-1', errors: 1 },
      { user_id: 'u-9', errors: 1 },
    ]);
    expect((await aorta(folder, ['dlq', 'list'])).out).toBe('No dead letters.\n');

    const added = `${connectionError('u-2')}\n${connectionError('u-3')}\n`;
    const loaded = await aorta(folder, ['load', '-', '--received-at', '2026-03-02T10:00:10Z', '--json'], added);
    expect(loaded).toMatchObject({ code: 0, err: '' });
    expect(await rows(folder, errors)).toEqual(['u-1', 'u-2', 'u-3', 'u-9'].map((user_id) => ({ user_id, errors: 1 })));
  });

  test('run --once exits with 1 in the run that reports it, and with 0 afterwards', async () => {
    const folder = place('once');
    put(folder, 'log.jsonl', `${connectionError('u-1')}\n`, '2026-03-02T10:00:00Z');
    expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });
    append(folder, 'log.jsonl', `${connectionError('u-2')}\n`, '2026-03-02T10:00:05Z');
    const codes = [(await aorta(folder, ['run', '--once'])).code, (await aorta(folder, ['run', '--once', '--strict'])).code];
    expect(codes).toEqual([1, 0]);
  });
});

describe('a time of receipt in the future', () => {
  const place = ['--warehouse', 'duckdb:w.duckdb'];
  const steps = 'select steps, _received_at from activity';

  test('aorta load refuses --received-at, and a later load with the right time works', async () => {
    const folder = join(root, 'typed');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.jsonl'), `${activity(1)}\n`);
    for (const dryRun of [[], ['--dry-run']]) {
      const refused = await aorta(folder, ['load', 'a.jsonl', '--received-at', '2206-02-01T00:00:00Z', ...dryRun, ...place]);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toMatch(
        /^aorta: The time of receipt 2206-02-01T00:00:00.000Z is more than 5 minutes ahead .* \[AORTA-RECEIVED-AHEAD\]\n {2}Nothing was loaded\./,
      );
    }
    const loaded = await aorta(folder, ['load', 'a.jsonl', '--received-at', '2026-02-01T00:00:00Z', '--json', ...place]);
    expect(JSON.parse(loaded.out)).toMatchObject({ received: 1 });
    expect(await rows(folder, steps, place)).toEqual([{ steps: 1, _received_at: '2026-02-01T00:00:00Z' }]);
  });

  test('aorta load refuses a plain event file by its modification time, and loads the other files of the folder', async () => {
    const folder = join(root, 'modified');
    mkdirSync(join(folder, 'in'), { recursive: true });
    put(folder, 'a.jsonl', `${activity(1)}\n`, '2026-02-01T00:00:00Z');
    put(folder, 'b.jsonl', `${activity(2)}\n`, '2069-01-01T00:00:00Z');
    put(folder, 'c.jsonl', `${activity(3)}\n`, '2026-02-02T00:00:00Z');
    const { code, out, err } = await aorta(folder, ['load', 'in', '--json', ...place]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ received: 2, streams: { activity: 2 } });
    expect(err.match(/\[AORTA-[A-Z-]+\]/g)).toEqual(['[AORTA-FILE-AHEAD]']);
    expect(err).toContain('in/b.jsonl was last modified at 2069-01-01T00:00:00.000Z');
    expect(await rows(folder, steps, place)).toEqual([{ steps: 3, _received_at: '2026-02-02T00:00:00Z' }]);
    const given = await aorta(folder, ['load', 'in/b.jsonl', '--received-at', '2026-02-03T00:00:00Z', ...place]);
    expect(given).toMatchObject({ code: 0, err: '' });
    expect(await rows(folder, steps, place)).toEqual([{ steps: 2, _received_at: '2026-02-03T00:00:00Z' }]);
  });

  test('a delivery file may state it: the deliveries are kept, and the report counts them', async () => {
    const folder = join(root, 'stated');
    mkdirSync(folder);
    const line = {
      source: 'hub',
      partition: 0,
      offset: 1,
      received_at: '2206-02-01T00:00:00Z',
      headers: {},
      body: JSON.parse(activity(4)),
    };
    writeFileSync(join(folder, 'a.jsonl'), `${JSON.stringify(line)}\n`);
    const { code, out } = await aorta(folder, ['load', 'a.jsonl', ...place]);
    expect(code).toBe(0);
    expect(out).toContain('Received more than 5 minutes ahead of the clock of this computer: 1 delivery.');
    const { out: json } = await aorta(folder, ['load', 'a.jsonl', '--json', ...place]);
    expect(JSON.parse(json)).toMatchObject({ received: 1, received_ahead: 1 });
  });

  test('aorta run reports a file once, and reads it when its time has been corrected', async () => {
    const folder = join(root, 'polled');
    mkdirSync(join(folder, 'in'), { recursive: true });
    writeFileSync(
      join(folder, 'aorta.yaml'),
      'sources: [{ type: files, paths: [in], poll_s: 0.1 }]\nwarehouse: { type: duckdb, path: w.duckdb, publish_every_s: 0 }\n',
    );
    put(folder, 'a.jsonl', `${activity(1)}\n`, '2069-01-01T00:00:00Z');
    const run = start(folder);
    await until(
      'the report',
      () => run.logged('AORTA-FILE-AHEAD'),
      (lines) => lines.length > 0,
    );
    put(folder, 'b.jsonl', `${activity(2)}\n`, '2026-01-01T00:00:00Z');
    await until('the other file', () => filesRead(folder, 'files'), ['b.jsonl']);
    utimesSync(join(folder, 'in', 'a.jsonl'), new Date('2026-01-02T00:00:00Z'), new Date('2026-01-02T00:00:00Z'));
    await until('the file', () => filesRead(folder, 'files'), ['a.jsonl', 'b.jsonl']);
    await run.stop();
    expect(run.logged('AORTA-FILE-AHEAD')).toHaveLength(1);
    expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });
    expect(await rows(folder, steps)).toEqual([{ steps: 1, _received_at: '2026-01-02T00:00:00Z' }]);
  });

  test('aorta validate and aorta run refuse it in the configuration of a source', async () => {
    const folder = join(root, 'configured');
    mkdirSync(folder);
    writeFileSync(join(folder, 'aorta.yaml'), 'sources:\n  - { type: files, paths: [in], received_at: 2206-01-01T00:00:00Z }\n');
    for (const words of [['validate'], ['run', '--once']]) {
      const { code, err } = await aorta(folder, words);
      expect(code).toBe(2);
      expect(err).toMatch(/aorta\.yaml:2: .*received_at: more than 5 minutes ahead .* \[AORTA-CONFIG-INVALID\]/);
    }
  });
});

describe('a folder that contains what Aorta writes', () => {
  test('aorta run reads the events in it, and neither its streams, its tables nor its log', async () => {
    const folder = place('own');
    const config = 'sources: [{ type: files, name: inbox, paths: [.], poll_s: 0.1 }]\n';
    writeFileSync(join(folder, 'aorta.yaml'), `${config}warehouse: { type: duckdb, path: w.duckdb, publish_every_s: 0 }\n`);
    put(folder, 'a.ndjson', `${connectionError('u-1')}\n`, '2026-03-02T10:00:00Z');
    const run = start(folder, openSync(join(folder, 'run.log'), 'w'));
    await until('the first file', () => filesRead(folder, 'inbox'), ['a.ndjson']);
    const isPublished = () => existsSync(join(folder, 'w.published.duckdb'));
    await until('the first tables', isPublished, (published) => published);
    put(folder, 'b.ndjson', `${connectionError('u-2')}\n`, '2026-03-02T10:00:01Z');
    await until('the second file', () => filesRead(folder, 'inbox'), ['a.ndjson', 'b.ndjson']);
    await run.stop();

    expect((await aorta(folder, ['run', '--once'])).code).toBe(0);
    expect(await rows(folder, 'select stream, count(*) as deliveries from deliveries group by all')).toEqual([
      { stream: 'connections', deliveries: 2 },
    ]);
    expect(await rows(folder, errors)).toEqual([
      { user_id: 'u-1', errors: 1 },
      { user_id: 'u-2', errors: 1 },
    ]);
    const log = readFileSync(join(folder, 'run.log'), 'utf8').split('\n');
    const left = log.filter((line) => line.includes('AORTA-FILE-OWN')).map((line) => JSON.parse(line) as { message: string });
    const own = ['aorta.yaml', 'run.log', 'w.duckdb', 'w.duckdb.streams', 'w.published.duckdb'];
    expect(left.map(({ message }) => message)).toEqual(
      expect.arrayContaining(own.map((name) => expect.stringContaining(`${join(folder, name)} was left out`))),
    );
  });

  test('aorta load does so for each warehouse, whatever the names of the files are', async () => {
    const folder = place('own-load');
    rmSync(join(folder, 'aorta.yaml'));
    put(folder, 'day.ndjson', `${activity(1)}\n`, '2026-03-02T10:00:00Z');
    put(folder, 'export.duckdb.ndjson', `${activity(2)}\n`, '2026-03-02T10:00:01Z');
    const tables = { activity: 1, deliveries: 2 };
    for (const left of [0, 4]) {
      const { code, out, err } = await aorta(folder, ['load', '.', '--warehouse', 'duckdb:health.db', '--json']);
      expect({ code, err: codesOf({ err }) }).toEqual({ code: 0, err: Array(left).fill('AORTA-FILE-OWN') });
      expect(JSON.parse(out)).toMatchObject({ received: 2, dead_letters: {}, tables });
    }
    const other = await aorta(folder, ['load', '.', '--json']);
    expect({ code: other.code, err: codesOf(other) }).toEqual({ code: 0, err: Array(4).fill('AORTA-FILE-OWN') });
    expect(JSON.parse(other.out)).toMatchObject({ received: 2, dead_letters: {}, tables });
    expect((await aorta(folder, ['load', 'health.db'])).err).toContain('a DuckDB database, which Aorta does not read');
  });

  test('aorta load names each of them, and names losses first', async () => {
    const folder = place('own-many');
    const line = `${JSON.stringify({ level: 30, time: '2026-03-02T10:00:00.000Z', name: 'aorta', msg: 'started' })}\n`;
    for (let number = 0; number < 12; number += 1) put(folder, `log-${number}`, line, '2026-03-02T10:00:00Z');
    put(folder, 'x.zip', 'PK\x03\x04', '2026-03-02T10:00:00Z');
    const loaded = await aorta(folder, ['load', '.', '--data', 'd']);
    expect(loaded.code).toBe(1);
    expect(codesOf(loaded)[0]).toBe('AORTA-FILE-FORMAT');
    for (let number = 0; number < 12; number += 1) expect(loaded.err).toContain(`log-${number} was left out`);
  });
});
