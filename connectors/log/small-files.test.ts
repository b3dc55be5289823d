import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { damagesOf } from '../../infra/machine/damage.fixture.ts';
import { partitionOf } from '../stream-log.ts';
import { numbered, numbersOf, range, readAll, temporaryFolder } from '../streams/records.fixture.ts';
import { openLocalLog } from './local-log.ts';

const stream = partitionOf('unrouted');
let folder: string;
let incarnation: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  const log = await openLocalLog({ folder });
  for (const number of range(0, 3)) log.append('unrouted', numbered(number));
  await log.flush();
  await log.commit('job', stream, 2);
  incarnation = log.incarnation(stream);
  await log.close();
});

/** Deletes the damaged file, as the remedy says, and returns what the log then contains. */
async function afterwards(path: string) {
  await rm(path);
  // A process that only reads may be the first one.
  await (await openLocalLog({ folder, readOnly: true })).close();
  const found = [];
  for (let opened = 0; opened < 2; opened += 1) {
    const log = await openLocalLog({ folder });
    const records = numbersOf(await readAll(log, 'unrouted'));
    found.push({ records, incarnation: log.incarnation(stream), position: log.committed('job', stream) });
    await log.close();
  }
  expect(found[1]).toEqual(found[0]);
  return found[0];
}

describe.each([
  ['format.json', 'AORTA-FORMAT-DAMAGED'],
  ['unrouted/stream.json', 'AORTA-INCARNATION-DAMAGED'],
  ['unrouted/groups/job.json', 'AORTA-POSITION-DAMAGED'],
])('%s', (name, code) => {
  test('any damage is reported with the name of the file, and nothing is changed', async () => {
    const path = join(folder, name);
    const written = await readFile(path);
    await rm(join(folder, 'ends.ndjson'));
    const names = await readdir(folder, { recursive: true });
    for (const { what, content } of damagesOf(written, 5)) {
      await writeFile(path, content);
      for (const readOnly of [true, false]) {
        const opening = openLocalLog({ folder, readOnly }).then((log) => log.close());
        await expect(opening, what).rejects.toMatchObject({ code, details: { file: path } });
      }
      expect(await readFile(path)).toEqual(content);
    }
    expect(await readdir(folder, { recursive: true })).toEqual(names);
    await writeFile(path, written);
    await (await openLocalLog({ folder })).close();
  });
});

test('without a damaged format.json, the streams are as before', async () => {
  expect(await afterwards(join(folder, 'format.json'))).toEqual({ records: [0, 1, 2], incarnation, position: 2 });
});

test('a damaged stream.json is written again with the identity in the file of ends', async () => {
  const path = join(folder, 'unrouted', 'stream.json');
  const written = await readFile(path);
  for (const { content } of damagesOf(written, 5)) {
    await writeFile(path, content);
    const [looking, writing] = [await openLocalLog({ folder, readOnly: true }), await openLocalLog({ folder })];
    for (const log of [looking, writing]) {
      expect([log.incarnation(stream), log.committed('job', stream)]).toEqual([incarnation, 2]);
      await log.close();
    }
    expect(await readFile(path)).toEqual(written);
  }
});

test('without a damaged stream.json and the file of ends, the records stay, and every reader reads them again', async () => {
  await rm(join(folder, 'ends.ndjson'));
  const found = await afterwards(join(folder, 'unrouted', 'stream.json'));
  expect(found).toEqual({ records: [0, 1, 2], incarnation: expect.stringMatching(/^[0-9a-f-]{36}$/), position: undefined });
  expect(found!.incarnation).not.toBe(incarnation);
});

test('without a damaged position, its group has none', async () => {
  const found = await afterwards(join(folder, 'unrouted', 'groups', 'job.json'));
  expect(found).toEqual({ records: [0, 1, 2], incarnation, position: undefined });
});
