import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryValue } from '@aorta/connectors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderState, prepareFolder } from './folder.ts';
import { pastDay, periodOf, yesterdayOf } from './period.ts';
import { lastWeek, weekQuery, weekTable } from './week.ts';

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

  it('is continued by a run with the same people, on the same day and on later days', () => {
    expect(folderState(folder, options)).toEqual({ kind: 'new' });
    expect(prepareFolder(folder, options)).toBe('2026-03-01');
    fill();
    expect(folderState(folder, options)).toEqual({ kind: 'ours', first: '2026-03-01', until: '2026-03-01' });
    expect(prepareFolder(folder, { ...options, until: '2026-03-03' })).toBe('2026-03-01');
    expect(folderState(folder, { ...options, until: '2026-03-04' })).toEqual({
      kind: 'ours',
      first: '2026-03-01',
      until: '2026-03-03',
    });
    expect(isEmpty()).toBe(false);
  });

  it.each([{ people: 3 }, { days: 4 }, { seed: 2 }, { until: '2026-02-28' }, { until: '2026-03-05' }])(
    'is emptied for other people, an earlier end, or a gap of more days than the demonstration has: %o',
    (other) => {
      prepareFolder(folder, options);
      fill();
      const another = { ...options, ...other };
      expect(folderState(folder, another)).toEqual({ kind: 'other' });
      expect(prepareFolder(folder, another)).toBe(another.until);
      expect(isEmpty()).toBe(true);
      expect(folderState(folder, another)).toMatchObject({ kind: 'ours' });
    },
  );

  it('is emptied if its marker is not one of this version', () => {
    prepareFolder(folder, options);
    fill();
    writeFileSync(join(folder, 'demo.json'), 'torn {');
    expect(folderState(folder, options)).toEqual({ kind: 'other' });
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

  it('is queried with a quoted user id', () => {
    expect(weekQuery("o'x", { from: '2026-03-27', to: '2026-04-02' })).toContain("user_id = 'o''x'");
  });

  it('has no column for a measure that has no values', async () => {
    const rows: QueryValue[][] = [
      ['2026-03-29', 12_345, 'oura/ring', 1n, 61.6, 27_000n, null, 96.46, null, null, 2n],
      ['2026-03-30', null, null, null, null, null, null, null, null, null, null],
    ];
    const columns = ['calendar_date', 'steps'].map((name) => ({ name, type: 'VARCHAR' }));
    async function* batches() {
      yield rows;
    }
    expect(await weekTable({ columns, rows: batches() })).toBe(
      [
        'day          steps  from       others  resting bpm  asleep h  SpO2 %  workouts',
        '──────────  ──────  ─────────  ──────  ───────────  ────────  ──────  ────────',
        '2026-03-29  12,345  oura/ring       1           62       7.5    96.5         2',
        '2026-03-30       ∅  ∅               ∅            ∅         ∅       ∅         ∅',
        '',
      ].join('\n'),
    );
  });
});
