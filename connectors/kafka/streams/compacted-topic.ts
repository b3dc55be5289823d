import { randomUUID } from 'node:crypto';
import type { KafkaClient, KafkaRecord } from '../client/client.ts';
import { TopicError } from './errors.ts';

export interface CompactedPartition {
  readonly client: KafkaClient;
  readonly topic: string;
  readonly partition: number;
  /** Prefix of the consumer group that reads the topic. */
  readonly prefix: string;
  /** Maximum milliseconds without records, including the time for creating the consumer group. */
  readonly silentMs: number;
}

/**
 * Reads a partition of a compacted topic from an offset to the end that it has now, and returns this end. Rejects with
 * AORTA-STREAM-SILENT if no records arrive.
 */
export async function readToEnd(
  { client, topic, partition, prefix, silentMs }: CompactedPartition,
  from: number,
  take: (record: KafkaRecord) => void,
): Promise<number> {
  const { low, end } = (await client.admin.bounds(topic))[partition] ?? { low: 0, end: 0 };
  const start = Math.max(from, low);
  if (start >= end) return from;
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {});
  using silence = setTimeout(
    () => done.reject(new TopicError('AORTA-STREAM-SILENT', { topic, seconds: silentMs / 1000 })),
    silentMs,
  );
  let reached = start;
  await using _consumer = await client.consume({
    // Use a new consumer group, so that all partitions are assigned to this reader.
    group: `${prefix}_look.${randomUUID()}`,
    topics: [topic],
    onAssigned: (assigned) => (assigned.partition === partition ? Math.max(start, assigned.low) : assigned.end),
    onBatch: (of, { records, next }) => {
      if (of.partition !== partition) return;
      silence.refresh();
      for (const record of records) take(record);
      reached = Math.max(reached, next);
      if (next >= end) done.resolve();
    },
    onFailure: (error) => done.reject(error),
  });
  await done.promise;
  return reached;
}
