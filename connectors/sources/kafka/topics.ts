import { KafkaError } from '../../kafka-client/errors.ts';
import type { KafkaAdmin, LogBounds } from '../../kafka-client/index.ts';
import { type KafkaSettings, topicsOf } from './options.ts';

/** A topic that a source reads, and what its partitions hold now, by number. */
export interface TopicContent {
  readonly topic: string;
  readonly partitions: readonly LogBounds[];
}

/**
 * The topics of a source as the cluster has them now, in alphabetical order. Rejects with AORTA-KAFKA-TOPIC-MISSING where one
 * that is named is not there, and as the client does.
 */
export async function contentOf(admin: KafkaAdmin, settings: KafkaSettings): Promise<readonly TopicContent[]> {
  const present = await admin.topics();
  const wanted = topicsOf(settings);
  for (const topic of wanted) {
    if (typeof topic === 'string' && !present.includes(topic)) throw new KafkaError('AORTA-KAFKA-TOPIC-MISSING', { topic });
  }
  const read = present.filter((name) => wanted.some((one) => (typeof one === 'string' ? one === name : one.test(name))));
  return Promise.all(read.map(async (topic) => ({ topic, partitions: await admin.bounds(topic) })));
}
