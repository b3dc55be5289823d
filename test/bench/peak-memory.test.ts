import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { peakMemory } from './peak-memory.ts';

const MB = 2 ** 20;

/** Prints a process's peak before and after it allocates 512 MB. */
const script = `
  import { peakMemory } from ${JSON.stringify(join(import.meta.dirname, 'peak-memory.ts'))};
  const before = peakMemory();
  const much = Buffer.alloc(${512 * MB}, 1);
  console.log(JSON.stringify({ before, after: peakMemory(), last: much.at(-1) }));
`;

test('peakMemory() returns the peak of the process itself, not that of its parent', () => {
  const much = Buffer.alloc(512 * MB, 1);
  expect(peakMemory()).toBeGreaterThan(512);
  const child = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', script], { encoding: 'utf8' });
  expect(child.stderr).toBe('');
  const { before, after, last } = JSON.parse(child.stdout) as { before: number; after: number; last: number };
  expect(before).toBeGreaterThan(20);
  expect(before).toBeLessThan(300);
  expect(after).toBeGreaterThan(512);
  expect([much.at(-1), last]).toEqual([1, 1]);
});
