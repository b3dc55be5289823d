import type { StreamName, StreamRecords } from '@aorta/schemas';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveries } from '../model/arbitrary.ts';
import type { TestDelivery } from '../model/delivery.ts';
import { modelTables } from '../model/model.ts';
import { ordered, printedTables } from '../model/printed.ts';
import { pullBoardConformance } from './pull-board.ts';
import { recordsOf } from './records.ts';
import { waitingMergesConformance } from './waiting-merges.ts';
import { type Capabilities, isLack, lackConformance } from './warehouse-capabilities.ts';
import { warehouseCases } from './warehouse-cases.ts';
import { endsBeforeTestLimit, type WarehouseUnderTest } from './warehouse-under-test.ts';

interface WarehouseSuite extends Capabilities {
  create(): Promise<WarehouseUnderTest>;
  /** Number of random histories that the suite compares with the model. */
  readonly runs: number;
}

/** What may happen between two records: a batch is landed, records are lost, a merge runs, or the process restarts. */
const happening = fc.constantFrom('lose', 'land', 'land', 'land', 'merge due', 'merge all', 'open again', 'nothing', 'nothing');

/** Tests one warehouse. If it lacks one of the {@link Capabilities}, a test checks that the capability is really missing. */
export function warehouseConformance(name: string, { create, runs, ...capabilities }: WarehouseSuite): void {
  const { landsApart, gathersOldDates, showsPulls } = capabilities;
  tableConformance(name, create, runs, !isLack(landsApart));
  if (!isLack(gathersOldDates)) waitingMergesConformance(name, gathersOldDates.create, gathersOldDates.afterMs);
  if (!isLack(showsPulls)) pullBoardConformance(name, showsPulls.create);
  lackConformance(name, create, capabilities);
}

export function tableConformance(name: string, create: () => Promise<WarehouseUnderTest>, runs: number, landsApart = true): void {
  describe(`${name}: land, then merge`, () => {
    test('the tables equal the model for any order of records, batches, merges and restarts', async () => {
      await fc.assert(
        fc.asyncProperty(
          deliveries.chain((list) =>
            fc.tuple(
              fc.constant(list),
              fc.shuffledSubarray(list, { minLength: list.length }),
              fc.array(happening, { minLength: list.length, maxLength: list.length }),
            ),
          ),
          async ([list, shuffled, happenings]) => {
            const under = await create();
            try {
              const positions = new Map<StreamName, number>();
              const gathered = new Map<StreamName, StreamRecords[StreamName][]>();
              let warehouse = await under.open();
              const land = async (): Promise<void> => {
                for (const [stream, records] of gathered) {
                  const from = positions.get(stream) ?? 0;
                  const batch = { stream, incarnation: 'i', from, to: from + records.length, records };
                  await warehouse.land(batch);
                  // Lands the same batch again, as after a crash between landing and commit.
                  await warehouse.land(batch);
                  positions.set(stream, batch.to);
                }
                gathered.clear();
              };
              /** Skips lost records up to a position. */
              const lose = async (stream: StreamName, to: number): Promise<void> => {
                const from = warehouse.landed({ stream, partition: 0 })?.position ?? 0;
                if (from < to) await warehouse.land({ stream, incarnation: 'i', from, to, records: [] });
                positions.set(stream, to);
              };
              const records = recordsOf(shuffled);
              for (let index = 0; index < records.length; index++) {
                const { stream, record } = records[index]!;
                gathered.set(stream, [...(gathered.get(stream) ?? []), record]);
                if (happenings[index] === 'lose') await lose(stream, (positions.get(stream) ?? 0) + 2);
                if (happenings[index] === 'land') await land();
                if (happenings[index] === 'merge due') await warehouse.merge('due');
                if (happenings[index] === 'merge all') await warehouse.merge('all');
                if (happenings[index] === 'open again') {
                  await warehouse.close();
                  warehouse = await under.open();
                  // The warehouse may have forgotten lost records after its last record. A restarted loader finds them lost again.
                  for (const [stream, to] of positions) await lose(stream, to);
                }
              }
              await land();
              await warehouse.merge('all');
              expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
              await warehouse.publish('now');
              await warehouse.close();
              const reader = await under.read();
              try {
                expect(ordered(await printedTables(reader))).toEqual(ordered(modelTables(list, { window: 0 })));
              } finally {
                await reader.close();
              }
            } finally {
              await under.remove();
            }
          },
        ),
        { numRuns: runs, plugins: [endsBeforeTestLimit()] },
      );
    });

    test('positions without records, because damage destroyed them, are landed and merged', async () => {
      const under = await create();
      try {
        const warehouse = await under.open();
        for (const stream of ['sleep', 'timeseries', 'unrouted'] as const)
          await warehouse.land({ stream, incarnation: 'i', from: 0, to: 2, records: [] });
        await warehouse.merge('all');
        expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
        await warehouse.publish('now');
        await warehouse.close();
      } finally {
        await under.remove();
      }
    });

    test('a restart after lost positions loses no record before or after them', async () => {
      const under = await create();
      try {
        const ofSamples = (delivery: TestDelivery): boolean => recordsOf([delivery])[0]!.stream === 'timeseries';
        const histories = fc.sample(deliveries, { numRuns: 50, seed: 1 }).map((list) => list.filter(ofSamples).slice(0, 2));
        const two = histories.find(({ length }) => length === 2)!;
        const [first, second] = recordsOf(two).map(({ record }) => record as StreamRecords['timeseries']);
        const batch = { stream: 'timeseries', incarnation: 'i' } as const;
        const before = await under.open();
        await before.land({ ...batch, from: 0, to: 1, records: [first!] });
        await before.land({ ...batch, from: 1, to: 3, records: [] });
        await before.close();
        const after = await under.open();
        const from = after.landed({ stream: 'timeseries', partition: 0 })!.position;
        expect(from).toBeOneOf([1, 3]);
        await after.land({ ...batch, from, to: 3, records: [] });
        await after.land({ ...batch, from: 3, to: 4, records: [second!] });
        await after.merge('all');
        await after.publish('now');
        await after.close();
        await using reader = await under.read();
        expect(ordered(await printedTables(reader))).toEqual(ordered(modelTables(two, { window: 0 })));
      } finally {
        await under.remove();
      }
    });
  });
  warehouseCases(name, create, landsApart);
}
