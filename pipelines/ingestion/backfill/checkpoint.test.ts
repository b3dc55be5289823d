import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BackfillCheckpoint, checkpointFile, forgetBackfill } from './checkpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
afterAll(() => rmSync(folder, { recursive: true }));

const position = { step: 3, cursor: 'c', objects: { oura: 7 }, offset: 11 };

test('a checkpoint that is opened for a different request keeps only its offset', async () => {
  const path = checkpointFile(folder, 'u-1');
  const first = await BackfillCheckpoint.open(path, 'a');
  expect(first.position).toBeUndefined();
  await first.commit(position);
  expect((await BackfillCheckpoint.open(path, 'a')).position).toEqual(position);
  expect((await BackfillCheckpoint.open(path, 'b')).position).toEqual({ step: 0, cursor: undefined, objects: {}, offset: 11 });
  await first.commit({ ...position, cursor: undefined, objects: null });
  expect((await BackfillCheckpoint.open(path, 'a')).position).toEqual({ ...position, cursor: undefined, objects: null });
});

test('a damaged checkpoint counts as missing, but a checkpoint in a newer format is rejected', async () => {
  const path = checkpointFile(folder, 'u-2');
  const content = { format: 1, asked: 'a', step: 3, cursor: null, offset: 11 };
  writeFileSync(path, JSON.stringify(content));
  expect((await BackfillCheckpoint.open(path, 'a')).position).toMatchObject({ step: 3, objects: null });
  writeFileSync(path, JSON.stringify({ ...content, format: 2 }));
  await expect(BackfillCheckpoint.open(path, 'a')).rejects.toMatchObject({ code: 'AORTA-DATA-NEWER' });
  writeFileSync(path, '{"format":1');
  expect((await BackfillCheckpoint.open(path, 'a')).position).toBeUndefined();
});

test("forgetBackfill() deletes only the given user's checkpoint, and no file name contains a user id", async () => {
  const other = await BackfillCheckpoint.open(checkpointFile(folder, 'u-3'), 'a');
  await other.commit(position);
  await forgetBackfill(folder, 'u-1');
  await forgetBackfill(folder, 'u-1');
  expect((await BackfillCheckpoint.open(checkpointFile(folder, 'u-1'), 'a')).position).toBeUndefined();
  expect((await BackfillCheckpoint.open(checkpointFile(folder, 'u-3'), 'a')).position).toEqual(position);
  expect(readdirSync(folder).filter((name) => name.includes('u-'))).toEqual([]);
});
