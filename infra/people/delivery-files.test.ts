import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeliveryProgress, deliveryLine, writeDeliveryFiles } from './delivery-files.ts';
import { deliveries, type HealthEvent } from './delivery-schedule.ts';

const options = { seed: 11, people: 10, days: 3, partitions: 3, source: 'clinic' };
let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'people-'));
});
afterAll(() => rm(root, { recursive: true }));

test('each partition has one file, readable only by the owner, with the partition’s deliveries in order', async () => {
  const folder = join(root, 'plain');
  const progress: DeliveryProgress[] = [];
  const written = await writeDeliveryFiles({ ...options, folder, onProgress: (one) => progress.push(one) });
  expect(await readdir(folder)).toEqual(['clinic-p0.ndjson', 'clinic-p1.ndjson', 'clinic-p2.ndjson']);
  expect(written.files).toEqual(['clinic-p0.ndjson', 'clinic-p1.ndjson', 'clinic-p2.ndjson'].map((name) => join(folder, name)));
  const expected = ['', '', ''];
  let [count, samples] = [0, 0];
  for (const delivery of deliveries(options)) {
    expected[delivery.partition] += `${deliveryLine(delivery)}\n`;
    count++;
    const { data } = delivery.body as HealthEvent & { data: { data?: unknown[] } };
    samples += data.data?.length ?? 0;
  }
  for (const [partition, file] of written.files.entries()) {
    expect((await readFile(file, 'utf8')) === expected[partition]).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect([written.deliveries, written.samples]).toEqual([count, samples]);
  expect(Object.values(written.events).reduce((sum, one) => sum + one, 0)).toBe(count);
  expect(progress.length).toBe(Math.floor(count / 1000));
});

test('a gzip file contains the same bytes as the plain file', async () => {
  const plain = await writeDeliveryFiles({ ...options, folder: join(root, 'a') });
  const packed = await writeDeliveryFiles({ ...options, folder: join(root, 'b'), gzip: true });
  for (const [partition, file] of packed.files.entries()) {
    expect(file.endsWith('.ndjson.gz')).toBe(true);
    expect(gunzipSync(await readFile(file)).equals(await readFile(plain.files[partition]!))).toBe(true);
  }
});

test('a failed run leaves no file with a final name', async () => {
  const folder = join(root, 'broken');
  const failing = writeDeliveryFiles({
    ...options,
    folder,
    onProgress: () => {
      throw new Error('enough');
    },
  });
  await expect(failing).rejects.toThrow('enough');
  expect((await readdir(folder)).filter((name) => !name.endsWith('.part'))).toEqual([]);
});

test.each([false, true])('the run fails if a file cannot be opened (gzip: %s)', async (gzip) => {
  const folder = join(root, `blocked-${gzip}`);
  await mkdir(join(folder, `clinic-p1.ndjson${gzip ? '.gz' : ''}.part`), { recursive: true });
  await expect(writeDeliveryFiles({ ...options, folder, gzip })).rejects.toThrow('EISDIR');
});

test('a partition without deliveries has no file', async () => {
  const folder = join(root, 'few');
  const { files } = await writeDeliveryFiles({ seed: 1, people: 1, days: 1, folder, partitions: 8 });
  expect(files.length).toBeLessThan(8);
  expect((await readdir(folder)).sort().map((name) => join(folder, name))).toEqual(files);
  for (const file of files) expect((await stat(file)).size).toBeGreaterThan(0);
});
