import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamLog } from '@aorta/connectors';
import { openKafka } from '@aorta/connectors/kafka/client';
import { type KafkaStreamsSettings, openKafkaStreams } from '@aorta/connectors/kafka/streams';
import { openLocalLog } from '@aorta/connectors/log';
import { consume, openRedeliveryWindow } from '@aorta/ingestion';
import { type KafkaSettings, kafkaSourceOptions } from '../../../connectors/kafka/source/options.ts';
import { KafkaSource } from '../../../connectors/kafka/source/source.ts';
import { type Spent, spent } from '../measure.ts';
import { watched } from '../watched.ts';
import { SETTLING_MS, type TopicToRead } from './summaries.ts';

export type IntoFolder = TopicToRead & { readonly folder: string };
export type IntoTopics = IntoFolder & { readonly streams: KafkaStreamsSettings };

/** Default size of the redelivery window, in offsets. */
export const WINDOW = 20_000;

export function sourceSettings({ brokers, topic, group }: Omit<TopicToRead, 'events'>): KafkaSettings {
  return kafkaSourceOptions.parse({ type: 'kafka', brokers, topics: [topic], consumer_group: group });
}

export const openTopics = (settings: KafkaStreamsSettings): Promise<StreamLog> =>
  openKafkaStreams({ settings, clientId: 'bench', append: true });

/** Measures the time from the first batch until all batches are durable and committed. Uses a redelivery window. */
async function drained(log: StreamLog, folder: string, reading: TopicToRead): Promise<Spent> {
  mkdirSync(folder, { recursive: true });
  const window = await openRedeliveryWindow({ log, folder });
  const settings = sourceSettings(reading);
  const { source, begun, committed } = watched(
    new KafkaSource({ settings, open: openKafka, window: WINDOW, once: true }),
    reading.events,
  );
  const consumed = consume(source, log, { window });
  await Promise.race([begun, consumed]);
  const took = await spent(() => Promise.race([committed, consumed]));
  const { tally } = await consumed;
  await log.close();
  if (tally.streams.activity !== reading.events) throw new Error('the streams do not hold all records of the topic');
  return took;
}

export async function local({ folder, ...reading }: IntoFolder): Promise<Spent> {
  return await drained(await openLocalLog({ folder: join(folder, 'streams') }), folder, reading);
}

export async function topics({ folder, streams, ...reading }: IntoTopics): Promise<Spent> {
  return await drained(await openTopics(streams), folder, reading);
}

/** Returns the CPU usage of an idle consumer with local streams, as a fraction of one core. */
export async function idle({ folder, seconds, ...reading }: Omit<IntoFolder, 'events'> & { seconds: number }): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const log = await openLocalLog({ folder: join(folder, 'streams') });
  const window = await openRedeliveryWindow({ log, folder });
  const source = new KafkaSource({ settings: sourceSettings(reading), open: openKafka, window: WINDOW });
  const stop = new AbortController();
  const consumed = consume(source, log, { window, signal: stop.signal });
  await sleep(SETTLING_MS);
  if (source.partitions.length === 0) throw new Error('the consumer has not joined the group');
  const { wall, cpu } = await spent(() => sleep(seconds * 1000));
  stop.abort();
  await consumed;
  await log.close();
  return cpu / wall;
}
