import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LogFields, type Logger, silentLogger, writeDurably } from '@aorta/runtime';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { damagesOf } from '../../../infra/machine/damage.fixture.ts';
import { BackfillCheckpoint, checkpointFile, forgetBackfill } from './checkpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.useRealTimers());

const position = { step: 3, cursor: 'c', objects: { oura: 7 }, offset: 11 };

const warnings: (LogFields | undefined)[] = [];
const logger: Logger = { ...silentLogger, warn: (_, fields) => void warnings.push(fields) };
const open = (path: string, asked = 'a') => BackfillCheckpoint.open(path, asked, logger);

test('a checkpoint that is opened for a different request keeps only its offset', async () => {
  const path = checkpointFile(folder, 'u-1');
  const first = await open(path);
  expect(first.position).toBeUndefined();
  await first.commit(position);
  expect((await open(path)).position).toEqual(position);
  expect((await open(path, 'b')).position).toEqual({ step: 0, cursor: undefined, objects: {}, offset: 11 });
  await first.commit({ ...position, cursor: undefined, objects: null });
  expect((await open(path)).position).toEqual({ ...position, cursor: undefined, objects: null });
});

test('a checkpoint in a newer format is rejected', async () => {
  const path = checkpointFile(folder, 'u-2');
  await writeDurably(path, { format: 2, asked: 'a', step: 3, cursor: null, offset: 11 });
  await expect(open(path)).rejects.toMatchObject({ code: 'AORTA-DATA-NEWER' });
});

test('a backfill with a damaged checkpoint starts over, and does not use an offset twice', async () => {
  const path = checkpointFile(folder, 'u-4');
  await (await open(path)).commit(position);
  const written = readFileSync(path);
  const now = 1_772_000_000_000;
  vi.setSystemTime(now);
  for (const { what, content } of damagesOf(written, 7)) {
    writeFileSync(path, content);
    const found = (await open(path)).position;
    expect([what, found]).toEqual([what, { step: 0, cursor: undefined, objects: {}, offset: now }]);
    expect([existsSync(path), readFileSync(`${path}.damaged`)]).toEqual([false, content]);
    expect(warnings.pop()).toMatchObject({
      code: 'AORTA-STATE-DAMAGED',
      message: `${path} was damaged, and counts as missing: the backfill of its user fetches all data again.`,
    });
  }
  await forgetBackfill(folder, 'u-4');
  expect(existsSync(`${path}.damaged`)).toBe(false);
});

test("forgetBackfill() deletes only the given user's checkpoint, and no file name contains a user id", async () => {
  const other = await open(checkpointFile(folder, 'u-3'));
  await other.commit(position);
  await forgetBackfill(folder, 'u-1');
  await forgetBackfill(folder, 'u-1');
  expect((await open(checkpointFile(folder, 'u-1'))).position).toBeUndefined();
  expect((await open(checkpointFile(folder, 'u-3'))).position).toEqual(position);
  expect(readdirSync(folder).filter((name) => name.includes('u-'))).toEqual([]);
});
