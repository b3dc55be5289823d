import fc from 'fast-check';
import { test } from 'vitest';
import { deliveries } from '../model/arbitrary.ts';
import { expectModelTables } from './crashing.ts';
import type { Fetch } from './system.ts';

const fetches: fc.Arbitrary<Fetch[]> = fc.array(
  fc.record({ partition: fc.nat(2), back: fc.constantFrom(0, 0, 0, 1, 3, 8, 100), count: fc.integer({ min: 1, max: 6 }) }),
  { maxLength: 12 },
);

/** Runs of the process. Each run interleaves the partitions and rewinds the source in its own way, and may crash at a step. */
const runs = fc.array(fc.record({ fetches, crashAt: fc.option(fc.nat(30), { nil: undefined }) }), { maxLength: 3 });

test('the tables equal the tables of the model after any interleaving, rewind, batch split and crash', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, runs, fetches, (log, runs, last) => expectModelTables(log, runs, last).then(() => {})),
    { numRuns: 40 * Number(process.env.SOAK ?? 1) },
  );
});
