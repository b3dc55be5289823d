import type { Step } from '@aorta/runtime';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveries } from '../model/arbitrary.ts';
import { expectModelTables } from './crashing.ts';
import type { Fetch } from './system.ts';

/** Every kind of step that a pipeline with DuckDB passes. Only BigQuery passes `batch:position`. The campaign crashes at random steps. */
const steps: readonly Step[] = [
  ...(['append:written', 'append:durable', 'source:committed', 'land:begun', 'land:durable', 'group:committed'] as const),
  ...(['merge:begun', 'merge:durable', 'batch:dropped', 'kept:begun', 'kept:durable'] as const),
  ...(['publish:copied', 'publish:renamed'] as const),
];

// The longest of some generated logs, so that the pipeline passes every kind of step.
const [log] = fc.sample(deliveries, { numRuns: 100, seed: 7 }).sort((a, b) => b.length - a.length);
const fetches: readonly Fetch[] = [
  { partition: 0, back: 0, count: 5 },
  { partition: 1, back: 3, count: 5 },
];

test.each(steps)('a crash at %s and the next run change no table', async (step) => {
  expect(await expectModelTables(log!, [{ fetches, drain: true, crashAt: step }], fetches)).toEqual([true]);
});
