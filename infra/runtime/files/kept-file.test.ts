import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flipped } from '../../machine/damage.fixture.ts';
import { openKeptFile } from './kept-file.ts';
import { sealJson } from './sealed-json.ts';

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
        const kept = await openKeptFile(path, { slack });
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

test('each line ends with the CRC-32 of all lines up to it', async () => {
  await write([['a', '1']], [['a', '2']]);
  // Computed with another implementation, Python's zlib.crc32, over `{"format":1}["a","1"]["a","2"]`.
  expect(readFileSync(path, 'utf8')).toBe('{"format":1,"crc32":"af1ec339"}\n["a","1","fa237ec9"]\n["a","2","b6979daa"]\n');
});

test('a line that a crash cut is ignored, and the next write replaces it', async () => {
  await write([['a', '1']], [['b', '2']]);
  const whole = readFileSync(path);
  const line = whole.length - whole.lastIndexOf('\n', -2) - 1;
  for (let cut = 1; cut < line; cut += 1) {
    truncateSync(path, whole.length - cut);
    expect(await entries()).toEqual({ a: '1' });
    await write([['b', '2']]);
    expect(readFileSync(path)).toEqual(whole);
  }
});

describe('a damaged file', () => {
  const all = { a: 'ü', b: '2' };
  let whole: Buffer;
  beforeEach(async () => {
    await write([['a', 'ü']], [['b', '1']], [['b', '2']]);
    whole = readFileSync(path);
  });

  async function opened(content: Buffer): Promise<Awaited<ReturnType<typeof openKeptFile>>> {
    rmSync(`${path}.damaged`, { force: true });
    writeFileSync(path, content);
    return openKeptFile(path, { consequence: 'the job starts over' });
  }

  test('counts as missing, is moved aside, and the next write creates a new one', async () => {
    const content = Buffer.from(whole.toString().replace('["a"', '["x"'));
    const kept = await opened(content);
    expect(kept.damage).toMatchObject({
      code: 'AORTA-STATE-DAMAGED',
      details: { file: path, kept: `${path}.damaged`, consequence: 'the job starts over' },
    });
    expect(kept.take()).toEqual(new Map());
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(`${path}.damaged`)).toEqual(content);
    await kept.write([['c', '3']]);
    await kept.close();
    expect(await entries()).toEqual({ c: '3' });
  });

  test('is noticed whichever bit is flipped; without its last line end, the last line counts as cut', async () => {
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const content = flipped(whole, bit);
      const kept = await opened(content);
      const isLineEnd = Math.floor(bit / 8) === whole.length - 1;
      expect([bit, kept.damage === undefined, Object.fromEntries(kept.take())]).toEqual([
        bit,
        isLineEnd,
        isLineEnd ? { ...all, b: '1' } : {},
      ]);
    }
  });

  test('is noticed if lines are missing or repeated, or if nothing is left', async () => {
    const lines = whole.toString().split(/(?<=\n)/);
    expect(lines).toHaveLength(4);
    for (let at = 0; at < lines.length; at += 1) {
      for (const damaged of [lines.toSpliced(at, 0, lines[at]!), at < 3 ? lines.toSpliced(at, 1) : []]) {
        expect((await opened(Buffer.from(damaged.join('')))).damage).toBeDefined();
      }
    }
    expect((await opened(Buffer.concat([whole, whole]))).damage).toBeDefined();
    expect((await opened(Buffer.alloc(whole.length))).damage).toBeDefined();
  });

  test('is noticed if its first line is cut; a later cut leaves the entries of an earlier write', async () => {
    const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
    const states = [{}, { a: 'ü' }, { a: 'ü', b: '1' }, all];
    for (let length = 0; length < whole.length; length += 1) {
      const kept = await opened(whole.subarray(0, length));
      const lines = ends.filter((end) => end <= length).length;
      expect([length, kept.damage === undefined]).toEqual([length, lines > 0]);
      expect(Object.fromEntries(kept.take())).toEqual(states[lines - 1] ?? {});
    }
  });

  test('is not rewritten without the damaged entries', async () => {
    const kept = await openKeptFile(path, { slack: 0 });
    writeFileSync(path, flipped(whole, 200));
    const writes = async () => {
      for (let at = 0; at < 20; at += 1) await kept.write([['b', String(at)]]);
    };
    await expect(writes()).rejects.toMatchObject({ code: 'AORTA-FILE-UNREADABLE', details: { code: 'damaged' } });
    await kept.close();
    expect((await openKeptFile(path)).damage).toBeDefined();
  });
});

/** Content of a file with these lines. */
const contentOf = (...lines: readonly string[]): string => {
  let before = 0;
  const sealed = lines.map((line) => {
    const { text, sum } = sealJson(line, before);
    before = sum;
    return `${text}\n`;
  });
  return sealed.join('');
};

test('a file in a newer format is refused, and one in an earlier format counts as missing', async () => {
  await write([['a', '1']]);
  writeFileSync(path, contentOf('{"format":0}', '["a","1"]'));
  expect(await entries()).toEqual({});
  expect((await openKeptFile(path)).damage).toBeUndefined();
  writeFileSync(path, contentOf('{"format":2}', '["a","1"]'));
  await expect(openKeptFile(path)).rejects.toMatchObject({ code: 'AORTA-DATA-NEWER', details: { found: 2, known: 1 } });
});

test('obsolete lines leave the file before they exceed the entries and the slack', async () => {
  const kept = await openKeptFile(path, { slack: 200 });
  const sizes: number[] = [];
  for (let at = 0; at < 1000; at += 1) {
    await kept.write([['a', String(at)]]);
    sizes.push(statSync(path).size);
  }
  await kept.close();
  expect(Math.max(...sizes)).toBeLessThan(350);
  expect(await entries()).toEqual({ a: '999' });
});

test('a deleted entry has left the file when the file is closed', async () => {
  await write([['user/secret', '1']], [['b', '2']]);
  await write([['user/secret', null]]);
  expect(readFileSync(path, 'utf8')).toBe(contentOf('{"format":1}', '["b","2"]'));
});

test('a failed write rejects, and the next one continues after the last durable line', async () => {
  await write([['a', '1']]);
  const kept = await openKeptFile(path);
  rmSync(path);
  await expect(kept.write([['b', '2']])).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE' });
  writeFileSync(path, contentOf('{"format":1}', '["a","1"]'));
  appendFileSync(path, '["left","by a failed write"]\n["x","y"]\n');
  await kept.write([['c', '3']]);
  await kept.close();
  expect(await entries()).toEqual({ a: '1', c: '3' });
});
