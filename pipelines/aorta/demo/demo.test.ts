import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryValue } from '@aorta/connectors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderState, noteFinished, prepareFolder } from './folder.ts';
import { pastDay, periodOf, yesterdayOf } from './period.ts';
import { lastWeek, wearerQuery, weekQuery, weekTable } from './week.ts';

describe('the folder of a demonstration', () => {
  const options = { people: 2, days: 3, seed: 1, until: '2026-03-01' };
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'aorta-demo-'));
    folder = join(parent, 'demo');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  const fill = (): void => {
    for (const name of ['streams', 'hubs', 'service']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'warehouse.published.duckdb'), '');
  };
  const isEmpty = (): boolean =>
    !['streams', 'hubs', 'service', 'warehouse.published.duckdb'].some((name) => existsSync(join(folder, name)));

  it('is kept if it holds the whole demonstration with the same options', () => {
    expect(folderState(folder, options)).toBe('new');
    prepareFolder(folder, options);
    fill();
    noteFinished(folder, options);
    expect(folderState(folder, options)).toBe('finished');
    prepareFolder(folder, options);
    expect(isEmpty()).toBe(false);
  });

  it('is emptied if the demonstration was interrupted', () => {
    prepareFolder(folder, options);
    fill();
    expect(folderState(folder, options)).toBe('unfinished');
    prepareFolder(folder, options);
    expect([isEmpty(), folderState(folder, options)]).toEqual([true, 'unfinished']);
  });

  it.each([{ people: 3 }, { days: 4 }, { seed: 2 }, { until: '2026-03-02' }])('is emptied for other options: %o', (other) => {
    prepareFolder(folder, options);
    fill();
    noteFinished(folder, options);
    expect(folderState(folder, { ...options, ...other })).toBe('other');
    prepareFolder(folder, { ...options, ...other });
    expect(isEmpty()).toBe(true);
  });

  it('is refused if it contains other files', () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.txt'), '');
    expect(() => prepareFolder(folder, options)).toThrow(/holds other files/);
    expect(existsSync(join(folder, 'thesis.txt'))).toBe(true);
  });
});

describe('the days of a demonstration', () => {
  it('end with the last day, in UTC', () => {
    expect(periodOf({ days: 2, until: '2026-03-01' })).toEqual({
      from: Date.UTC(2026, 1, 28),
      end: Date.UTC(2026, 2, 2),
    });
  });

  it('end yesterday by default', () => {
    expect(yesterdayOf(Date.UTC(2026, 2, 1, 0, 0, 1))).toBe('2026-02-28');
  });

  it('may end on any day that is over', () => {
    const now = Date.UTC(2026, 2, 1, 12);
    expect(pastDay('2026-02-28', now)).toBe('2026-02-28');
    for (const wrong of ['2026-03-01', '2027-01-01', '2026-02-30', '2014-12-31', '28.02.2026', '2026-2-28', ''])
      expect(() => pastDay(wrong, now)).toThrow('--until needs a day that is over');
  });
});

describe("one person's week", () => {
  it('is the last seven days, or fewer if the demonstration is shorter', () => {
    expect(lastWeek({ days: 14, until: '2026-04-02' })).toEqual({ from: '2026-03-27', to: '2026-04-02' });
    expect(lastWeek({ days: 3, until: '2026-04-02' })).toEqual({ from: '2026-03-31', to: '2026-04-02' });
  });

  it('is queried with a quoted user id, and quoted names of providers', () => {
    const query = weekQuery({ user: "o'x", from: '2026-03-27', to: '2026-04-02' }, ["o'ura"]);
    expect(query).toContain("'o''x'");
    expect(query).toContain("provider = 'o''ura'");
    expect(wearerQuery({ from: '2026-03-27', to: '2026-04-02' })).toContain("date '2026-03-27' and date '2026-04-02'");
  });

  it('has a column for each device, and none for a measure that has no values', async () => {
    const names = [
      'weekday',
      'day',
      'oura_steps',
      'phone_steps',
      'resting_bpm',
      'asleep_s',
      'hrv_ms',
      'oxygen_pct',
      'weight_kg',
      'workouts',
    ];
    const rows: QueryValue[][] = [
      ['Sun', '2026-03-29', 12345n, 5000n, 61.6, 27_000, null, 96.46, null, 2n],
      ['Mon', '2026-03-30', null, null, null, null, null, null, null, null],
    ];
    const result = {
      columns: names.map((name) => ({ name, type: 'VARCHAR' })),
      rows: (async function* () {
        yield rows;
      })(),
    };
    expect(await weekTable(result, ['oura'])).toBe(
      [
        'day             oura steps  phone steps  resting bpm  asleep h  SpO2 %  workouts',
        '──────────────  ──────────  ───────────  ───────────  ────────  ──────  ────────',
        'Sun 2026-03-29      12,345        5,000           62       7.5    96.5         2',
        'Mon 2026-03-30           ∅            ∅            ∅         ∅       ∅         ∅',
        '',
      ].join('\n'),
    );
  });
});
