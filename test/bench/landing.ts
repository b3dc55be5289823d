import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { type Receipt, readEvent, type StreamRecords } from '@aorta/schemas';
import { heartRateEvent, receivedAt, SAMPLES } from './events.ts';
import { type Figure, figure, type Spent, spent } from './measure.ts';
import { stage } from './stage.ts';

const EVENTS = 5000;
const THOUSAND = 1000;

/** Returns the receipt of event `index`, with a body of this many bytes. */
export const receiptOf = (index: number, body_bytes: number): Receipt => ({
  source: 'hub',
  partition: '0',
  offset: index,
  received_at: receivedAt(index) * 1000,
  delivery_id: `delivery-${index}`,
  header_facts: 3,
  body_bytes,
  body_crc32: index,
  arrived_at: null,
});

export function recordOf(index: number, daysBack = 0): StreamRecords['timeseries'] {
  const event = heartRateEvent(index, daysBack);
  const reading = readEvent('timeseries', 'daily.data.heartrate.created', event, receiptOf(index, 11_000));
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record;
}

/** Measures landing and merging: batches of 5,000 events with 100 samples each, into a growing table. */
export async function landing(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const warehouse = await openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path: join(folder, 'warehouse.duckdb') }),
    privacy: privacyOptions.parse({}),
  });
  const land: Spent[] = [];
  const merge: Spent[] = [];
  let publish: Spent;
  try {
    for (let round = -1; round < rounds; round++) {
      const from = (round + 1) * EVENTS;
      const records = Array.from({ length: EVENTS }, (_, index) => recordOf(from + index));
      const landed = await spent(() =>
        warehouse.land({ stream: 'timeseries', incarnation: 'bench', from, to: from + EVENTS, records }),
      );
      const merged = await spent(async () => {
        await warehouse.merge('due');
        await warehouse.settled?.();
      });
      if (round < 0) continue;
      land.push(landed);
      merge.push(merged);
    }
    publish = await spent(() => warehouse.publish('now'));
  } finally {
    await warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const rate = (milliseconds: number): number => (EVENTS * SAMPLES * THOUSAND) / milliseconds;
  return [
    ...stage('landing', land, EVENTS),
    ...stage('merging, deliveries included', merge, EVENTS),
    figure(
      'landing and merging',
      'samples/s',
      land.map(({ wall }, index) => rate(wall + merge[index]!.wall)),
      { target: '≥ 600,000', met: (value) => value >= 600_000 },
    ),
    figure(`publishing ${(rounds + 1) * EVENTS * SAMPLES} rows`, 'ms', [publish.wall]),
  ];
}
