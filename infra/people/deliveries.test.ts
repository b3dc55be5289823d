import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveries, deliveryLine, writeDeliveryFiles } from './deliveries.ts';

let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'people-'));
});
afterAll(() => rm(root, { recursive: true }));

test('each partition with deliveries has one file, with the partition’s deliveries in order', async () => {
  const options = { seed: 11, people: 10, days: 3, partitions: 64 };
  const folder = join(root, 'new', 'folder');
  const files = writeDeliveryFiles(folder, options);
  const expected = new Map<number, string>();
  for (const delivery of deliveries(options))
    expected.set(delivery.partition, `${expected.get(delivery.partition) ?? ''}${deliveryLine(delivery)}\n`);
  expect(expected.size).toBeGreaterThan(5);
  const partitions = [...expected.keys()].sort((a, b) => a - b);
  expect(files).toEqual(partitions.map((partition) => join(folder, `people-p${partition}.ndjson`)));
  expect((await readdir(folder)).length).toBe(files.length);
  for (const [at, file] of files.entries()) expect((await readFile(file, 'utf8')) === expected.get(partitions[at]!)).toBe(true);
});
