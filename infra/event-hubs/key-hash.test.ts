import { expect, test } from 'vitest';
import { partitionOfKey } from './key-hash.ts';

test('keys of every length around a block of twelve bytes stay where the official client puts them', () => {
  // Taken from the client's own hash; the conformance suite asks the client itself.
  const keys = ['', 'a', 'abcd', 'abcdefgh', 'abcdefghijk', 'abcdefghijkl', 'abcdefghijklm', 'ключ раздела', 'x'.repeat(128)];
  expect(keys.map((key) => partitionOfKey(key, 32))).toEqual([0, 28, 6, 26, 20, 5, 15, 25, 8]);
});
