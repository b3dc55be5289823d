import { expect, test } from 'vitest';
import { FIRST_DAY, partitionDay, SampleDays } from '../../warehouses/merging/landed-dates.ts';
import { priceOf, TIB } from '../cost/price.ts';
import { dataset, landed, named } from './landed.fixture.ts';
import { mergeStatement } from './merge.ts';

/** Computes from the statements how many bytes merges read in a table that covers one year. One event in ten is old. */

const DAYS = 365;
const PARTITION = TIB / DAYS;
const today = Date.UTC(2026, 10, 20) / 86_400_000;
const MERGES = 100;
const RECENT_DAYS = 2;

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Returns the dates to which a merge restricts its target, so that BigQuery prunes partitions. Returns every date of the table
 * if the merge does not restrict its target.
 */
function boundsIn(merge: string): number[] {
  const on = merge.slice(merge.indexOf('\nON '));
  const list = /T\._day IN \(([^)]*)\)/.exec(on)?.[1];
  if (list === undefined) return Array.from({ length: DAYS }, (_, ago) => today - ago);
  return [...list.matchAll(/DATE '([\d-]+)'/g)].map(([, day]) => Date.parse(`${day}Z`) / 86_400_000);
}

const readBy = (days: readonly number[]): number => days.filter((day) => day > today - DAYS && day <= today).length * PARTITION;

test('100 merges into a table of 1 TiB read at most twice the bytes of the partitions that contain their samples', async () => {
  const random = numbers(7);
  const target = named('timeseries');
  let read = 0;
  let touched = 0;
  let widest = 0;
  let merges = 0;
  /**
   * `drawn` contains the dates that the test chose for the samples. `days` contains the dates that `SampleDays` derived from
   * them.
   */
  type Batch = { days: number[]; at: number; drawn: readonly number[] };
  const waiting: Batch[] = [];
  const mergeBatches = (extent: 'recent' | 'old', batches: Batch[]): void => {
    const list = batches.map(({ days, at }) => landed('timeseries', at, days));
    const { merge } = mergeStatement({ dataset, target, extent, batches: list });
    const days = [...new Set(batches.flatMap(({ drawn }) => drawn))];
    const bounds = boundsIn(merge);
    // If the merge omitted a date, it would not find the existing rows of that date and would insert duplicates.
    expect(days.filter((day) => !bounds.includes(day))).toEqual([]);
    read += readBy(bounds);
    touched += readBy(days);
    widest += readBy(Array.from({ length: Math.max(...days) - Math.min(...days) + 1 }, (_, index) => Math.min(...days) + index));
    merges++;
  };
  for (let at = 0; merges < MERGES; at++) {
    const days = new SampleDays();
    const drawn: { recent: number[]; old: number[] } = { recent: [], old: [] };
    // Each batch contains the 50 events of one minute. One event in ten falls on a random day of the year.
    for (let event = 0; event < 50; event++) {
      const ago = random() < 0.1 ? Math.floor(random() * DAYS) : 0;
      drawn[ago <= RECENT_DAYS ? 'recent' : 'old'].push(today - ago);
      const start = (today - ago) * 86_400_000_000;
      days.add([start], start, start);
    }
    const { recent, old } = days.split(partitionDay(today * 86_400_000_000), RECENT_DAYS);
    if (recent.rows > 0) mergeBatches('recent', [{ days: recent.days, at, drawn: drawn.recent }]);
    if (old.rows > 0) waiting.push({ days: old.days, at, drawn: drawn.old });
    if (waiting.length === 10 && merges < MERGES) mergeBatches('old', waiting.splice(0));
  }
  expect(merges).toBe(MERGES);
  expect(touched).toBeGreaterThan(0);
  expect(read).toBeLessThanOrEqual(2 * touched);
  const said = (bytes: number): string => `${(bytes / TIB).toFixed(2)} TiB, ${priceOf(bytes, 6.25).toFixed(2)} at 6.25 a TiB`;
  const text = `${MERGES} merges into a table of 1 TiB over ${DAYS} days, one event in ten backfilled over the year.\n\nread by the literal dates    ${said(read)}\npartitions touched           ${said(touched)}\nfrom least to greatest date  ${said(widest)}\nwithout a bound              ${said(MERGES * TIB)}\n`;
  await expect(text).toMatchFileSnapshot('golden/bytes-of-merges.txt');
});

test('out-of-range samples are clamped to a date that a merge treats like any other', () => {
  const { merge } = mergeStatement({
    dataset,
    target: named('timeseries'),
    extent: 'old',
    batches: [landed('timeseries', 0, [FIRST_DAY, today])],
  });
  expect(boundsIn(merge)).toEqual([FIRST_DAY, today]);
});
