import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const HOME = 'connectors/kafka/client';
const guide = readFileSync(join(root, 'docs/guides/kafkajs.md'), 'utf8');

/** The rows of the tables, with the cells fault, upstream issue, what Aorta does, and test. */
const rows = guide
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|\s*(?:fault\s*\||-)/.test(line))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim()));

/** A file, and the name of a test. A name with backticks stands between double ones. */
const PROOF = /^`([^`]+\.test\.ts)`: (`+) ?(.+?) ?\2$/;

test('the tables of faults of kafkajs have rows of four cells', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([]);
});

describe.each(rows)('%s', (_, issue = '', action = '', proofs = '') => {
  test('names an upstream issue, or says that there is none', () => {
    expect(issue).toMatch(/^not reported$|^\[#(\d+)\]\(https:\/\/github\.com\/tulios\/kafkajs\/issues\/\1\)/);
  });

  test('names existing files', () => {
    const files = [...action.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => join(HOME, file!));
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('names existing tests', () => {
    for (const proof of proofs.split('<br>')) {
      const [, file = '', , name = ''] = PROOF.exec(proof.trim()) ?? [];
      expect(file, `not \`file.test.ts\`: \`name\`: ${proof}`).not.toBe('');
      expect(readFileSync(join(root, HOME, file), 'utf8')).toContain(name);
    }
  });
});
