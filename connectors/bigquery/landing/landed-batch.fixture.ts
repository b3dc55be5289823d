import type { LandedBatch } from './landed-batch.ts';

export const landedBatch = (more: Partial<LandedBatch> & Pick<LandedBatch, 'name' | 'stream'>): LandedBatch => ({
  partition: 0,
  incarnation: 'i',
  from: 0,
  to: 10,
  begins: true,
  records: 10,
  landedAt: 0,
  fields: [],
  receivedDays: [20_000],
  recentDays: [],
  recentRows: 10,
  oldDays: [],
  oldRows: 0,
  ...more,
});
