import type { WaitingMerge, Warehouse, WarehouseReader } from '@aorta/connectors';
import type { StreamRecords } from '@aorta/schemas';
import { describe, expect, test } from 'vitest';
import { recordsOf } from './records.ts';
import type { WarehouseUnderTest } from './warehouse-under-test.ts';

const RECEIVED = Date.UTC(2026, 2, 28, 12);
let offset = 0;

/** Returns heart rate samples, one per event, dated `daysBefore` days before their receipt. */
export function samples(count: number, daysBefore: number): StreamRecords['timeseries'][] {
  const list = Array.from({ length: count }, () => {
    offset++;
    const timestamp = new Date(RECEIVED - daysBefore * 86_400_000 + offset * 1000).toISOString();
    const data = { user_id: 'u', source: { provider: 'oura', type: 'ring' }, data: [{ timestamp, unit: 'bpm', value: 60 }] };
    const event_type = 'daily.data.heartrate.created';
    const headers = { 'event-type': event_type, 'user-id': 'u' };
    const body = { event_type, team_id: 'team', user_id: 'u', data };
    return { source: 'hub', partition: 0, offset, receivedAt: RECEIVED + offset, headers, body };
  });
  return recordsOf(list).map(({ record }) => record as StreamRecords['timeseries']);
}

const short = ({ table, range, rows, batches, landedAt, dueAt }: WaitingMerge) => [table, range, rows, batches, dueAt - landedAt];

/**
 * Tests that a warehouse and its reader report waiting merges. `create` sets `old_rows: 6`. `oldAfterMs` is `old_after_s` in
 * milliseconds.
 */
export function waitingMergesConformance(name: string, create: () => Promise<WarehouseUnderTest>, oldAfterMs: number): void {
  describe(`${name}: waiting merges`, () => {
    test('waitingMerges() lists unmerged rows by table and date range, with the time at which their merge is due', async () => {
      const under = await create();
      let warehouse: Warehouse | undefined;
      let reader: WarehouseReader | undefined;
      let from = 0;
      const land = async (records: StreamRecords['timeseries'][]): Promise<void> => {
        await warehouse!.land({ stream: 'timeseries', incarnation: 'i', from, to: from + records.length, records });
        from += records.length;
      };
      try {
        warehouse = await under.open();
        expect(warehouse.waitingMerges()).toEqual([]);
        await land([...samples(2, 0), ...samples(3, 30)]);
        const waiting = warehouse.waitingMerges().map(short);
        expect(waiting).toContainEqual(['timeseries', 'old', 3, 1, oldAfterMs]);
        expect(waiting.map(([table, range, rows]) => `${table} ${range} ${rows}`).sort()).toEqual([
          'deliveries recent 5',
          'timeseries old 3',
          'timeseries recent 2',
        ]);
        // With three more rows, the count reaches `old_rows`, so the merge is due immediately.
        await land(samples(3, 30));
        expect(warehouse.waitingMerges().map(short)).toContainEqual(['timeseries', 'old', 6, 2, 0]);

        // The next process and a reader report the same waiting merges.
        await warehouse.close();
        warehouse = await under.open();
        const left = warehouse.waitingMerges();
        expect(left.map(short)).toContainEqual(['timeseries', 'old', 6, 2, 0]);
        await warehouse.publish('now');
        await warehouse.close();
        reader = await under.read();
        expect((await reader.waitingMerges()).map(short)).toEqual(left.map(short));
        await reader.close();

        warehouse = await under.open();
        await warehouse.merge('all');
        await warehouse.settled?.();
        expect(warehouse.waitingMerges()).toEqual([]);
        await warehouse.publish('now');
        await warehouse.close();
        warehouse = undefined;
        reader = await under.read();
        expect(await reader.waitingMerges()).toEqual([]);
      } finally {
        await warehouse?.close();
        await reader?.close();
        await under.remove();
      }
    });
  });
}
