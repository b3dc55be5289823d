import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { peakMemory } from './peak-memory.ts';

const MB = 2 ** 20;

test('peakMemory() returns the peak of the process itself, not that of its parent', () => {
  const before = peakMemory();
  const much = Buffer.alloc(512 * MB, 1);
  expect(peakMemory()).toBeGreaterThan(512);
  expect(peakMemory()).toBeGreaterThan(before);
  const script = `import { peakMemory } from ${JSON.stringify(join(import.meta.dirname, 'peak-memory.ts'))}; process.stdout.write(String(peakMemory()));`;
  const child = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', script], { encoding: 'utf8' });
  expect(child.stderr).toBe('');
  const peak = Number(child.stdout);
  expect(peak).toBeGreaterThan(20);
  expect(peak).toBeLessThan(300);
  expect(much.at(-1)).toBe(1);
});
