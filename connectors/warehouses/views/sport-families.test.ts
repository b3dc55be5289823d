import { expect, test } from 'vitest';
import { sportFamilies } from './sport-families.ts';

test('a sport belongs to one family', () => {
  const slugs = Object.values(sportFamilies).flat();
  expect(slugs.filter((slug, index) => slugs.indexOf(slug) !== index)).toEqual([]);
});
