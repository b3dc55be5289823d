import { expect, test } from 'vitest';
import { newCluster } from './storage.ts';

test('a new cluster id never begins with a dash, because Kafka’s tools would treat such an id as an option', () => {
  const ids = Array.from({ length: 5_000 }, newCluster);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([]);
});
