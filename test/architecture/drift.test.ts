import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generated } from '../../schemas/generate/generate.ts';

const root = join(import.meta.dirname, '..', '..');

test.each(Object.entries(generated()))('%s matches the declarations (npm run generate)', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});
