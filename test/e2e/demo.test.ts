import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../docs/shell.ts';
import { aorta } from './command.ts';
import { contents, reading } from './demo-tables.ts';
import { printedCommands } from './pasting.ts';

/** A name that a shell must not interpret. */
const HOSTILE = "it's mine & [old]";
/** The only device of the user who is deleted belongs to person 17, so fewer people would miss a state of the board. */
const whole = ['demo', '--people', '17', '--days', '8', '--until', '2026-04-01', '--folder', HOSTILE];
const root = mkdtempSync(join(tmpdir(), 'aorta-demo-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('aorta demo', () => {
  it('shows all states of historical pulls, several devices of a person, and repeated and late deliveries', async () => {
    const folder = join(root, 'whole');
    mkdirSync(folder);
    symlinkSync(HOSTILE, join(folder, 'aorta-demo'));
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
