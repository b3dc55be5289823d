import { expect, test } from 'vitest';
import { withBuiltPaths } from './build.ts';

test('withBuiltPaths replaces .ts with .js in module paths that are built at run time', () => {
  expect(withBuiltPaths("new Worker(new URL('./thread.ts', import.meta.url), { workerData })")).toBe(
    "new Worker(new URL('./thread.js', import.meta.url), { workerData })",
  );
  expect(withBuiltPaths("fork(join(import.meta.dirname, 'publishing.process.ts'), [])")).toBe(
    "fork(join(import.meta.dirname, 'publishing.process.js'), [])",
  );
});

test('withBuiltPaths does not change other strings that end in .ts', () => {
  expect(withBuiltPaths("say('see errors.ts')")).toBe("say('see errors.ts')");
});
