import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Content, SmallFiles } from './content.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'small-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function put(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Returns the text of the file, the number of bytes reported as read from disk, and the hash. */
async function read(opening: Promise<Content>): Promise<[text: string, bytes: number, hash: string]> {
  await using content = await opening;
  let text = '';
  let bytes = 0;
  for await (const chunk of content.chunks((some) => (bytes += some))) text += chunk.toString();
  return [text, bytes, await content.hash()];
}

test('a small file that is read twice is opened only once', async () => {
  const files = new SmallFiles();
  const path = await put('small', 'before');
  const first = await read(files.first(path, 1e6));
  await put('small', 'after it');
  expect(first).toEqual(['before', 6, expect.stringMatching(/^[0-9a-f]{16}$/)]);
  expect(await read(files.again(path, 1e6))).toEqual(first);
  expect((await read(files.again(path, 1e6))).slice(0, 2)).toEqual(['after it', 8]);
});

test('a small gzip file is inflated each time it is read', async () => {
  const files = new SmallFiles();
  const zipped = gzipSync('text');
  const path = await put('small.gz', zipped);
  const first = await read(files.first(path, 1e6));
  expect(first.slice(0, 2)).toEqual(['text', zipped.length]);
  expect(await read(files.again(path, 1e6))).toEqual(first);
});

test('a file that is empty or too large to be held is opened each time it is read', async () => {
  const files = new SmallFiles();
  const [empty, large] = [await put('empty', ''), await put('large', 'x'.repeat(65_537))];
  expect([(await read(files.first(empty, 1e6)))[0], (await read(files.first(large, 1e6)))[1]]).toEqual(['', 65_537]);
  await put('empty', 'y');
  await put('large', 'z');
  expect([(await read(files.again(empty, 1e6)))[0], (await read(files.again(large, 1e6)))[0]]).toEqual(['y', 'z']);
});

test('the number of held bytes is limited, and the second read releases them', async () => {
  const files = new SmallFiles(3);
  const [first, second] = [await put('first', 'xx'), await put('second', 'xx')];
  for (const path of [first, second]) await read(files.first(path, 1e6));
  await Promise.all([put('first', 'y'), put('second', 'y')]);
  expect((await read(files.again(second, 1e6)))[0]).toBe('y');
  expect((await read(files.again(first, 1e6)))[0]).toBe('xx');
  await read(files.first(second, 1e6));
  await put('second', 'z');
  expect((await read(files.again(second, 1e6)))[0]).toBe('y');
});
