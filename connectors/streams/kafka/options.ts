import { z } from 'zod';
import { accessOf, brokersOption, loginOption, tlsOption, tlsProblem } from '../../kafka-client/access/index.ts';
import type { KafkaConnection } from '../../kafka-client/index.ts';

/** Configuration of streams of type `kafka`: the cluster, and settings of the topics. */
export const kafkaStreamsOptions = z
  .strictObject({
    type: z.literal('kafka').describe('Topics of a Kafka cluster: workers on many machines share their partitions.'),
    brokers: brokersOption,
    tls: tlsOption,
    login: loginOption('scram-sha-512'),
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
  })
  .superRefine(({ tls }, context) => {
    const wrong = tlsProblem(tls);
    if (wrong !== undefined)
      context.addIssue({ code: 'custom', path: ['tls'], message: wrong.message, params: { hint: wrong.hint } });
  });

export type KafkaStreamsOptions = z.input<typeof kafkaStreamsOptions>;
export type KafkaStreamsSettings = z.output<typeof kafkaStreamsOptions>;

/** Returns the connection to the cluster under the given client id. Throws AORTA-FILE-UNREADABLE if a certificate cannot be read. */
export function streamsConnection({ brokers, tls, login }: KafkaStreamsSettings, clientId: string): KafkaConnection {
  return { brokers, clientId, ...accessOf({ tls, login }) };
}
