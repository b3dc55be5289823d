import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepAside, nameOfKept, OpenDamage } from './damaged-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-file-'));
  path = join(folder, 'segment');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

test('a damaged file is kept once, also after a crash, and survives its replacement', async () => {
  writeFileSync(path, 'first');
  expect([await keepAside(path), await keepAside(path)]).toEqual(['.damaged', '.damaged']);
  rmSync(path);
  writeFileSync(path, 'second');
  expect([await keepAside(path), await keepAside(path)]).toEqual(['.2.damaged', '.2.damaged']);
  rmSync(path);
  writeFileSync(path, 'third');
  expect(readFileSync(`${path}.damaged`, 'utf8')).toBe('first');
  expect(readFileSync(`${path}.2.damaged`, 'utf8')).toBe('second');
});

test('the name of a kept file tells the name of the damaged one', () => {
  expect(nameOfKept('0007.avro.damaged')).toBe('0007.avro');
  expect(nameOfKept('0007.avro.12.damaged')).toBe('0007.avro');
  for (const name of ['0007.avro', '.damaged', '0007.damaged.avro', '0007.avrodamaged']) expect(nameOfKept(name)).toBeUndefined();
});

test('an empty file stands for a missing one', async () => {
  expect([await keepAside(path), await keepAside(path)]).toEqual(['.damaged', '.damaged']);
  expect(readFileSync(`${path}.damaged`, 'utf8')).toBe('');
  writeFileSync(path, 'found again');
  expect(await keepAside(path)).toBe('.2.damaged');
});

test('damage is reported once, until its file is deleted', () => {
  vi.useFakeTimers();
  writeFileSync(path, '');
  const open = new OpenDamage();
  const ended: string[] = [];
  const report = vi.fn(() => () => void ended.push('first'));
  open.add('first', path, report);
  open.add('first', path, report);
  open.add('other', folder, () => () => void ended.push('other'));
  vi.advanceTimersByTime(2000);
  expect(report).toHaveBeenCalledTimes(1);
  expect(ended).toEqual([]);
  rmSync(path);
  vi.advanceTimersByTime(2000);
  expect(ended).toEqual(['first']);
  open.close();
  expect(ended).toEqual(['first', 'other']);
});
