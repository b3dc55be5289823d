import { expect, test } from 'vitest';
import { partitionOfKey } from './key-hash.ts';

test('keys of lengths around a block of twelve bytes get the same partition as with the official client', () => {
  // The expected values come from the client's own hash. The conformance suite compares with the client itself.
  const keys = ['', 'a', 'abcd', 'abcdefgh', 'abcdefghijk', 'abcdefghijkl', 'abcdefghijklm', 'ключ раздела', 'x'.repeat(128)];
  expect(keys.map((key) => partitionOfKey(key, 32))).toEqual([0, 28, 6, 26, 20, 5, 15, 25, 8]);
});
