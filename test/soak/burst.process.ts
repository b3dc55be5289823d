import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { privacyOptions, type Warehouse } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { openLocalLog } from '@aorta/connectors/log';
import { consume, openRedeliveryWindow } from '@aorta/ingestion';
import { startLoader } from '@aorta/loading';
import { eventHubsSourceOptions } from '../../connectors/event-hubs/options.ts';
import { EventHubsSource } from '../../connectors/event-hubs/source.ts';

/*
 * `node burst.process.ts CONNECTION HUB MEMORY` runs the pipeline of `aorta run` with a warehouse that takes a second per batch.
 * It reads all events in the hub. Then it prints the number of deliveries, the duration in seconds, and the memory use of the
 * process in mebibytes, as a line of JSON. Memory use is measured before the run, and as a peak in each half.
 */

const [connection, hub, memory] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'aorta-burst-'));
const log = await openLocalLog({ folder: join(folder, 'streams') });
const settings = duckDbOptions.parse({ type: 'duckdb', path: join(folder, 'health.duckdb'), memory });
const warehouse = await openDuckDbWarehouse({ ...settings, privacy: privacyOptions.parse({}) });

const slow: Warehouse = {
  landed: (of) => warehouse.landed(of),
  land: async (batch) => {
    await sleep(1000);
    await warehouse.land(batch);
  },
  merge: (extent) => warehouse.merge(extent),
  publish: (pace) => warehouse.publish(pace),
  erase: (user) => warehouse.erase(user),
  rows: () => warehouse.rows(),
  backlog: () => warehouse.backlog(),
  waitingMerges: () => warehouse.waitingMerges(),
  close: () => warehouse.close(),
};
const loader = startLoader({ log, warehouse: slow });
log.onDurable(() => loader.wake());

const mebibytes = (): number => Math.round(process.memoryUsage.rss() / 1024 / 1024);
const samples: number[] = [];
const sampling = setInterval(() => samples.push(mebibytes()), 250);

const source = new EventHubsSource({
  settings: eventHubsSourceOptions.parse({ type: 'event-hubs', connection, hubs: [hub] }),
  folder: join(folder, 'checkpoints'),
  window: 20_000,
  once: true,
});
const window = await openRedeliveryWindow({ log, folder: join(folder, 'streams') });
const before = mebibytes();
const begun = performance.now();
const { tally, error } = await consume(source, log, { window, ready: () => loader.ready() });
const seconds = Math.round((performance.now() - begun) / 1000);
clearInterval(sampling);
const half = Math.ceil(samples.length / 2);
const most = (some: readonly number[]): number => Math.max(before, ...some);
const figures = {
  received: tally.received,
  seconds,
  before,
  first: most(samples.slice(0, half)),
  second: most(samples.slice(half)),
};
process.stdout.write(`${JSON.stringify({ ...figures, failed: error !== undefined })}\n`);
await loader.stop();
await warehouse.close();
await log.close();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
