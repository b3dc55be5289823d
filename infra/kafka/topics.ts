import { addressOf, exchange, int16, int32, text } from './exchange.ts';
import { brokerProblem } from './java.ts';

export interface NewTopic {
  readonly name: string;
  readonly partitions: number;
  /** Topic settings, such as `message.timestamp.type`. */
  readonly settings?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 30_000;
/** The byte offset of the topic's result in the response. It follows the correlation id, the throttle time and a count. */
const TOPIC_AT = 12;
const THERE_ALREADY = 36;
const NOT_THERE = 3;
const REFUSALS: Readonly<Record<number, string>> = {
  17: 'the topic name is invalid',
  37: 'the number of partitions is invalid',
  40: 'a topic setting is invalid',
};

/** Deletes a topic with its records. Resolves with false if the topic does not exist. Rejects with {@link ServerProblem}. */
export async function deleteTopic(broker: string, name: string): Promise<boolean> {
  const body = [int32(1), text(name), int32(PATIENCE_MS)];
  const answer = await exchange(addressOf(broker), { api: 20, version: 1, body }, PATIENCE_MS);
  if (answer === undefined) throw brokerProblem(`The broker did not answer the request to delete the topic ${name}`);
  const code = answer.readInt16BE(TOPIC_AT + 2 + Buffer.byteLength(name));
  if (code !== 0 && code !== NOT_THERE)
    throw brokerProblem(`The broker refused to delete the topic ${name}, with error code ${code}`);
  return code === 0;
}

/** Deletes a partition's records before the given offset, as retention would. Rejects with {@link ServerProblem}. */
export async function dropRecords(broker: string, topic: string, partition: number, before: number): Promise<void> {
  const offset = Buffer.alloc(8);
  offset.writeBigInt64BE(BigInt(before));
  const body = [int32(1), text(topic), int32(1), int32(partition), offset, int32(PATIENCE_MS)];
  const answer = await exchange(addressOf(broker), { api: 21, version: 0, body }, PATIENCE_MS);
  const code = answer?.readInt16BE(answer.length - 2);
  if (code !== 0)
    throw brokerProblem(
      `The broker did not drop records of ${topic}: ${code === undefined ? 'it did not answer' : `its error code is ${code}`}`,
    );
}

/** Creates a topic. Resolves with false if it already exists. Rejects with {@link ServerProblem}. */
export async function createTopic(broker: string, { name, partitions, settings = {} }: NewTopic): Promise<boolean> {
  const entries = Object.entries(settings).flatMap(([setting, value]) => [text(setting), text(value)]);
  const topic = [text(name), int32(partitions), int16(1), int32(0), int32(entries.length / 2), ...entries];
  const body = [int32(1), ...topic, int32(PATIENCE_MS), Buffer.from([0])];
  const answer = await exchange(addressOf(broker), { api: 19, version: 2, body }, PATIENCE_MS);
  if (answer === undefined) throw brokerProblem(`The broker did not answer the request to create the topic ${name}`);
  const code = answer.readInt16BE(TOPIC_AT + 2 + Buffer.byteLength(name));
  if (code !== 0 && code !== THERE_ALREADY)
    throw brokerProblem(`The broker refused to create the topic ${name}: ${REFUSALS[code] ?? `its error code is ${code}`}`);
  return code === 0;
}
