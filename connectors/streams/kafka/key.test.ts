import { expect, test } from 'vitest';
import { numbered } from '../testing/records.ts';
import { keyOf, murmur2, partitionOfKey } from './key.ts';

// Of org.apache.kafka.common.utils.UtilsTest, which the clients of Kafka are held to.
test.each([
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
])('murmur2 of %s is that of Kafka’s own clients', (text, hash) => {
  expect(murmur2(Buffer.from(text))).toBe(hash);
});

test('a user is always in the same partition, and users are spread over all', () => {
  const counts = new Array<number>(12).fill(0);
  for (let user = 0; user < 12_000; user++) {
    const partition = partitionOfKey(Buffer.from(`user-${user}`), 12);
    expect(partition).toBe(partitionOfKey(Buffer.from(`user-${user}`), 12));
    counts[partition]!++;
  }
  expect(Math.min(...counts)).toBeGreaterThan(800);
});

test('a record without a user has the partition that it came from as its key', () => {
  expect(keyOf(numbered(1))).toBe('é漢😀');
  expect(keyOf({ ...numbered(1), user_id: null })).toBe('hub/0');
});
