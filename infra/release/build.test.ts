import { expect, test } from 'vitest';
import { publishedManifest, withBuiltPaths } from './build.ts';

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

const manifest = {
  name: '@aorta/schemas',
  version: '1.2.3',
  description: 'What the data is',
  private: true,
  exports: { '.': './index.ts', './generated-files': './generate/generated-files.ts' },
  dependencies: { avsc: '5.7.9' },
  devDependencies: { vitest: '5.1.1' },
};

test('a published manifest exports only built files, with their declarations', () => {
  expect(publishedManifest(manifest, (file) => file === './index.js')).toEqual({
    name: '@aorta/schemas',
    version: '1.2.3',
    description: 'What the data is',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    dependencies: { avsc: '5.7.9' },
  });
});
