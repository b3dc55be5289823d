import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { damagesOf } from '../../machine/damage.fixture.ts';
import { writeDurably } from './durable-file.ts';
import { openKeptFile } from './kept-file.ts';
import { damageInFolder } from './small-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'small-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('finds each damaged file and each one that was kept, and ignores others', async () => {
  mkdirSync(join(folder, 'state'));
  const [json, lines] = [join(folder, 'state', 'one.json'), join(folder, 'lines.ndjson')];
  await writeDurably(json, { value: 1 });
  const file = await openKeptFile(lines);
  await file.write([['name', 'text']]);
  await file.close();
  writeFileSync(join(folder, 'other.avro'), 'any bytes');
  expect(await damageInFolder(folder)).toEqual({ damaged: [], aside: [] });

  const written = readFileSync(json);
  for (const { what, content } of damagesOf(written, 7)) {
    writeFileSync(json, content);
    expect([what, await damageInFolder(folder)]).toEqual([what, { damaged: ['state/one.json'], aside: [] }]);
  }
  writeFileSync(json, written);
  writeFileSync(lines, readFileSync(lines).fill(0, 3, 4));
  writeFileSync(`${json}.damaged`, '');
  expect(await damageInFolder(folder)).toEqual({ damaged: ['lines.ndjson'], aside: ['state/one.json.damaged'] });
});

test('a folder that does not exist has no damage', async () => {
  expect(await damageInFolder(join(folder, 'none'))).toEqual({ damaged: [], aside: [] });
});
