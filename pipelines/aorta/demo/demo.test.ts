import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryValue } from '@aorta/connectors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderState, prepareFolder } from './folder.ts';
import { lastWeek, weekQuery, weekTable } from './week.ts';

describe('the folder of a demonstration', () => {
  const options = { people: 2, days: 3, seed: 1 };
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'aorta-demo-'));
    folder = join(parent, 'demo');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('is reused for the same people and emptied for different people', () => {
    expect(folderState(folder, options)).toBe('new');
    prepareFolder(folder, options);
    mkdirSync(join(folder, 'streams'));
    writeFileSync(join(folder, 'warehouse.published.duckdb'), '');
    expect(folderState(folder, options)).toBe('same');
    prepareFolder(folder, options);
    expect(existsSync(join(folder, 'streams'))).toBe(true);
    expect(folderState(folder, { ...options, seed: 2 })).toBe('other');
    prepareFolder(folder, { ...options, seed: 2 });
    expect(existsSync(join(folder, 'streams')) || existsSync(join(folder, 'warehouse.published.duckdb'))).toBe(false);
  });

  it('is refused if it contains other files', () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.txt'), '');
    expect(() => prepareFolder(folder, options)).toThrow(/holds other files/);
    expect(existsSync(join(folder, 'thesis.txt'))).toBe(true);
  });
});

describe("one person's week", () => {
  it('is the last seven whole days, or fewer if the recording is shorter', () => {
    expect(lastWeek('2026-03-20', '2026-04-02')).toEqual({ from: '2026-03-27', to: '2026-04-02' });
    expect(lastWeek('2026-03-30', '2026-04-02')).toEqual({ from: '2026-03-30', to: '2026-04-02' });
  });

  it('is queried with a quoted user id', () => {
    expect(weekQuery({ user: "o'x", from: '2026-03-27', to: '2026-04-02' })).toContain("'o''x'");
  });

  it('has no column for a measure that has no values', async () => {
    const names = ['weekday', 'day', 'steps', 'distance_m', 'resting_bpm', 'heart_rate_bpm', 'asleep_s', 'glucose_mmol_l'];
    const rows: QueryValue[][] = [
      ['Sun', '2026-03-29', 12345n, 8000, null, 71.4, 27_000, null],
      ['Mon', '2026-03-30', null, null, null, null, null, null],
    ];
    const text = await weekTable({
      columns: names.map((name) => ({ name, type: 'VARCHAR' })),
      rows: (async function* () {
        yield rows;
      })(),
    });
    expect(text).toBe(
      [
        'day              steps  distance km  average bpm  asleep h',
        '──────────────  ──────  ───────────  ───────────  ────────',
        'Sun 2026-03-29  12,345          8.0           71       7.5',
        'Mon 2026-03-30       ∅            ∅            ∅         ∅',
        '',
      ].join('\n'),
    );
  });
});
