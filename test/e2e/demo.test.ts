import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../docs/shell.ts';
import { aorta } from './command.ts';
import { contents, type Query, reading } from './demo-tables.ts';
import { printedCommands } from './pasting.ts';

/** A name that a shell must not interpret. */
const HOSTILE = "it's mine & [old]";
/** The scenario deletes person 12. With fewer people, the board would lack a state. */
const whole = ['demo', '--people', '12', '--days', '8', '--until', '2026-04-01', '--folder', HOSTILE];
const root = mkdtempSync(join(tmpdir(), 'aorta-demo-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Returns the rows of two printed tables. */
function shownIn(stdout: string) {
  const rowsBelow = (title: string): string[][] => {
    const [, ...lines] = stdout.slice(stdout.indexOf(title)).split('\n').slice(3);
    return lines.slice(0, lines.indexOf('')).map((line) => line.trim().split(/ {2,}/));
  };
  return { week: rowsBelow('One person’s week'), lateness: rowsBelow('What is late') };
}

/** Recomputes "What is late" in plain code, from the rows of the tables. */
async function latenessOf(query: Query): Promise<string[][]> {
  const key = (row: readonly unknown[]) => `${row[0]} ${row[1]}`;
  const events = await query('select user_id, provider, event_type, epoch_ms(_received_at) from connection_events order by 4');
  const connected = new Map<string, number>();
  const broken = new Set<string>();
  for (const row of events) {
    if (row[2] === 'provider.connection.created') {
      if (!connected.has(key(row))) connected.set(key(row), Number(row[3]));
      broken.delete(key(row));
    } else if (row[2] === 'provider.connection.error') broken.add(key(row));
  }
  const lastDay = await query(
    "select user_id, provider, event_type from deliveries where received_at >= timestamptz '2026-04-01 00:00:00+00'",
  );
  const heard = new Set(lastDay.filter(([, , type]) => String(type).startsWith('daily.data.')).map(key));
  const measured = (
    await Promise.all([
      query(
        `select user_id, provider, event_type, epoch_ms(coalesce(end_at, start_at)), epoch_ms(_received_at), time_basis, local_offset_s
        from timeseries_local`,
      ),
      query(`select user_id, provider, event_type, epoch_ms(start_at), epoch_ms(_received_at), time_basis, local_offset_s
        from blood_pressure_local`),
      query("select user_id, provider, event_type, epoch_ms(time_end), epoch_ms(_received_at), '', 0 from workouts"),
    ])
  ).flat();
  const minutes = Map.groupBy(
    measured.flatMap((row) => {
      const isFloating = row[5] === 'floating';
      if (!String(row[2]).endsWith('.created') || (isFloating && row[6] === null)) return [];
      const at = Number(row[3]) - (isFloating ? Number(row[6]) * 1000 : 0);
      const isNew = at >= (connected.get(key(row)) ?? Infinity) && at <= Number(row[4]);
      return isNew ? [{ provider: row[1], minutes: Math.floor((Number(row[4]) - at) / 1000) / 60 }] : [];
    }),
    ({ provider }) => provider,
  );
  /** The shortest time within which this share has arrived. */
  const within = (sorted: readonly number[], share: number): string => {
    const found = sorted.find((_, index) => (index + 1) / sorted.length >= share);
    return found === undefined ? '∅' : String(Math.round(found));
  };
  return [...new Set([...connected.keys()].map((name) => name.split(' ')[1]!))].toSorted().map((provider) => {
    const all = [...connected.keys()].filter((name) => name.endsWith(` ${provider}`));
    const working = all.filter((name) => !broken.has(name));
    const silent = working.filter((name) => !heard.has(name) && connected.get(name)! < Date.parse('2026-04-01'));
    const sorted = (minutes.get(provider) ?? []).map((one) => one.minutes).toSorted((a, b) => a - b);
    return [
      provider,
      String(working.length),
      String(all.length - working.length),
      String(silent.length),
      within(sorted, 0.5),
      within(sorted, 0.9),
    ];
  });
}

describe('aorta demo', () => {
  it('shows all states of historical pulls, several devices of a person, and repeated and late deliveries', async () => {
    const folder = join(root, 'whole');
    mkdirSync(folder);
    symlinkSync(HOSTILE, join(folder, 'aorta-demo'));
    const { code, stdout, stderr } = await aorta(folder, whole);
    expect(code, stderr).toBe(0);
    const { week, lateness } = shownIn(stdout);
    expect(week.map(([day]) => day)).toEqual(
      ['26', '27', '28', '29', '30', '31'].map((day) => `2026-03-${day}`).concat('2026-04-01'),
    );
    for (const [, steps] of week) expect(steps).toMatch(/^[\d,]+$/);
    await reading(folder, async (query) => expect(lateness).toEqual(await latenessOf(query)));

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
      // An outage of the pipeline: for five hours, the hubs receive nothing but a delivery that had changed places before.
      const [outage] = await query(`select
        count(*) filter (received_at between '2026-03-29 13:15:00+00' and '2026-03-29 18:00:00+00'),
        count(*) filter (received_at between '2026-03-29 18:00:00+00' and '2026-03-29 19:00:00+00')
        from deliveries where source = 'event-hubs'`);
      expect(Number(outage![0])).toBeLessThan(5);
      expect(Number(outage![1])).toBeGreaterThan(100);
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

    const suggested = printedCommands(stdout);
    expect(suggested.length).toBeGreaterThan(7);
    for (const line of suggested) {
      const { code: ended, output } = await run(line, { folder, environment: {} });
      expect({ line, output, code: ended }).toEqual({ line, output, code: 0 });
    }
  });

  it('--dry-run prints its plan and does nothing', async () => {
    const { code, stdout } = await aorta(root, ['demo', '--folder', 'planned', '--until', '2026-04-01', '--dry-run']);
    const place = join(root, 'planned');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Would create 12 people, 14 days until 2026-04-01, with a service, hubs, streams and tables in ${place}. Nothing was done.\n`,
    });
    expect(existsSync(place)).toBe(false);
  });

  it('does not change a folder that holds other files', async () => {
    const { code, stderr } = await aorta(root, ['demo', '--folder', root]);
    expect(code).toBe(2);
    expect(stderr).toContain('holds other files');
  });

  it('says what to do if it cannot use the state of the service', async () => {
    const folder = join(root, 'older');
    mkdirSync(join(folder, 'service'), { recursive: true });
    const marker = { people: 12, days: 14, seed: 11, first: '2026-04-01', until: '2026-04-01' };
    writeFileSync(join(folder, 'demo.json'), JSON.stringify(marker));
    using state = new DatabaseSync(join(folder, 'service', 'service.sqlite'));
    state.exec('create table clock (now integer); create table seed (seed text); create table jobs (at integer)');
    state.exec('pragma user_version = 1');
    const { code, stderr } = await aorta(root, ['demo', '--folder', folder, '--until', '2026-04-01']);
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/service\.sqlite has format 1, and .* reads \d+\. \[AORTA-STATE-UNUSABLE\]\n +Delete the folder/);
  });

  it('refuses a last day that is not over', async () => {
    const { code, stderr } = await aorta(root, ['demo', '--until', '2999-01-01']);
    expect(code).toBe(2);
    expect(stderr).toContain('--until needs a day that is over');
  });
});
