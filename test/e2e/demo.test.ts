import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbReader } from '@aorta/connectors/warehouses/duckdb/module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from './command.ts';

type Row = readonly unknown[];

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
/** The only device of the user who is deleted belongs to person 17, so fewer people would miss a state of the board. */
const whole = ['demo', '--people', '17', '--days', '8', '--until', '2026-04-01'];
const small = ['demo', '--people', '3', '--days', '4', '--until', '2026-04-01'];
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'aorta-demo-'));
});
/** Processes that are still running. A test that fails halfway leaves its process here. */
const running = new Set<ChildProcess>();

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function folderOf(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

type Query = (sql: string) => Promise<Row[]>;

/** Reads the tables of a demonstration. `names`: the tables. */
async function reading<Result>(
  folder: string,
  read: (query: Query, names: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const reader = await openDuckDbReader({ path: join(folder, 'aorta-demo', 'warehouse.duckdb') });
  const query: Query = async (sql) => {
    const { rows } = await reader.query(sql);
    const all: Row[] = [];
    for await (const batch of rows) all.push(...batch);
    return all;
  };
  try {
    return await read(query, Object.keys(await reader.rows()));
  } finally {
    await reader.close();
  }
}

/**
 * Returns the number of rows and a hash of the rows of each table. The hash leaves out what depends on processing: when Aorta
 * loads a row or asks the service, and the order in which it fetches answers.
 */
function contents(folder: string): Promise<Record<string, Row[]>> {
  const fetched = (source: string, offset: string) =>
    `case when starts_with(${source}, 'service-') then 0 else ${offset} end as ${offset}`;
  return reading(folder, async (query, names) => {
    const tables: Record<string, Row[]> = {};
    for (const name of names) {
      const described = await query(`select column_name from information_schema.columns where table_name = '${name}'`);
      const has = (column: string): boolean => described.some(([one]) => one === column);
      const polled = name === 'introspection_polls';
      const offset = has('source_offset')
        ? fetched('source', 'source_offset')
        : has('_source')
          ? fetched('_source', '_offset')
          : '';
      const excluded = ['_loaded_at', ...(polled ? ['_offset'] : [])].filter(has);
      const columns = `*${excluded.length > 0 ? ` exclude (${excluded.join(', ')})` : ''}${offset === '' || polled ? '' : ` replace (${offset})`}`;
      tables[name] = await query(`select count(*), sum(hash(one)::hugeint) from (select ${columns} from "${name}") one`);
    }
    return tables;
  });
}

function start(folder: string, words: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const child = spawn(process.execPath, [bin, ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let err = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<string>((done) => child.once('close', (code, signal) => done(`${code ?? signal}\n${err}`)));
  void ended.then(() => running.delete(child));
  return { child, ended };
}

describe('aorta demo', () => {
  it('shows all states of historical pulls, several devices of a person, and repeated and late deliveries', async () => {
    const folder = folderOf('whole');
    const { code, stdout, stderr } = await aorta(folder, whole);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('One person’s week (apple_health_kit, fitbit, oura; ');
    const days = stdout.split('\n').filter((line) => /^\w{3} 2026-0\d-\d\d /.test(line));
    expect(days.map((line) => line.slice(4, 14))).toEqual(
      ['26', '27', '28', '29', '30', '31'].map((day) => `2026-03-${day}`).concat('2026-04-01'),
    );
    for (const line of days)
      expect(
        line
          .split(/ {2,}/)
          .slice(1, 5)
          .every((steps) => /^[\d,]+$/.test(steps)),
        line,
      ).toBe(true);

    await reading(folder, async (query) => {
      const board = await query('select distinct standing, error_details from historical_pull_board');
      const standings = new Set(board.map(([standing]) => standing));
      expect(standings).toEqual(new Set(['complete', 'failed', 'retrying', 'in_motion', 'not_pulled', 'gone']));
      expect(new Set(board.filter(([standing]) => standing === 'failed').map(([, reason]) => reason))).toEqual(
        new Set(['unexpected_error', 'non_retriable_error', 'retry_quota_exhausted']),
      );
      const states = (await query('select distinct state from historical_pull_board')).flat();
      expect(new Set(states)).toEqual(new Set(['expected', 'scheduled', 'in_progress', 'retrying', 'success', 'failure']));
      const [[redelivered, copies, oldest, newest, late]] = (await query(`select
        count(*) filter (redelivered), (select count(*) from delivery_copies),
        min(received_at)::varchar, max(received_at)::varchar,
        count(*) filter (source = 'webhook' and arrived_at - received_at > interval 4 seconds)
        from deliveries where source in ('event-hubs', 'webhook')`)) as unknown as [[bigint, bigint, string, string, bigint]];
      expect(Number(redelivered)).toBeGreaterThan(10);
      expect(Number(copies)).toBeGreaterThan(50);
      expect([oldest.slice(0, 10), newest.slice(0, 10)]).toEqual(['2026-03-25', '2026-04-01']);
      // The first attempt was lost, and the next one followed after five seconds.
      expect(Number(late)).toBeGreaterThan(0);
      // An outage of the pipeline: for five hours, the hubs receive nothing.
      const [[gap]] = (await query(`select max(epoch(pause)) from (
        select received_at - lag(received_at) over (order by received_at) as pause from deliveries where source = 'event-hubs' and received_at > '2026-03-27'
      )`)) as unknown as [[number]];
      expect(Number(gap)).toBeGreaterThan(4 * 3600);
      const [cohorts] = await query(
        "select count(distinct _received_at::date) from connection_events where event_type = 'provider.connection.created'",
      );
      expect(Number(cohorts![0])).toBeGreaterThan(3);
      const errors = (await query("select count(*) from connections where status = 'error'")).flat();
      expect(Number(errors[0])).toBe(1);
      const [[missing]] = (await query('select count(*) from completeness where gap <> 0')) as unknown as [[bigint]];
      expect(Number(missing)).toBe(0);
    });

    const before = await contents(folder);
    const second = await aorta(folder, whole);
    const tables = (out: string) => out.slice(out.indexOf('\ntable '));
    expect(tables(second.stdout)).toBe(tables(stdout));
    expect(await contents(folder)).toEqual(before);

    const suggested = stdout.split('\n').filter((line) => line.startsWith('  npx aorta '));
    expect(suggested.length).toBeGreaterThan(5);
    for (const line of suggested) {
      const command = line.replace('  npx aorta', `'${process.execPath}' '${bin}'`);
      const ended = await new Promise((done) =>
        execFile('sh', ['-c', command], { cwd: folder }, (error) => done(error === null ? 0 : error.code)),
      );
      expect({ line, code: ended }).toEqual({ line, code: 0 });
    }
  });

  it('gives the same tables after a signal and a kill -9 as without an interruption', async () => {
    const folder = folderOf('interrupted');
    const first = start(folder, small);
    const log = join(folder, 'aorta-demo', 'service', 'service.sqlite');
    await until(log, () => existsSync(log));
    first.child.kill('SIGINT');
    expect(await first.ended).toMatch(/^130\n(.*\n)*Stopped\. Run aorta demo again to start over\./);
    const marker = join(folder, 'aorta-demo', 'demo.json');
    expect(JSON.parse(readFileSync(marker, 'utf8'))).toMatchObject({ finished: false });
    const second = start(folder, small);
    const warehouse = join(folder, 'aorta-demo', 'warehouse.duckdb');
    await until(warehouse, () => existsSync(warehouse));
    second.child.kill('SIGKILL');
    expect(await second.ended).toMatch(/^SIGKILL/);
    const last = await aorta(folder, small);
    expect(last.code, last.stderr).toBe(0);
    const other = folderOf('uninterrupted');
    expect(await aorta(other, small)).toMatchObject({ code: 0 });
    expect(await contents(folder)).toEqual(await contents(other));
    const another = await aorta(other, [...small, '--seed', '3', '--json']);
    expect(another.code, another.stderr).toBe(0);
    expect(await contents(other)).not.toEqual(await contents(folder));
  });

  it('--dry-run prints its plan and does nothing', async () => {
    const { code, stdout } = await aorta(root, ['demo', '--folder', 'planned', '--until', '2026-04-01', '--dry-run']);
    const place = join(root, 'planned');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Would create 20 people, 14 days until 2026-04-01, with a service, hubs, streams and tables in ${place}. Nothing was done.\n`,
    });
    expect(existsSync(place)).toBe(false);
  });

  it('does not change a folder that holds other files', async () => {
    const { code, stderr } = await aorta(root, ['demo', '--folder', root]);
    expect(code).toBe(2);
    expect(stderr).toContain('holds other files');
  });

  it('refuses a last day that is not over', async () => {
    const { code, stderr } = await aorta(root, ['demo', '--until', '2999-01-01']);
    expect(code).toBe(2);
    expect(stderr).toContain('--until needs a day that is over');
  });
});
