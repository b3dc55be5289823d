import { createRequire } from 'node:module';
import type { Message } from 'kafkajs';
import type { TopicPartition } from '../client.ts';
import type { Broker, PartitionAnswer, RequestDefinition } from './internals.ts';
import { nameOf } from './positions.ts';
import type { BatchSequence } from './sequences.ts';

/** Records of one partition, with the number that all tries of it have. */
export interface NumberedBatch {
  readonly to: TopicPartition;
  readonly messages: readonly Message[];
  readonly sequence: BatchSequence;
}

const require = createRequire(import.meta.url);

/** Kafka's number of the request, and how long replicas may take, in milliseconds. */
const PRODUCE = 0;
const REPLICAS_MS = 30_000;
const ALL_IN_SYNC = -1;

/**
 * Writes batches, all of one producer, to the leader of their partitions: one try. Gives the offset of each batch's first
 * record, or why it was not written, by {@link nameOf}. Rejects where no answer came: then nothing is known of any.
 *
 * The library's own producer cannot be used. It numbers records when it sends them: if one of several brokers fails, a
 * repetition has new numbers at the others, and a partition whose leader changed meanwhile is sent twice or left out
 * (tulios/kafkajs#22 repairs that for a single call only). If one partition of an answer has an error, it tells nothing
 * of the others.
 */
export async function produceOnce(
  broker: Broker,
  batches: readonly NumberedBatch[],
  compression: number,
): Promise<ReadonlyMap<string, string | Error>> {
  const { requests } = require('kafkajs/src/protocol/requests') as { requests: { Produce: RequestDefinition } };
  const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(code: number): Error };
  const { identity } = batches[0]!.sequence;
  const produce = broker.lookupRequest(PRODUCE, requests.Produce);
  const { request, response } = produce({
    acks: ALL_IN_SYNC,
    timeout: REPLICAS_MS,
    compression,
    ...identity,
    topicData: topicDataOf(batches),
  });
  // As it came: the library's own `parse` throws the first error, and drops what else was answered.
  const told = { decode: response.decode, parse: async (data: unknown) => data };
  let answer: { readonly topics: readonly { readonly topicName: string; readonly partitions: readonly PartitionAnswer[] }[] };
  try {
    answer = (await broker.connectionPool.send({ request, response: told })) as typeof answer;
  } catch (error) {
    if ((error as Error).name === 'KafkaJSConnectionClosedError') await broker.disconnect();
    throw error;
  }
  const results = new Map<string, string | Error>();
  for (const { topicName: topic, partitions } of answer.topics) {
    for (const { partition, errorCode, baseOffset } of partitions)
      results.set(nameOf({ topic, partition }), errorCode === 0 ? baseOffset : createErrorFromCode(errorCode));
  }
  return results;
}

function topicDataOf(batches: readonly NumberedBatch[]): object[] {
  const topics = Map.groupBy(batches, ({ to }) => to.topic);
  return [...topics].map(([topic, some]) => ({
    topic,
    partitions: some.map(({ to, messages, sequence }) => ({
      partition: to.partition,
      firstSequence: sequence.first,
      messages,
    })),
  }));
}
