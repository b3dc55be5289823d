import type { Warehouse, WarehouseReader } from '@aorta/connectors';
import { describe, expect, test } from 'vitest';
import { samples } from './waiting-merges.ts';
import type { WarehouseUnderTest } from './warehouse-under-test.ts';

/** Declares that a warehouse lacks a capability, with the reason. */
interface Lack {
  readonly lacks: string;
}

/** The optional capabilities of a warehouse. The type requires all of them, so that no suite is forgotten. */
export interface Capabilities {
  /** Landed batches wait for their merge, because landing is cheap and one merge covers many batches. */
  readonly landsApart: true | Lack;
  /** Samples with old dates are merged later: as soon as six have been landed (`old_rows: 6`), or after `afterMs`. */
  readonly gathersOldDates: { create(): Promise<WarehouseUnderTest>; readonly afterMs: number } | Lack;
  /** The warehouse has the views of historical pulls that `aorta pulls` reads. */
  readonly showsPulls: { create(): Promise<WarehouseUnderTest> } | Lack;
}

export const isLack = (capability: true | object): capability is Lack => typeof capability === 'object' && 'lacks' in capability;

/** Proves that a warehouse lacks a capability, after three samples with old dates have been landed. */
interface Proof {
  writing?(warehouse: Warehouse): Promise<void>;
  reading?(reader: WarehouseReader): Promise<void>;
}

const proofs: Readonly<Record<keyof Capabilities, Proof>> = {
  landsApart: {
    writing: async (warehouse) => {
      expect(warehouse.backlog()).toEqual({ batches: 0, records: 0 });
      expect(await warehouse.rows()).toMatchObject({ timeseries: 3, deliveries: 3 });
    },
  },
  gathersOldDates: {
    writing: async (warehouse) => {
      await warehouse.merge('due');
      await warehouse.settled?.();
      expect(warehouse.waitingMerges().filter(({ range }) => range === 'old')).toEqual([]);
    },
  },
  showsPulls: {
    reading: async (reader) => {
      const refused = expect(reader.query('SELECT * FROM historical_pull_board')).rejects;
      await refused.toMatchObject({ code: 'AORTA-QUERY-FAILED' });
    },
  },
};

/** Adds a test for each capability that the warehouse lacks. The test's name contains the reason. */
export function lackConformance(name: string, create: () => Promise<WarehouseUnderTest>, capabilities: Capabilities): void {
  const names = Object.keys(proofs) as (keyof Capabilities)[];
  const lacking = names.flatMap((capability) => {
    const declared = capabilities[capability];
    return isLack(declared) ? [{ capability, why: declared.lacks }] : [];
  });
  if (lacking.length === 0) return;
  describe(`${name}: missing capabilities`, () => {
    for (const { capability, why } of lacking)
      test(`${capability}: ${why}`, async () => {
        const under = await create();
        try {
          const warehouse = await under.open();
          await warehouse.land({ stream: 'timeseries', incarnation: 'i', from: 0, to: 3, records: samples(3, 30) });
          await proofs[capability].writing?.(warehouse);
          await warehouse.publish('now');
          await warehouse.close();
          await using reader = await under.read();
          await proofs[capability].reading?.(reader);
        } finally {
          await under.remove();
        }
      });
  });
}
