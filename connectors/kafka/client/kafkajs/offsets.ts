import type { Committed, LogBounds, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import type { Broker, Cluster } from './internals.ts';

/**
 * Isolation levels of requests. With READ_UNCOMMITTED, the last offset is the end of the log. With READ_COMMITTED, it is the last
 * stable offset.
 */
const READ_UNCOMMITTED = 0;

const READ_COMMITTED = 1;
const LATEST = '-1';
const EARLIEST = '-2';

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

export function byTopic(partitions: readonly TopicPartition[]): Record<string, number[]> {
  const topics: Record<string, number[]> = {};
  for (const { topic, partition } of partitions) {
    topics[topic] ??= [];
    topics[topic].push(partition);
  }
  return topics;
}

/** Converts an offset from the library (a decimal string) to a number. Throws AORTA-KAFKA-OFFSET if it is not a safe integer. */
export function wholeNumber(offset: string, topic: string, partition: number): number {
  const number = Number(offset);
  if (Number.isSafeInteger(number)) return number;
  throw new KafkaError('AORTA-KAFKA-OFFSET', { topic, partition });
}

/** Returns each partition's bounds, keyed by {@link nameOf}. The cluster must already know the topics. */
export async function fetchBounds(cluster: Cluster, partitions: readonly TopicPartition[]): Promise<Map<string, LogBounds>> {
  const [lows, ends] = await Promise.all([
    fetchOffsets(cluster, partitions, EARLIEST),
    fetchOffsets(cluster, partitions, LATEST),
  ]);
  // Ask after the ends are known. Otherwise, records that arrive meanwhile would look like an open transaction.
  const stables = await fetchOffsets(cluster, partitions, LATEST, READ_COMMITTED);
  const bounds = new Map<string, LogBounds>();
  for (const [name, low] of lows) {
    const end = ends.get(name);
    const stable = stables.get(name);
    if (end !== undefined && stable !== undefined) bounds.set(name, { low, stable: Math.min(stable, end), end });
  }
  return bounds;
}

/**
 * Returns, for each partition, the offset of the first record with a timestamp at or after `time`, keyed by {@link nameOf}. If a
 * partition has no such record, its end offset is returned.
 */
export async function fetchOffsetsSince(
  cluster: Cluster,
  partitions: readonly TopicPartition[],
  time: number,
): Promise<Map<string, number>> {
  // Read the ends first, so that a record that arrives meanwhile is not skipped.
  const ends = await fetchOffsets(cluster, partitions, LATEST);
  const found = await fetchOffsets(cluster, partitions, String(Math.max(0, Math.floor(time))));
  return new Map([...ends].map(([name, end]) => [name, (found.get(name) ?? -1) < 0 ? end : found.get(name)!]));
}

async function fetchOffsets(
  cluster: Cluster,
  partitions: readonly TopicPartition[],
  timestamp: string,
  isolationLevel = READ_UNCOMMITTED,
): Promise<Map<string, number>> {
  const offsets = new Map<string, number>();
  const ask = async ([nodeId, topics]: [string, Record<string, number[]>]): Promise<void> => {
    const broker = await cluster.findBroker({ nodeId });
    const asked = Object.entries(topics).map(([topic, numbers]) => ({
      topic,
      partitions: numbers.map((partition) => ({ partition, timestamp })),
    }));
    const { responses } = await broker.listOffsets({ isolationLevel, topics: asked });
    for (const answer of responses) {
      for (const { partition, offset } of answer.partitions) {
        offsets.set(nameOf({ topic: answer.topic, partition }), wholeNumber(offset, answer.topic, partition));
      }
    }
  };
  await Promise.all([...byLeader(cluster, partitions)].map(ask));
  return offsets;
}

/** Returns the timestamp of the first record at or after an offset, even if its transaction is open. */
export async function fetchTimestamp(
  cluster: Cluster,
  { topic, partition }: TopicPartition,
  offset: number,
): Promise<number | undefined> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (nodeId === undefined) return undefined;
  const broker = await cluster.findBroker({ nodeId });
  // A broker returns at least one record batch, even if it is larger than the limit.
  const wanted = { partition, fetchOffset: String(offset), maxBytes: 1 };
  const limits = { maxWaitTime: 0, minBytes: 0, maxBytes: 1 };
  const topics = [{ topic, partitions: [wanted] }];
  const { responses } = await broker.fetch({ ...limits, isolationLevel: READ_UNCOMMITTED, topics });
  const messages = responses.flatMap(({ partitions }) => partitions.flatMap((fetched) => fetched.messages));
  const first = messages.find((message) => Number(message.offset) >= offset);
  return first === undefined ? undefined : Number(first.timestamp);
}

function byLeader(cluster: Cluster, partitions: readonly TopicPartition[]): Map<string, Record<string, number[]>> {
  const leaders = new Map<string, Record<string, number[]>>();
  for (const [topic, numbers] of Object.entries(byTopic(partitions))) {
    for (const [nodeId, led] of Object.entries(cluster.findLeaderForPartitions(topic, numbers))) {
      const topics = leaders.get(nodeId) ?? {};
      topics[topic] = led;
      leaders.set(nodeId, topics);
    }
  }
  return leaders;
}

/** Returns the committed offsets of the group, keyed by {@link nameOf}. Partitions without a commit are omitted. */
export async function fetchCommitted(
  coordinator: Broker,
  groupId: string,
  partitions: readonly TopicPartition[],
): Promise<Map<string, Committed>> {
  const topics = Object.entries(byTopic(partitions)).map(([topic, numbers]) => ({
    topic,
    partitions: numbers.map((partition) => ({ partition })),
  }));
  const committed = new Map<string, Committed>();
  if (topics.length === 0) return committed;
  const { responses } = await coordinator.offsetFetch({ groupId, topics });
  for (const answer of responses) {
    for (const { partition, offset, metadata } of answer.partitions) {
      const next = wholeNumber(offset, answer.topic, partition);
      if (next >= 0) committed.set(nameOf({ topic: answer.topic, partition }), { next, note: metadata || undefined });
    }
  }
  return committed;
}
