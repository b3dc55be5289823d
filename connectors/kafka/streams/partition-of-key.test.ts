import { expect, test } from 'vitest';
import { numbered } from '../../streams/records.fixture.ts';
import { keyOf, murmur2, partitionOfKey } from './topic-appender.ts';

// Values from Kafka's org.apache.kafka.common.utils.UtilsTest.
test.each([
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
])("murmur2 of %s equals the hash of Kafka's own clients", (text, hash) => {
  expect(murmur2(Buffer.from(text))).toBe(hash);
});

test("a user's records always go to the same partition, and users are spread over all partitions", () => {
  const counts = new Array<number>(12).fill(0);
  for (let user = 0; user < 12_000; user++) {
    const partition = partitionOfKey(Buffer.from(`user-${user}`), 12);
    expect(partition).toBe(partitionOfKey(Buffer.from(`user-${user}`), 12));
    counts[partition]!++;
  }
  expect(Math.min(...counts)).toBeGreaterThan(800);
});

test('the key of a record without a user is its source partition', () => {
  expect(keyOf(numbered(1))).toBe('é漢😀');
  expect(keyOf({ ...numbered(1), user_id: null })).toBe('hub/0');
});
