import { addressOf, exchange, int16, int32, text } from './exchange.ts';
import { brokerProblem } from './problem.ts';

export interface NewTopic {
  readonly name: string;
  readonly partitions: number;
  /** Such as `message.timestamp.type`. */
  readonly settings?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 30_000;
/** Where the answer has what became of the one topic: after its id, how long it was throttled, and a count. */
const TOPIC_AT = 12;
const THERE_ALREADY = 36;
const NOT_THERE = 3;
const REFUSALS: Readonly<Record<number, string>> = {
  17: 'that is no name of a topic',
  37: 'that is no number of partitions',
  40: 'a setting is wrong',
};

/** Takes a topic away at a broker, with its records; gives false where there is none of that name. Rejects with {@link ServerProblem}. */
export async function deleteTopic(broker: string, name: string): Promise<boolean> {
  const body = [int32(1), text(name), int32(PATIENCE_MS)];
  const answer = await exchange(addressOf(broker), { api: 20, version: 1, body }, PATIENCE_MS);
  if (answer === undefined) throw brokerProblem(`The broker does not answer to taking the topic ${name} away`);
  const code = answer.readInt16BE(TOPIC_AT + 2 + Buffer.byteLength(name));
  if (code !== 0 && code !== NOT_THERE)
    throw brokerProblem(`The broker refuses to take the topic ${name} away: its code is ${code}`);
  return code === 0;
}

/** Drops what stands before an offset of a partition, as retention does. Rejects with {@link ServerProblem}. */
export async function dropRecords(broker: string, topic: string, partition: number, before: number): Promise<void> {
  const offset = Buffer.alloc(8);
  offset.writeBigInt64BE(BigInt(before));
  const body = [int32(1), text(topic), int32(1), int32(partition), offset, int32(PATIENCE_MS)];
  const answer = await exchange(addressOf(broker), { api: 21, version: 0, body }, PATIENCE_MS);
  const code = answer?.readInt16BE(answer.length - 2);
  if (code !== 0) throw brokerProblem(`The broker does not drop records of ${topic}: its code is ${code ?? 'none'}`);
}

/** Makes a topic at a broker; gives false where there is one of that name. Rejects with {@link ServerProblem}. */
export async function createTopic(broker: string, { name, partitions, settings = {} }: NewTopic): Promise<boolean> {
  const entries = Object.entries(settings).flatMap(([setting, value]) => [text(setting), text(value)]);
  const topic = [text(name), int32(partitions), int16(1), int32(0), int32(entries.length / 2), ...entries];
  const body = [int32(1), ...topic, int32(PATIENCE_MS), Buffer.from([0])];
  const answer = await exchange(addressOf(broker), { api: 19, version: 2, body }, PATIENCE_MS);
  if (answer === undefined) throw brokerProblem(`The broker does not answer to making the topic ${name}`);
  const code = answer.readInt16BE(TOPIC_AT + 2 + Buffer.byteLength(name));
  if (code !== 0 && code !== THERE_ALREADY)
    throw brokerProblem(`The broker refuses to make the topic ${name}: ${REFUSALS[code] ?? `its code is ${code}`}`);
  return code === 0;
}
