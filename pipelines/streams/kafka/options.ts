import type { KafkaConnection } from '@aorta/kafka-client';
import { z } from 'zod';

const broker = z.string().regex(/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/, {
  error: 'not host:port, such as broker.example:9092',
});

const certificate = (what: string) => z.string().min(1).optional().describe(`${what}, as PEM text.`);

/** Streams of type `kafka`: where they are, and what their topics are like. */
export const kafkaStreamsOptions = z.strictObject({
  type: z.literal('kafka').describe('Topics of a Kafka cluster: workers on many machines share their partitions.'),
  brokers: z.array(broker).min(1).describe('Some brokers of the cluster, as host:port.'),
  tls: z
    .union([
      z.boolean(),
      z.strictObject({
        ca: certificate('Certificate of the authority that signed the brokers’ own'),
        cert: certificate('Certificate of this client'),
        key: certificate('Its private key. A secret: take it from the environment'),
        server_name: z.string().min(1).optional().describe('Name that the brokers’ certificate has to have.'),
      }),
    ])
    .default(false)
    .describe('Whether connections are encrypted, or with which certificates.'),
  login: z
    .strictObject({
      mechanism: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).default('scram-sha-512').describe('How SASL logs in.'),
      user: z.string().min(1).describe('Name of the user.'),
      password: z.string().min(1).describe('Password. A secret: take it from the environment.'),
    })
    .optional()
    .describe('Where left out, nobody logs in.'),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,100}$/, { error: 'not letters, digits, dots, dashes and underscores' })
    .default('aorta.')
    .describe('Topics, and groups that belong to this installation alone, begin with it.'),
  partitions: z
    .int()
    .min(1)
    .max(1000)
    .default(12)
    .describe('Partitions of each new topic: so many workers at most share a stream. Topics that are there keep theirs.'),
  replicas: z.int().min(1).max(32767).optional().describe('Copies of each partition; where left out, as the brokers have it.'),
  min_in_sync: z
    .int()
    .min(1)
    .optional()
    .describe('Copies that have to have a record before it counts as durable; where left out, as the brokers have it.'),
  retention_hours: z
    .number()
    .positive()
    .default(168)
    .describe('Topics keep records so long, whether they were taken into the tables or not: more than any outage of the jobs.'),
  record_bytes: z
    .int()
    .min(65_536)
    .max(1024 * 1024 * 1024)
    .default(80 * 1024 * 1024)
    .describe('Largest record of a topic. Brokers may have a limit of their own below it.'),
  registry: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }).describe('Address of a registry with Confluent’s interface.'),
      user: z.string().min(1).optional().describe('Name of the user, where it asks for one.'),
      password: z.string().min(1).optional().describe('Password, or API secret. A secret: take it from the environment.'),
    })
    .optional()
    .describe(
      'Where the schemas of the topics are registered; records are then in Confluent’s wire format. Where left out, they are in Avro’s single-object encoding.',
    ),
  compression: z.enum(['none', 'gzip', 'snappy', 'lz4', 'zstd']).default('zstd').describe('How records are compressed.'),
  buffer_bytes: z
    .int()
    .min(1024 * 1024)
    .default(64 * 1024 * 1024)
    .describe('Records that a reader holds in memory before they are taken into the tables, about.'),
  overtaken: z
    .enum(['stop', 'continue'])
    .default('stop')
    .describe(
      'Where retention has dropped records that are not in the tables: `stop` leaves the partition alone and says so, `continue` goes on with what is left.',
    ),
});

export type KafkaStreamsOptions = z.input<typeof kafkaStreamsOptions>;
export type KafkaStreamsSettings = z.output<typeof kafkaStreamsOptions>;

/** How the cluster is reached, under the name that others see of this process. */
export function streamsConnection({ brokers, tls, login }: KafkaStreamsSettings, clientId: string): KafkaConnection {
  return {
    brokers,
    clientId,
    ...(tls === false ? {} : { tls: tls === true ? true : named(tls) }),
    ...(login === undefined ? {} : { login }),
  };
}

function named({ server_name: serverName, ...rest }: Exclude<KafkaStreamsSettings['tls'], boolean>) {
  const given = Object.entries({ ...rest, serverName }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { ca?: string; cert?: string; key?: string; serverName?: string };
}
