import { expect, test } from 'vitest';
import { newCluster } from './storage.ts';

test('ids of clusters are such that Kafka’s tools take none for an option', () => {
  const ids = Array.from({ length: 5_000 }, newCluster);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([]);
});
