import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalLog } from '@aorta/connectors/log';
import { type EventHubsProcess, spawnEventHubs } from '@aorta/event-hubs-server';
import { consume, openRedeliveryWindow } from '@aorta/ingestion';
import { type Logger, silentLogger } from '@aorta/runtime';
import { EventHubConsumerClient, EventHubProducerClient, earliestEventPosition } from '@azure/event-hubs';
import { eventHubsSourceOptions } from '../../connectors/event-hubs/options.ts';
import { EventHubsSource, type EventHubsSourceOptions } from '../../connectors/event-hubs/source.ts';
import { activityEvent, summaryHeadersOf } from './events.ts';
import { type Figure, figure, type Spent, spent } from './measure.ts';
import { watched } from './watched.ts';

const HUB = 'events';
const PARTITIONS = 4;
const EVENTS = 20_000;
const WINDOW = 20_000;

/** Measures throughput and latency with the local Event Hubs server, which runs in a separate process. */
export async function eventHubs(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  try {
    return await receiving(rounds, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares the official client alone with the whole path from the hub to durable streams. Both read the same 1 KB summaries. */
async function receiving(rounds: number, folder: string): Promise<Figure[]> {
  const server = await spawnEventHubs({ hubs: [{ name: HUB, partitions: PARTITIONS }] });
  try {
    await fill(server);
    const bare: Spent[] = [];
    const whole: Spent[] = [];
    for (let round = -1; round < rounds; round++) {
      const alone = await receiveBare(server);
      const through = await receiveWhole(server, join(folder, `round-${round}`));
      // The first round is a warm-up.
      if (round < 0) continue;
      bare.push(alone);
      whole.push(through);
    }
    const rate = ({ wall }: Spent): number => (EVENTS * 1000) / wall;
    const windows: number[] = [];
    for (let round = 0; round < rounds; round++) windows.push(...(await rereadWindows(server, join(folder, 'round-0'))));
    return [
      figure('bare client of Event Hubs, summaries of 1 KB', 'events/s', bare.map(rate)),
      figure('Event Hubs → durable streams, the same', 'events/s', whole.map(rate)),
      figure(
        'Event Hubs → durable streams against the bare client',
        '×',
        whole.map((one, index) => bare[index]!.wall / one.wall),
        { target: '≥ 0.6', met: (ratio) => ratio >= 0.6 },
      ),
      figure(
        'the same, by how long a core is busy',
        '×',
        whole.map((one, index) => bare[index]!.cpu / one.cpu),
      ),
      figure(
        'Event Hubs → durable streams: a core for an event',
        'µs',
        whole.map(({ cpu }) => (cpu * 1000) / EVENTS),
      ),
      figure(`redelivery window read again, a partition of ${EVENTS / PARTITIONS} events, all at once`, 'ms', windows),
    ];
  } finally {
    await server.stop();
  }
}

/** Sends the same number of events to each partition. */
async function fill(server: EventHubsProcess): Promise<void> {
  const producer = new EventHubProducerClient(server.connectionString, HUB);
  for (let partition = 0; partition < PARTITIONS; partition++) {
    let batch = await producer.createBatch({ partitionId: String(partition) });
    for (let index = partition; index < EVENTS; index += PARTITIONS) {
      const event = { body: Buffer.from(JSON.stringify(activityEvent(index))), properties: summaryHeadersOf(index) };
      if (batch.tryAdd(event)) continue;
      await producer.sendBatch(batch);
      batch = await producer.createBatch({ partitionId: String(partition) });
      batch.tryAdd(event);
    }
    await producer.sendBatch(batch);
  }
  await producer.close();
}

/** Measures the time from the first event to the last, including JSON parsing by the client. Discards the events. */
async function receiveBare(server: EventHubsProcess): Promise<Spent> {
  const client = new EventHubConsumerClient('$Default', server.connectionString, HUB);
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let count = 0;
  const subscription = client.subscribe(
    {
      processEvents: async (events) => {
        if (count === 0) begun.resolve();
        count += events.length;
        if (count === EVENTS) ended.resolve();
      },
      processError: async (error) => ended.reject(error),
    },
    { startPosition: earliestEventPosition, maxBatchSize: 500, maxWaitTimeInSeconds: 1 },
  );
  await begun.promise;
  const took = await spent(() => ended.promise);
  await subscription.close();
  await client.close();
  return took;
}

function sourceOn(
  server: EventHubsProcess,
  folder: string,
  options: Pick<EventHubsSourceOptions, 'once' | 'logger'>,
): EventHubsSource {
  const settings = eventHubsSourceOptions.parse({ type: 'event-hubs', connection: server.connectionString, hubs: [HUB] });
  return new EventHubsSource({ settings, folder: join(folder, 'checkpoints'), window: WINDOW, ...options });
}

/** Measures the time from the first event to the commit of the last event. By then, all events are durable in the streams. */
async function receiveWhole(server: EventHubsProcess, folder: string): Promise<Spent> {
  const log = await openLocalLog({ folder: join(folder, 'streams') });
  const window = await openRedeliveryWindow({ log, folder });
  const { source, begun, committed } = watched(sourceOn(server, folder, { once: true }), EVENTS);
  const consumed = consume(source, log, { window });
  await begun;
  const took = await spent(() => Promise.race([committed, consumed]));
  const { tally } = await consumed;
  await log.close();
  if (tally.streams.activity !== EVENTS) throw new Error('the streams do not hold all events of the hub');
  return took;
}

/** Returns how many milliseconds each partition takes to reread its redelivery window. All events were read earlier. */
async function rereadWindows(server: EventHubsProcess, folder: string): Promise<number[]> {
  const taken: number[] = [];
  const stopping = new AbortController();
  const logger: Logger = {
    ...silentLogger,
    info: (event, fields) => {
      if (event !== 'redelivery window reread') return;
      if (taken.push(Number(fields!.ms)) === PARTITIONS) stopping.abort();
    },
  };
  const source = sourceOn(server, folder, { logger });
  for await (const { before } of source.batches(stopping.signal))
    if (before !== true) throw new Error('the checkpoints are not at the end');
  await source.close();
  return taken;
}
