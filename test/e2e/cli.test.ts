import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { writeDeliveryFiles } from '@aorta/people';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-cli-'));
});
/** Processes that are still running. A test that fails halfway leaves its process here. */
const running = new Map<ChildProcess, Promise<unknown>>();

afterAll(async () => {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

function start(
  words: readonly string[],
  { cwd = folder, input, node = [] }: { cwd?: string; input?: string; node?: string[] } = {},
): Running {
  const child = spawn(process.execPath, [...node, bin, ...words], { cwd, stdio: 'pipe' });
  child.stdin.end(input ?? '');
  const outcome = new Promise<Pick<Ended, 'code' | 'signal'>>((done) =>
    child.once('exit', (code, signal) => done({ code, signal })),
  );
  const ended = Promise.all([outcome, text(child.stdout), text(child.stderr)]).then(([how, out, err]) => ({ ...how, out, err }));
  running.set(
    child,
    ended.finally(() => running.delete(child)),
  );
  return { child, ended };
}

const aorta = (words: readonly string[], options?: Parameters<typeof start>[1]): Promise<Ended> => start(words, options).ended;

// biome-ignore lint/suspicious/noExplicitAny: the tests check the printed JSON
async function json(words: readonly string[], options?: Parameters<typeof start>[1]): Promise<any> {
  const { code, out, err } = await aorta([...words, '--json'], options);
  expect({ code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out);
}

/** Writes one delivery file per partition, for four people. */
const writeDeliveries = (into: string): string[] => writeDeliveryFiles(into, { seed: 5, people: 4, days: 2, partitions: 2 });

/** Returns all rows of the published tables, sorted by all columns. */
async function contents(path: string): Promise<Record<string, unknown[]>> {
  const reader = await openDuckDbReader({ path: join(folder, path) });
  try {
    const tables: Record<string, unknown[]> = {};
    for (const name of Object.keys(await reader.rows())) {
      const { rows } = await reader.query(`select * exclude (_loaded_at) from ${name} order by all`);
      tables[name] = [];
      for await (const batch of rows) tables[name].push(...batch);
    }
    return tables;
  } finally {
    await reader.close();
  }
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, one) => total + one, 0);

/** Waits until a process writes into the folder. */
const writes = (cwd: string) =>
  until(
    'a process that writes',
    async () => (await json(['status'], { cwd })).writer,
    (writer) => writer !== null,
  );

describe('aorta load', () => {
  it('aorta load counts every delivery, and gives the same tables for files in any order, gzipped or not', async () => {
    const [first = '', second = ''] = writeDeliveries(join(folder, 'load'));
    const report = await json(['load', first, second, '--warehouse', 'duckdb:a.duckdb']);
    expect(Object.keys(report)).toEqual(['received', 'redelivered', 'streams', 'unrouted', 'dead_letters', 'partial', 'tables']);
    expect(report.received).toBe(report.redelivered + sum(report.streams) + report.unrouted + sum(report.dead_letters));
    expect(report.tables.deliveries).toBe(report.received);
    const before = await contents('a.duckdb');

    expect(await json(['load', second, first, '--warehouse', 'duckdb:a.duckdb'])).toEqual(report);
    expect(await contents('a.duckdb')).toEqual(before);

    writeFileSync(join(folder, 'second.gz'), gzipSync(readFileSync(second)));
    await json(['load', 'second.gz', '--warehouse', 'duckdb:b.duckdb']);
    await json(['load', '-', '--warehouse', 'duckdb:b.duckdb'], { input: readFileSync(first, 'utf8') });
    expect(await contents('b.duckdb')).toEqual(before);
  });

  it('aorta load reads plain files, but needs their time of receipt if the warehouse has rows from another source', async () => {
    const event = {
      event_type: 'daily.data.activity.created',
      user_id: 'u',
      data: { id: 'x', steps: 1, source: { slug: 'oura' } },
    };
    writeFileSync(join(folder, 'plain.json'), JSON.stringify(event));
    const [file = ''] = writeDeliveries(join(folder, 'mixed'));
    const place = ['--warehouse', 'duckdb:plain.duckdb'];
    expect((await json(['load', 'plain.json', ...place])).streams).toEqual({ activity: 1 });
    await json(['load', file, ...place]);
    const refused = await aorta(['load', 'plain.json', '--json', ...place]);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('[AORTA-FILE-RECEIVED-AT]');
    const piped = await aorta(['load', '-', ...place], { input: JSON.stringify(event) });
    expect(piped).toMatchObject({ code: 2, out: '' });
    expect((await json(['load', 'plain.json', '--received-at', '2020-01-01T00:00:00Z', ...place])).received).toBe(1);
  });

  it('aorta load keeps unreadable lines as dead letters, and no output shows their values', async () => {
    const planted = ['Ada Lovelace', 'ada@example.org', '7.77123'];
    const [name, mail, value] = planted;
    const bad = [
      `{"event_type": "${name}", "data": {"${mail}": ${value}}}`,
      `{"event_type": "daily.data.activity.created", "data": {"${name}": "${mail}"}}`,
      `${mail} ${value}`,
    ];
    writeFileSync(join(folder, 'bad.ndjson'), `${bad.join('\n')}\n`);
    const place = ['--warehouse', 'duckdb:bad.duckdb'];
    const strict = await aorta(['load', 'bad.ndjson', '--strict', ...place]);
    expect(strict.code).toBe(3);
    const letters = await json(['dlq', 'list', ...place]);
    expect(letters.length).toBeGreaterThan(0);
    const shown = await Promise.all([
      ...letters.map(({ position }: { position: string }) => aorta(['dlq', 'show', position, ...place])),
      aorta(['dlq', 'list', ...place]),
      aorta(['tail', '--once', ...place]),
      aorta(['load', 'bad.ndjson', ...place]),
      aorta(['query', `select '${mail} ${value}'::int`, ...place]),
    ]);
    const everything = JSON.stringify([strict, letters, shown]);
    for (const one of planted) expect(everything).not.toContain(one);

    const last = letters.find(({ reason }: { reason: string }) => reason === 'not_json');
    expect((await aorta(['dlq', 'show', last.position, '--body', ...place])).out).toBe(bad[2]);
  });

  it('aorta load reads a damaged file up to the damage, reports the damage and exits with code 1', async () => {
    const [file = ''] = writeDeliveries(join(folder, 'damage'));
    const whole = gzipSync(readFileSync(file));
    writeFileSync(join(folder, 'damaged.gz'), whole.subarray(0, whole.length / 2));
    const { code, out, err } = await aorta(['load', 'damaged.gz', '--json', '--warehouse', 'duckdb:damaged.duckdb']);
    expect(code).toBe(1);
    expect(err).toContain('[AORTA-FILE-COMPRESSION]');
    expect(JSON.parse(out).received).toBeGreaterThan(0);
  });
});

describe('aorta run', () => {
  async function begin(name: string): Promise<Running & { cwd: string; rows: () => Promise<number> }> {
    const cwd = join(folder, name);
    mkdirSync(join(cwd, 'in'), { recursive: true });
    writeFileSync(
      join(cwd, 'aorta.yaml'),
      'sources: [{ type: files, name: inbox, paths: [in], poll_s: 0.1 }]\nwarehouse: { type: duckdb, path: w.duckdb, publish_every_s: 0 }\n',
    );
    const rows = async () => (await json(['status'], { cwd })).tables?.deliveries ?? 0;
    const running = start(['run'], { cwd });
    await writes(cwd);
    return { ...running, cwd, rows };
  }

  it('aorta run reads new files until SIGTERM, while other processes can read but not write the tables', async () => {
    const { child, ended, cwd, rows } = await begin('term');
    const [file = ''] = writeDeliveries(join(folder, 'incoming'));
    // A rename is atomic, so the process never reads half of the file.
    copyFileSync(file, join(cwd, 'p.ndjson'));
    renameSync(join(cwd, 'p.ndjson'), join(cwd, 'in/p.ndjson'));
    await until('the rows of the file', rows, (count) => count > 0);
    const refused = await aorta(['load', file], { cwd });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('[AORTA-DATA-LOCKED]');
    child.kill('SIGTERM');
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const lines = err.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
    const again = await json(['run', '--once'], { cwd });
    expect(again.received).toBe(0);
    expect(again.tables.deliveries).toBe(readFileSync(file, 'utf8').trim().split('\n').length);
  });

  it('aorta run exits at once if its warehouse cannot be opened, even if its source is polled only once an hour', async () => {
    const cwd = join(folder, 'refused');
    mkdirSync(join(cwd, 'in'), { recursive: true });
    writeFileSync(
      join(cwd, 'aorta.yaml'),
      'sources: [{ type: files, name: inbox, paths: [in], poll_s: 3600 }]\nwarehouse: { type: duckdb, path: w.duckdb }\n',
    );
    writeFileSync(join(cwd, 'w.duckdb'), 'no database at all, and long enough to be looked at as one');
    const { code, err } = await aorta(['run'], { cwd });
    expect({ code, said: err.split('AORTA-WAREHOUSE-UNREADABLE').length - 1 }).toEqual({ code: 1, said: 1 });
  });

  it('aorta run exits with code 130 on SIGINT, and leaves no lock if it is killed', async () => {
    const { child, ended, cwd } = await begin('interrupt');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    const killed = start(['run'], { cwd });
    await writes(cwd);
    killed.child.kill('SIGKILL');
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect((await json(['run', '--once'], { cwd })).received).toBe(0);
  });
});

describe('the aorta command on an older version of Node', () => {
  // Makes Node report version 20. The launcher checks this version, and then starts Node from the npm package `node`.
  const old = [
    '--import',
    `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`,
  ];

  it('the command starts Node from the npm package `node`, and forwards output, input and exit codes', async () => {
    const place = ['--warehouse', 'duckdb:a.duckdb'];
    expect(await aorta(['query', '-', '--csv', ...place], { node: old, input: 'select 1 as one' })).toMatchObject({
      code: 0,
      out: 'one\r\n1\r\n',
    });
    expect((await aorta(['nonsense'], { node: old })).code).toBe(2);
  });

  it('the command forwards signals', async () => {
    const { child, ended } = start(['tail', '--warehouse', 'duckdb:a.duckdb'], { node: old });
    await new Promise((done) => child.stdout?.once('data', done));
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });
});
