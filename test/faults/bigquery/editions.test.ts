import { type BigQueryControl, type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { openBigQueryReader } from '@aorta/connectors/bigquery/module';
import { createMetrics } from '@aorta/runtime/prometheus';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bigQueryMetrics } from '../../../connectors/bigquery/metrics.ts';
import { attempt, carryOn, heldAt, landUpTo, newDataset, openAt, settingsOf, type Where, wanted } from './place.ts';

/** In a reservation (BigQuery Editions), BigQuery charges for slot time instead of bytes, and a dry run does not predict the slot time. */

const problem = await whyNoBigQuery({ own: true });

/** The local server bills 40 MiB for the merge of one batch, so the merge takes one slot hour: 40 × 90 s. */
const SLOT_MS_PER_MIB = 90_000;
const PRICE = 0.06;

describe.skipIf(problem !== undefined)(`costs in a reservation${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let control: BigQueryControl;
  beforeAll(async () => {
    provided = await provideBigQuery({ own: true });
    control = provided.control!;
  });
  beforeEach(() => control.reservation(SLOT_MS_PER_MIB));
  afterAll(() => provided?.stop());

  async function costs(where: Where) {
    const reader = await openBigQueryReader(settingsOf(where));
    try {
      return (await reader.costs!(1)).days[0]!;
    } finally {
      await reader.close();
    }
  }

  test('the warehouse records slot time and its cost for each table', async () => {
    const where = await newDataset(provided);
    const metrics = createMetrics({ catalogue: bigQueryMetrics });
    const warehouse = await openAt(where, { metrics, price_per_slot_hour: PRICE });
    await carryOn(warehouse, 1);
    const text = await metrics.text();
    await warehouse.close();
    const day = await costs(where);
    const body = day.tables.find(({ table }) => table === 'body')!;
    // The merge reads the target, the landing table, the fence and the suppression list. The note of changed days reads three of them
    // again. Each table counts as 10 MiB.
    expect(body).toMatchObject({ billedBytes: 0, slotHours: 1.75, cost: 1.75 * PRICE });
    expect(day.cost).toBeCloseTo(day.slotHours * PRICE, 9);
    expect(text).toMatch(/aorta_warehouse_slot_seconds_total\{table="body"\} 6300/);
    expect(Number(/^aorta_warehouse_day_cost (\S+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(2 * PRICE);
  });

  test('after a restart, the daily cap still defers merges based on the slot time of earlier merges, and landing continues', async () => {
    const where = await newDataset(provided);
    // The first attempt measures the slot time: two merges of one hour each.
    expect(await attempt(where, 1, { price_per_slot_hour: PRICE, worker: 'before' })).toBe('done');
    // This cap leaves half a slot hour: too little for two more merges, but enough for the control tables.
    const spent = (await costs(where)).cost;
    const capped = { price_per_slot_hour: PRICE, worker: 'after', most_per_day: spent + PRICE / 2 };
    expect(await attempt(where, 2, capped)).toBe('AORTA-BIGQUERY-CAP');
    expect((await heldAt(where)).deliveries).toBe(wanted(1).deliveries);
    const warehouse = await openAt(where, capped);
    await landUpTo(warehouse, 3);
    expect(warehouse.backlog().batches).toBe(2);
    await warehouse.close();
    expect(await attempt(where, 3, { ...capped, most_per_day: spent + 10 * PRICE })).toBe('done');
    expect(await heldAt(where)).toEqual(wanted(3));
  });
});
