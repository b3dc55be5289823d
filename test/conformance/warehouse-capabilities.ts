import type { Warehouse, WarehouseReader } from '@aorta/connectors';
import { describe, expect, test } from 'vitest';
import { samples } from './waiting-merges.ts';
import type { WarehouseUnderTest } from './warehouse-under-test.ts';

/** The warehouse does not do this, and why. */
interface Lack {
  readonly lacks: string;
}

/** What a warehouse may do without. The type demands an answer to each, so that no suite is forgotten. */
export interface Capabilities {
  /** A landed batch waits for its merge: landing is cheap, and a merge takes many batches. */
  readonly landsApart: true | Lack;
  /** Samples of old dates wait longer, until six of them are landed (`old_rows: 6`) or after `afterMs`. */
  readonly gathersOldDates: { create(): Promise<WarehouseUnderTest>; readonly afterMs: number } | Lack;
  /** It has the views of historical pulls, which `aorta pulls` reads. */
  readonly showsPulls: { create(): Promise<WarehouseUnderTest> } | Lack;
}

export const isLack = (capability: true | object): capability is Lack => typeof capability === 'object' && 'lacks' in capability;

/** What proves that a warehouse does without. Three samples of old dates were landed. */
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

/** Names what the warehouse lacks, and why, and tests that it does without. */
export function lackConformance(name: string, create: () => Promise<WarehouseUnderTest>, capabilities: Capabilities): void {
  const names = Object.keys(proofs) as (keyof Capabilities)[];
  const lacking = names.flatMap((capability) => {
    const declared = capabilities[capability];
    return isLack(declared) ? [{ capability, why: declared.lacks }] : [];
  });
  if (lacking.length === 0) return;
  describe(`${name}: what it lacks`, () => {
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
