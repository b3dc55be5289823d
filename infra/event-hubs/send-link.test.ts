import { expect, test } from 'vitest';
import { partitionOfKey } from './send-link.ts';

test('partitionOfKey agrees with the official client for keys shorter and longer than a block of twelve bytes', () => {
  // The expected values come from the official client. The conformance suite also checks that the official buffered
  // producer selects the same partitions.
  const keys = ['', 'a', 'abcd', 'abcdefgh', 'abcdefghijk', 'abcdefghijkl', 'abcdefghijklm', 'ключ раздела', 'x'.repeat(128)];
  expect(keys.map((key) => partitionOfKey(key, 32))).toEqual([0, 28, 6, 26, 20, 5, 15, 25, 8]);
});
