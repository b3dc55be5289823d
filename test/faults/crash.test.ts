import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveries } from '../model/arbitrary.ts';
import { modelTables } from '../model/model.ts';
import { ordered, printedTables } from '../model/printed.ts';
import { Broker, type Fetch, System, WINDOW } from './system.ts';

const fetches: fc.Arbitrary<Fetch[]> = fc.array(
  fc.record({ partition: fc.nat(2), back: fc.constantFrom(0, 0, 0, 1, 3, 8, 100), count: fc.integer({ min: 1, max: 6 }) }),
  { maxLength: 12 },
);

/** Runs of the process. Each run interleaves the partitions and rewinds the source in its own way, and may crash at a step. */
const runs = fc.array(fc.record({ fetches, crashAt: fc.option(fc.nat(30), { nil: undefined }) }), { maxLength: 3 });

test('the tables equal the tables of the model after any interleaving, rewind, batch split and crash', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, runs, fetches, async (log, runs, last) => {
      const system = new System();
      try {
        const broker = new Broker(log);
        for (const { fetches, crashAt } of runs) await system.run(broker.source(fetches, false), crashAt);
        const tally = await system.run(broker.source(last, true));
        expect(tally, 'the last run ends without a crash').toBeDefined();
        const { received, redelivered, streams, unrouted, dead_letters } = tally!;
        const sum = (counts: Readonly<Record<string, number>>): number =>
          Object.values(counts).reduce((total, count) => total + count, 0);
        expect(received).toBe(redelivered + sum(streams) + unrouted + sum(dead_letters));
        const reader = await system.read();
        try {
          expect(ordered(await printedTables(reader))).toEqual(ordered(modelTables(log, { window: WINDOW })));
        } finally {
          await reader.close();
        }
      } finally {
        system.remove();
      }
    }),
    { numRuns: 40 * Number(process.env.SOAK ?? 1) },
  );
});
