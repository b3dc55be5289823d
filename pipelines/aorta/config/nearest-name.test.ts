import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

it.each([
  ['warehose', 'warehouse'],
  ['souces', 'sources'],
  ['publishEveryS', 'publish_every_s'],
  ['memroy', 'memory'],
  ['file', 'files'],
  ['completely-else', undefined],
  ['x', undefined],
])('the nearest name to %s is %s', (given, expected) => {
  expect(nearestName(given, ['sources', 'warehouse', 'publish_every_s', 'memory', 'files'])).toBe(expected);
});
