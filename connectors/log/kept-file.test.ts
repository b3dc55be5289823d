import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeptFile } from './kept-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-file-'));
  path = join(folder, 'state', 'job.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true }));

type Change = readonly [string, string | null];

async function write(...writes: readonly (readonly Change[])[]): Promise<void> {
  const kept = await openKeptFile(path);
  for (const changes of writes) await kept.write(changes);
  await kept.close();
}

async function entries(): Promise<Record<string, string>> {
  const kept = await openKeptFile(path);
  const found = Object.fromEntries(kept.take());
  await kept.close();
  return found;
}

test('no file is created before the first write', async () => {
  expect(await entries()).toEqual({});
  await write([]);
  expect(existsSync(path)).toBe(false);
});

test('the entries are those of a map to which the same changes were made, however often the file is opened', async () => {
  const change = fc.tuple(fc.constantFrom('a', 'b', 'ü\n', ''), fc.option(fc.string({ unit: 'grapheme' })));
  const life = fc.array(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 5 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(life, fc.constantFrom(0, 100, 10_000), async (openings, slack) => {
      rmSync(path, { force: true });
      const expected = new Map<string, string>();
      for (const writes of openings) {
        const kept = await openKeptFile(path, slack);
        expect(kept.take()).toEqual(expected);
        expect(kept.take()).toEqual(new Map());
        const written = writes.map((changes) => kept.write(changes));
        for (const [name, text] of writes.flat())
          if (text === null) expected.delete(name);
          else expected.set(name, text);
        await Promise.all(written);
        await kept.close();
      }
      expect(await entries()).toEqual(Object.fromEntries(expected));
    }),
  );
});

test('a line that a crash cut is ignored, and the next write replaces it', async () => {
  await write([['a', '1']], [['b', '2']]);
  const whole = statSync(path).size;
  for (let cut = 1; cut < '["b","2"]\n'.length; cut += 1) {
    truncateSync(path, whole - cut);
    expect(await entries()).toEqual({ a: '1' });
    await write([['b', '2']]);
    expect(readFileSync(path, 'utf8')).toBe('{"format":1}\n["a","1"]\n["b","2"]\n');
  }
});

test('a damaged file counts as missing, and the next write replaces it', async () => {
  await write([['a', '1']], [['b', '2']]);
  writeFileSync(path, readFileSync(path, 'utf8').replace('["a"', '["a'));
  expect(await entries()).toEqual({});
  await write([['c', '3']]);
  expect(await entries()).toEqual({ c: '3' });
});

test('a file in a newer format is refused, and one in an earlier format counts as missing', async () => {
  await write([['a', '1']]);
  writeFileSync(path, '{"format":0}\n["a","1"]\n');
  expect(await entries()).toEqual({});
  writeFileSync(path, '{"format":2}\n["a","1"]\n');
  await expect(openKeptFile(path)).rejects.toMatchObject({ code: 'AORTA-DATA-NEWER', details: { found: 2, known: 1 } });
});

test('obsolete lines leave the file before they exceed the entries and the slack', async () => {
  const kept = await openKeptFile(path, 200);
  const sizes: number[] = [];
  for (let at = 0; at < 1000; at += 1) {
    await kept.write([['a', String(at)]]);
    sizes.push(statSync(path).size);
  }
  await kept.close();
  expect(Math.max(...sizes)).toBeLessThan(300);
  expect(await entries()).toEqual({ a: '999' });
});

test('a deleted entry has left the file when the file is closed', async () => {
  await write([['user/secret', '1']], [['b', '2']]);
  await write([['user/secret', null]]);
  expect(readFileSync(path, 'utf8')).toBe('{"format":1}\n["b","2"]\n');
});

test('a failed write rejects, and the next one continues after the last durable line', async () => {
  await write([['a', '1']]);
  const kept = await openKeptFile(path);
  rmSync(path);
  await expect(kept.write([['b', '2']])).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE' });
  writeFileSync(path, '{"format":1}\n["a","1"]\n');
  appendFileSync(path, '["left","by a failed write"]\n["x","y"]\n');
  await kept.write([['c', '3']]);
  await kept.close();
  expect(await entries()).toEqual({ a: '1', c: '3' });
});
