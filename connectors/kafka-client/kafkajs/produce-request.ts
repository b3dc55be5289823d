import { createRequire } from 'node:module';
import type { Message } from 'kafkajs';
import type { TopicPartition } from '../client.ts';
import type { Broker, PartitionAnswer, RequestDefinition } from './internals.ts';
import { nameOf } from './positions.ts';
import type { BatchSequence } from './sequences.ts';

/** Records of one partition, with the sequence number that all attempts share. */
export interface NumberedBatch {
  readonly to: TopicPartition;
  readonly messages: readonly Message[];
  readonly sequence: BatchSequence;
}

const require = createRequire(import.meta.url);

/** The number that identifies a produce request in the Kafka protocol. */
const PRODUCE = 0;
/** Maximum time, in milliseconds, that a broker waits for its replicas. */
const REPLICAS_MS = 30_000;
/** The `acks` setting that waits for all in-sync replicas. */
const ALL_IN_SYNC = -1;

/**
 * Sends batches of one producer to the leader of their partitions, without retries. Returns the outcome of each batch, keyed by
 * {@link nameOf}: the offset of its first record, or the error with which it was refused. If no answer arrives, the call
 * rejects, and the outcome of every batch is unknown.
 *
 * The library's own producer is not used, for two reasons. First, it assigns sequence numbers when it sends records. If one of
 * several brokers fails, a retry sends new numbers to the other brokers. If the leader of a partition has changed in the
 * meantime, its records are then written twice or not at all. tulios/kafkajs#22 fixes that only for a single call. Second, if
 * an answer reports an error for one partition, the library drops the results of the other partitions.
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
  // Does not parse the response, because the library's own `parse` throws the first error and drops the other results.
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
