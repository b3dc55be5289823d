import { addressOf, exchange, int16, int32, text } from './exchange.ts';
import { BrokerProblem } from './problem.ts';

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
const REFUSALS: Readonly<Record<number, string>> = {
  17: 'that is no name of a topic',
  37: 'that is no number of partitions',
  40: 'a setting is wrong',
};

/** Makes a topic at a broker; gives false where there is one of that name. Rejects with {@link BrokerProblem}. */
export async function createTopic(broker: string, { name, partitions, settings = {} }: NewTopic): Promise<boolean> {
  const entries = Object.entries(settings).flatMap(([setting, value]) => [text(setting), text(value)]);
  const topic = [text(name), int32(partitions), int16(1), int32(0), int32(entries.length / 2), ...entries];
  const body = [int32(1), ...topic, int32(PATIENCE_MS), Buffer.from([0])];
  const answer = await exchange(addressOf(broker), { api: 19, version: 2, body }, PATIENCE_MS);
  if (answer === undefined) throw new BrokerProblem(`The broker does not answer to making the topic ${name}`);
  const code = answer.readInt16BE(TOPIC_AT + 2 + Buffer.byteLength(name));
  if (code !== 0 && code !== THERE_ALREADY)
    throw new BrokerProblem(`The broker refuses to make the topic ${name}: ${REFUSALS[code] ?? `its code is ${code}`}`);
  return code === 0;
}
