import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

const start = (news: boolean): Publication =>
  new Publication(
    { path, publish_every_s: 1, clock: () => now, onStep: () => {}, logger: silentLogger },
    { mode: 0o400, group: undefined },
    news,
  );

/** Makes a copy that takes from `begun` to `ended`. */
async function copy(publication: Publication, begun: number, ended: number): Promise<void> {
  now = ended;
  using copying = publication.start();
  await publication.copy(copying, begun);
}

function isDueAt(publication: Publication, time: number): boolean {
  now = time;
  return publication.isWanted('due');
}

test('the first copy is due at once, and later copies are due only after changes', () => {
  const publication = start(false);
  expect(isDueAt(publication, 0)).toBe(true);
  writeFileSync(publishedPath(path), 'tables');
  expect([isDueAt(publication, 0), publication.isWanted('now')]).toEqual([false, true]);
  publication.merged();
  expect(isDueAt(publication, 0)).toBe(true);
  expect(isDueAt(start(true), 0)).toBe(true);
});

test('the next copy is due after a merge, but not before the pause is over', async () => {
  const publication = start(true);
  await copy(publication, 50, 60);
  expect([publication.isWanted('now'), isDueAt(publication, 10_000)]).toEqual([false, false]);
  publication.merged();
  expect([isDueAt(publication, 1_059), isDueAt(publication, 1_060)]).toEqual([false, true]);
});

test('the pause after a publication is ninety-nine times as long as the publication', async () => {
  const publication = start(true);
  await copy(publication, 0, 100);
  publication.changed();
  expect([isDueAt(publication, 9_999), isDueAt(publication, 10_000)]).toEqual([false, true]);
});
