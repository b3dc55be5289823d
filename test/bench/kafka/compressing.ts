import { topicOf } from '@aorta/connectors/kafka/streams';
import { type Figure, figure } from '../measure.ts';
import type { Asked } from './asked.ts';
import type { Cluster } from './cluster.ts';
import type { OurWorks } from './ours.process.ts';
import { PARTITIONS, WRITTEN } from './summaries.ts';
import { put, Turns } from './turns.ts';

const COMPRESSIONS = ['none', 'lz4', 'zstd', 'snappy'] as const;

/** Compares compression codecs by the CPU time of appending records to streams on Kafka, and by their size on disk. */
export async function compressing(rounds: number, cluster: Cluster, ours: Asked<OurWorks>): Promise<Figure[]> {
  const turns = new Turns(cluster.broker);
  const bytes = new Map<string, number[]>();
  const streams = await cluster.streams(PARTITIONS);
  const topic = topicOf(streams, 'activity');
  for (let round = -1; round < rounds; round++) {
    for (const compression of COMPRESSIONS) {
      const before = cluster.broker.bytes(topic);
      const written = { streams: { ...streams, compression }, events: WRITTEN };
      await turns.take(round, compression, () => ours.ask('append', written));
      const after = cluster.broker.bytes(topic);
      if (round >= 0 && before !== undefined && after !== undefined) put(bytes, compression, (after - before) / WRITTEN);
    }
  }
  return COMPRESSIONS.flatMap((compression) => [
    turns.rates(compression, WRITTEN, `records → topics of the streams, ${compression}`),
    turns.cores(compression, WRITTEN, `records → topics of the streams, ${compression}`),
    ...turns.broker(compression, WRITTEN, `records → topics of the streams, ${compression}`),
    ...(bytes.has(compression)
      ? [figure(`records → topics of the streams, ${compression}: on disk for a record`, 'bytes', bytes.get(compression)!)]
      : []),
  ]);
}
