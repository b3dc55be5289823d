import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { referencePages } from '../../pipelines/aorta/reference/generate.ts';

const root = join(import.meta.dirname, '..', '..');

test.each(Object.entries(await referencePages()))('%s matches the program (npm run generate)', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});
