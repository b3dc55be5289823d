import { expect, test } from 'vitest';
import { publishedManifest } from './build.ts';

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
