import { expect, test } from 'vitest';
import { withBuiltPaths } from './typescript-paths.ts';

test('a path that is put together at run time names the built file', () => {
  expect(withBuiltPaths("new Worker(new URL('./thread.ts', import.meta.url), { workerData })")).toBe(
    "new Worker(new URL('./thread.js', import.meta.url), { workerData })",
  );
  expect(withBuiltPaths("fork(join(import.meta.dirname, 'publishing.process.ts'), [])")).toBe(
    "fork(join(import.meta.dirname, 'publishing.process.js'), [])",
  );
});

test('other texts that end in .ts stay as they are', () => {
  expect(withBuiltPaths("say('see errors.ts')")).toBe("say('see errors.ts')");
});
