import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EndlessLine, openContent } from './content.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a gzip file with an endless line', () => {
  test.each([0, 1, 3])('the %d lines before the endless line are yielded, even if one chunk contains both', async (lines) => {
    const path = join(folder, 'events.ndjson.gz');
    const before = '{"a":1}\n'.repeat(lines);
    await writeFile(path, gzipSync(`${before}${'x'.repeat(5000)}`));
    await using content = await openContent(path, 1000);
    let yielded = '';
    const reading = (async () => {
      for await (const chunk of content.chunks()) yielded += chunk.toString();
    })();
    await expect(reading).rejects.toBeInstanceOf(EndlessLine);
    expect(yielded.slice(0, before.length)).toBe(before);
  });
});
