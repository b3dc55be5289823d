import { secret } from '@aorta/runtime';
import { z } from 'zod';
import { hubOfConnection, isConnectionString } from '../../sources/connection-string.ts';
import { startPositionOption } from '../../sources/partition.ts';
import { brokersOption, loginOption, tlsOption, tlsProblem } from '../client/security.ts';

const topicName = z.string().regex(/^[A-Za-z0-9._-]{1,249}$/, { error: 'not a topic name' });
export const kafkaSourceOptions = z
  .strictObject({
    type: z.literal('kafka').describe('Kafka topics, or Event Hubs through their Kafka endpoint.'),
    name: z.string().min(1).default('kafka').describe('Name of the source, which is stored in the receipt of each delivery.'),
    brokers: brokersOption.optional(),
    connection: secret(
      'Connection string of an Event Hubs namespace, to read its Kafka endpoint. Use it instead of `brokers`, `tls` and `login`. A secret: take it from the environment.',
    )
      .refine(isConnectionString, { error: 'not a connection string (Endpoint=sb://…;SharedAccessKeyName=…;SharedAccessKey=…)' })
      .optional(),
    tls: tlsOption,
    login: loginOption('plain'),
    topics: z.array(topicName).min(1).optional().describe('Topics to read.'),
    topics_regex: z
      .string()
      .min(1)
      .refine(isRegularExpression, { error: 'not a regular expression' })
      .optional()
      .describe(
        'Regular expression that must match the whole name of a topic. Aorta also reads the topics that match, including those created later.',
      ),
    consumer_group: z.string().min(1).default('aorta').describe('Consumer group. No other program may use it.'),
    start_position: startPositionOption.describe(
      'Where to start reading a partition without a committed offset: `earliest`, `latest`, or a time (RFC 3339).',
    ),
    when_expired: z
      .enum(['stop', 'continue'])
      .default('stop')
      .describe(
        'What to do if retention has removed records before Aorta read them: `stop` with an error, or `continue` with the first remaining record. With `continue`, Aorta counts the lost records and logs a warning.',
      ),
    dead_letters: z
      .strictObject({ topic: topicName.describe('Name of the topic, which must exist.') })
      .optional()
      .describe(
        'A topic of the same cluster, into which Aorta also copies the dead letters of this source. The copies have Kafka Connect’s error headers. Aorta writes each copy before it commits the offset of the record.',
      ),
    commit_s: z
      .number()
      .positive()
      .max(600)
      .default(1)
      .describe(
        'Seconds between two commits of a partition’s offset. After a crash, Aorta reads up to this many seconds of records again.',
      ),
    session_s: z
      .number()
      .min(1)
      .max(1800)
      .default(30)
      .describe('If a process sends no heartbeat for this many seconds, Kafka reassigns its partitions.'),
    release_s: z
      .number()
      .positive()
      .max(300)
      .default(10)
      .describe('Seconds that a process has during a rebalance to finish its work on the partitions that it gives up.'),
    metadata_s: z.number().min(1).max(3600).default(180).describe('Seconds between two checks for new topics and partitions.'),
    connect_s: z.number().positive().max(300).default(10).describe('Seconds within which a broker must accept a connection.'),
    request_s: z.number().positive().max(600).default(60).describe('Seconds within which a broker must answer.'),
    held_bytes: z
      .int()
      .positive()
      .default(64 * 1024 * 1024)
      .describe(
        'Maximum bytes of records that are received but not yet processed, over all partitions of the source. Receiving pauses above this limit.',
      ),
    client_id: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,200}$/, { error: 'letters, digits, dots, hyphens and underscores only' })
      .optional()
      .describe(
        'Name of this process in the brokers’ logs and quotas. Default: `aorta-` and the name of the worker. If several workers have the same name, Kafka reassigns the partitions of a crashed one only when its session ends.',
      ),
  })
  .superRefine((source, context) => {
    const problem = (path: string, message: string, hint: string) =>
      context.addIssue({ code: 'custom', path: [path], message, params: { hint } });
    const { brokers, connection, topics, topics_regex, tls } = source;
    if ((brokers === undefined) === (connection === undefined))
      problem(
        'brokers',
        'either `brokers` or `connection` is needed, not both',
        'List some brokers: brokers: [kafka-1.example.com:9092]; or give `connection` for Event Hubs.',
      );
    if (connection !== undefined && (tls !== false || source.login !== undefined))
      problem('connection', 'the connection string replaces `tls` and `login`', 'Remove `tls` and `login`.');
    const named = connection === undefined ? undefined : hubOfConnection(connection);
    if (topics === undefined && topics_regex === undefined && named === undefined)
      problem('topics', 'no topic is named', 'List the topics: topics: [health-events]');
    if (topics !== undefined && new Set(topics).size < topics.length)
      problem('topics', 'a topic is named twice', 'Name each topic once.');
    const dead = source.dead_letters?.topic;
    if (dead !== undefined && isOf(topicsOf(source), dead))
      problem('dead_letters', 'this source reads the same topic', 'Name a topic that the source does not read.');
    const wrong = tlsProblem(tls);
    if (wrong !== undefined) problem('tls', wrong.message, wrong.hint);
  })
  .describe('Reads topics of one Kafka cluster.');

export type KafkaSettings = z.output<typeof kafkaSourceOptions>;

interface TopicSettings {
  readonly topics?: readonly string[] | undefined;
  readonly topics_regex?: string | undefined;
  readonly connection?: string | undefined;
}

/** Returns the topics of a source: names, and a pattern that must match the whole name of a topic. */
export function topicsOf({ topics, topics_regex, connection }: TopicSettings): readonly (string | RegExp)[] {
  const hub = connection === undefined ? undefined : hubOfConnection(connection);
  const named = topics ?? (hub === undefined || topics_regex !== undefined ? [] : [hub]);
  return topics_regex === undefined || !isRegularExpression(topics_regex)
    ? named
    : [...named, new RegExp(`^(?:${topics_regex})$`)];
}

/** Returns whether a topic is one of these names, or matches one of these patterns. */
export function isOf(wanted: readonly (string | RegExp)[], topic: string): boolean {
  return wanted.some((one) => (typeof one === 'string' ? one === topic : one.test(topic)));
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(`^(?:${text})$`) instanceof RegExp;
  } catch {
    return false;
  }
}
