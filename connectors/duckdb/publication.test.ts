import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Publication } from './publication.ts';
import { publishedPath } from './published-copy.ts';

let folder: string;
let path: string;
let now: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
  writeFileSync(path, 'tables');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let publication: Publication | undefined;
afterEach(() => publication?.close());

function start(news: boolean, publish_core_percent = 100): Publication {
  publication?.close();
  publication = new Publication(
    { path, publish_every_s: 1, publish_core_percent, clock: () => now, onStep: () => {}, logger: silentLogger },
    { mode: 0o400, group: undefined },
    news,
  );
  return publication;
}

/** Makes a copy that ends at this time. `cpuMs` is the processor time before the file was copied. */
async function copy(made: Publication, ended: number, cpuMs: number): Promise<void> {
  now = ended;
  await made.copy(cpuMs);
}

function isDueAt(publication: Publication, time: number): boolean {
  now = time;
  return publication.isWanted('due');
}

test('the first copy is due at once, and later copies are due only after changes', () => {
  const made = start(false);
  expect(isDueAt(made, 0)).toBe(true);
  writeFileSync(publishedPath(path), 'tables');
  expect([isDueAt(made, 0), made.isWanted('now')]).toEqual([false, true]);
  made.merged();
  expect(isDueAt(made, 0)).toBe(true);
  expect(isDueAt(start(true), 0)).toBe(true);
});

test('the next copy is due after a merge, but not before the pause is over', async () => {
  const made = start(true);
  await copy(made, 60, 500);
  expect([made.isWanted('now'), isDueAt(made, 10_000)]).toEqual([false, false]);
  made.merged();
  expect([isDueAt(made, 1_059), isDueAt(made, 1_060)]).toEqual([false, true]);
});

test.each([
  [5, 1_900],
  [50, 1_000],
])(
  'with a budget of %d percent of a core, a publication of 100 ms is followed by a pause of at least %d ms',
  async (percent, pause) => {
    const made = start(true, percent);
    await copy(made, 0, 100);
    made.changed();
    // The processor time of the copy itself comes on top.
    expect([isDueAt(made, pause - 1), isDueAt(made, 100 * pause)]).toEqual([false, true]);
  },
);

test('a small file is published every 2.9 seconds, even if that is costly', async () => {
  const made = start(true, 1);
  await copy(made, 0, 1_000);
  made.changed();
  // The copy itself takes a few milliseconds of processor time, which also shorten the pause.
  expect([isDueAt(made, 1_000), isDueAt(made, 1_900)]).toEqual([false, true]);
});

test('a file of 200 MB is published within the budget', async () => {
  truncateSync(path, 200e6);
  const made = start(true, 1);
  await copy(made, 0, 100);
  made.changed();
  expect([isDueAt(made, 9_899), isDueAt(made, 1_000_000)]).toEqual([false, true]);
});
