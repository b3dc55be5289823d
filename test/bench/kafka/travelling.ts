import { join } from 'node:path';
import { openKafka } from '@aorta/connectors/kafka/client';
import { configurationSchema } from 'aorta/internals';
import { kafkaSourceOptions } from '../../../connectors/kafka/source/options.ts';
import { KafkaSource } from '../../../connectors/kafka/source/source.ts';
import { percentiles, travelTimes } from '../latency.ts';
import type { Figure } from '../measure.ts';
import { type Cluster, program } from './cluster.ts';

const RATE = 1000;
const SENDING_S = 15;
const WARM_UP_S = 3;

/** Measures the latency from the call that sends a summary to the commit of its merge. The streams are on Kafka. */
export async function travelling(cluster: Cluster): Promise<Figure[]> {
  const topic = await cluster.made('travelling');
  const home = cluster.freshFolder('home');
  const configuration = configurationSchema.parse({ streams: await cluster.streams(1) });
  const settings = kafkaSourceOptions.parse({ type: 'kafka', brokers: cluster.brokers, topics: [topic], consumer_group: topic });
  const total = RATE * SENDING_S;
  const times = await travelTimes({
    setting: { configuration, place: { streams: join(home, 'streams'), warehouse: join(home, 'warehouse.duckdb') } },
    open: () => new KafkaSource({ settings, open: openKafka, window: 20_000 }),
    sender: [program('sending'), [cluster.brokers[0]!, topic, `${RATE}`, `${total}`]],
    total,
    warmUp: RATE * WARM_UP_S,
  });
  return percentiles(
    `Kafka producer → merged into its table at ${RATE.toLocaleString('en-US')} events/s, streams on Kafka`,
    times,
  );
}
