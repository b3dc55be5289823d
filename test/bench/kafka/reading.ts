import { rmSync } from 'node:fs';
import type { Figure } from '../measure.ts';
import type { Asked } from './asked.ts';
import type { BareWorks } from './bare.process.ts';
import type { Cluster } from './cluster.ts';
import type { OurWorks } from './ours.process.ts';
import { READ } from './summaries.ts';
import { Turns } from './turns.ts';

/** Measures how fast a topic of summaries is read: by kafkajs alone, by the adapter alone, and into local streams. */
export async function reading(
  rounds: number,
  cluster: Cluster,
  bare: Asked<BareWorks>,
  ours: Asked<OurWorks>,
): Promise<Figure[]> {
  const turns = new Turns(cluster.broker);
  for (let round = -1; round < rounds; round++) {
    await turns.take(round, 'bare', () => bare.ask('consume', cluster.read()));
    await turns.take(round, 'adapter', () => ours.ask('adapterConsume', cluster.read()));
    const folder = cluster.freshFolder('local');
    await turns.take(round, 'local', () => ours.ask('local', { ...cluster.read(), folder }));
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    turns.rates('bare', READ, 'bare consumer of Kafka (kafkajs), summaries of 1 KB'),
    turns.cores('bare', READ, 'bare consumer of Kafka'),
    ...turns.broker('bare', READ, 'bare consumer of Kafka'),
    turns.rates('adapter', READ, 'Kafka client, the same'),
    turns.ratio('adapter', 'bare', 'Kafka client against the bare consumer'),
    turns.rates('local', READ, 'Kafka → durable local streams, the same'),
    turns.cores('local', READ, 'Kafka → durable local streams'),
    turns.ratio('local', 'bare', 'Kafka → durable local streams against the bare consumer', 0.25),
    turns.ratioOfCores('local', 'bare', 'the same, by how long a core is busy'),
  ];
}
