import type { KafkaAdmin, LogBounds } from '../../kafka-client/client.ts';
import { KafkaError } from '../../kafka-client/errors.ts';
import { type KafkaSettings, topicsOf } from './options.ts';

/** A topic that a source reads, and the bounds of its partitions, by partition number. */
export interface TopicContent {
  readonly topic: string;
  readonly partitions: readonly LogBounds[];
}

/**
 * Returns the current topics of a source in alphabetical order. Rejects with AORTA-KAFKA-TOPIC-MISSING if a named topic
 * does not exist, or with the client's error.
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
