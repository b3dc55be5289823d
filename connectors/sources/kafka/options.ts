import { z } from 'zod';
import { brokersOption, loginOption, tlsOption, tlsProblem } from '../../kafka-client/access/index.ts';
import { hubOfConnection, isConnectionString } from '../connection-string.ts';
import { startPositionOption } from '../partitions/start-position.ts';

const topicName = z.string().regex(/^[A-Za-z0-9._-]{1,249}$/, { error: 'not the name of a topic' });
export const kafkaSourceOptions = z
  .strictObject({
    type: z.literal('kafka').describe('Kafka topics, or Event Hubs through their Kafka endpoint.'),
    name: z.string().min(1).default('kafka').describe('Name of the source in receipts.'),
    brokers: brokersOption.optional(),
    connection: z
      .string()
      .refine(isConnectionString, { error: 'not a connection string (Endpoint=sb://…;SharedAccessKeyName=…;SharedAccessKey=…)' })
      .optional()
      .describe(
        'Connection string of an Event Hubs namespace, whose Kafka endpoint is read, in place of `brokers`, `tls` and `login`. A secret: take it from the environment.',
      ),
    tls: tlsOption,
    login: loginOption('plain'),
    topics: z.array(topicName).min(1).optional().describe('Topics that are read.'),
    topics_regex: z
      .string()
      .min(1)
      .refine(isRegularExpression, { error: 'not a regular expression' })
      .optional()
      .describe('A regular expression: topics whose whole name matches are read, too, also those that come later.'),
    consumer_group: z.string().min(1).default('aorta').describe('Consumer group; one for Aorta alone.'),
    start_position: startPositionOption.describe(
      'Where a partition is begun that the group never read: `earliest`, `latest`, or a time (RFC 3339).',
    ),
    when_expired: z
      .enum(['stop', 'continue'])
      .default('stop')
      .describe(
        'What to do where retention has removed records before they were read: `stop` with an error, or `continue` with the first one that is left; what is lost is counted and warned of.',
      ),
    dead_letters: z
      .strictObject({ topic: topicName.describe('The topic, which has to be there.') })
      .optional()
      .describe(
        'Dead letters of this source are copied to a topic of the same cluster, too, with Kafka Connect’s error headers; each before its position is committed.',
      ),
    commit_s: z
      .number()
      .positive()
      .max(600)
      .default(1)
      .describe('A partition’s position is committed so often: what a killed process reads again.'),
    session_s: z
      .number()
      .min(1)
      .max(1800)
      .default(30)
      .describe('The partitions of a process that was not heard of for so long are given to others.'),
    release_s: z
      .number()
      .positive()
      .max(300)
      .default(10)
      .describe('When partitions are shared out anew, what is being worked on may be finished for so long.'),
    metadata_s: z.number().min(1).max(3600).default(180).describe('New topics and partitions are looked for so often.'),
    connect_s: z.number().positive().max(300).default(10).describe('A broker may take so long to accept a connection.'),
    request_s: z.number().positive().max(600).default(60).describe('A broker may take so long to answer.'),
    held_bytes: z
      .int()
      .positive()
      .default(64 * 1024 * 1024)
      .describe(
        'Bytes of records received and not yet taken, over all partitions of the source, from which on receiving pauses.',
      ),
    client_id: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,200}$/, { error: 'letters, digits, dots, hyphens and underscores only' })
      .optional()
      .describe(
        'How this process is called in the brokers’ logs and quotas. Where left out, `aorta-` and the name of the worker; with a name that workers share, the partitions of a process that crashed wait for the end of its session.',
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
      problem('connection', '`tls` and `login` come with the connection string', 'Leave `tls` and `login` away.');
    const named = connection === undefined ? undefined : hubOfConnection(connection);
    if (topics === undefined && topics_regex === undefined && named === undefined)
      problem('topics', 'no topic is named', 'List the topics: topics: [health-events]');
    if (topics !== undefined && new Set(topics).size < topics.length)
      problem('topics', 'a topic is named twice', 'Name each topic once.');
    const dead = source.dead_letters?.topic;
    if (dead !== undefined && topicsOf(source).some((topic) => (typeof topic === 'string' ? topic === dead : topic.test(dead))))
      problem('dead_letters', 'its topic is read by this source', 'Name a topic that the source does not read.');
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

/** Returns the topics of a source: names, and a pattern that must match a whole name. */
export function topicsOf({ topics, topics_regex, connection }: TopicSettings): readonly (string | RegExp)[] {
  const hub = connection === undefined ? undefined : hubOfConnection(connection);
  const named = topics ?? (hub === undefined || topics_regex !== undefined ? [] : [hub]);
  return topics_regex === undefined || !isRegularExpression(topics_regex)
    ? named
    : [...named, new RegExp(`^(?:${topics_regex})$`)];
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(`^(?:${text})$`) instanceof RegExp;
  } catch {
    return false;
  }
}
