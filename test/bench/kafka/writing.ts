import { rmSync } from 'node:fs';
import { type Figure, figure } from '../measure.ts';
import type { Asked } from './asked.ts';
import type { BareWorks } from './bare.process.ts';
import type { Cluster } from './cluster.ts';
import type { OurWorks } from './ours.process.ts';
import { PARTITIONS, READ, WRITTEN } from './summaries.ts';
import { Turns } from './turns.ts';

const IN_FLIGHT = [1, 2, 4];

/**
 * Measures how fast kafkajs alone and the adapter alone write to topics. Also measures the whole path, which reads summaries
 * from a topic and writes them to streams on Kafka.
 */
export async function writing(
  rounds: number,
  cluster: Cluster,
  bare: Asked<BareWorks>,
  ours: Asked<OurWorks>,
): Promise<Figure[]> {
  const turns = new Turns(cluster.broker);
  const streams = await cluster.streams(PARTITIONS);
  const topic = await cluster.made('written');
  const { brokers } = cluster;
  const written = { brokers, topic, events: WRITTEN };
  const { compression } = streams;
  if (compression !== 'zstd' && compression !== 'none') throw new Error('the bare producer has no such compression');
  for (let round = -1; round < rounds; round++) {
    await turns.take(round, 'plain', () => bare.ask('produce', { ...written, payload: 'summaries', compression: 'none' }));
    for (const inFlight of IN_FLIGHT)
      await turns.take(round, `adapter ${inFlight}`, () => ours.ask('adapterProduce', { ...written, inFlight }));
    await turns.take(round, 'bare', () => bare.ask('produce', { ...written, payload: 'summaries', compression }));
    await turns.take(round, 'records', () => bare.ask('produce', { ...written, payload: 'records', compression }));
    const folder = cluster.freshFolder('topics');
    await turns.take(round, 'topics', () => ours.ask('topics', { ...cluster.read(), folder, streams }));
    rmSync(folder, { recursive: true, force: true });
  }
  const bareRate = (name: string): readonly number[] => turns.list(name).map(({ wall }) => WRITTEN / wall);
  const against = (name: string): number[] => turns.list('topics').map(({ wall }, round) => READ / wall / bareRate(name)[round]!);
  return [
    turns.rates('plain', WRITTEN, 'bare producer of Kafka (kafkajs), idempotent, summaries of 1 KB, uncompressed'),
    ...IN_FLIGHT.flatMap((inFlight) => [
      turns.rates(`adapter ${inFlight}`, WRITTEN, `Kafka client writes the same, ${inFlight} in flight`),
      turns.ratio(`adapter ${inFlight}`, 'plain', `Kafka client against the bare producer, ${inFlight} in flight`),
    ]),
    turns.rates('bare', WRITTEN, `bare producer, summaries of 1 KB, ${compression}`),
    ...turns.broker('bare', WRITTEN, 'bare producer'),
    turns.rates('records', WRITTEN, `bare producer, the streams' own records, ${compression}`),
    turns.rates('topics', READ, `Kafka → durable streams on Kafka, ${compression}`),
    turns.cores('topics', READ, 'Kafka → durable streams on Kafka'),
    ...turns.broker('topics', READ, 'Kafka → durable streams on Kafka'),
    figure('Kafka → durable streams on Kafka against the bare producer of summaries', '×', against('bare'), {
      target: '≥ 0.5',
      met: (ratio) => ratio >= 0.5,
    }),
    figure("the same against the bare producer of the streams' records", '×', against('records')),
  ];
}
