import { secret } from '@aorta/runtime';
import { z } from 'zod';
import type { KafkaConnection } from '../client/client.ts';
import { brokersOption, loginOption, securityOf, tlsOption, tlsProblem } from '../client/security.ts';

/** Configuration of streams of type `kafka`: the cluster and the topic settings. */
export const kafkaStreamsOptions = z
  .strictObject({
    type: z.literal('kafka').describe('Topics of a Kafka cluster. Workers on several machines share the partitions.'),
    brokers: brokersOption,
    tls: tlsOption,
    login: loginOption('scram-sha-512'),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,100}$/, { error: 'must consist of letters, digits, dots, dashes and underscores' })
      .default('aorta.')
      .describe('Prefix of the topics and consumer groups of this installation.'),
    partitions: z
      .int()
      .min(1)
      .max(1000)
      .default(12)
      .describe(
        'Number of partitions of each new topic, which is also the maximum number of workers for one stream. Existing topics keep their partitions.',
      ),
    replicas: z
      .int()
      .min(1)
      .max(32767)
      .optional()
      .describe('Number of copies of each partition. Default: the setting of the brokers.'),
    min_in_sync: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Number of in-sync replicas that must have a record before it counts as durable. Default: the setting of the brokers.',
      ),
    retention_hours: z
      .number()
      .positive()
      .default(168)
      .describe(
        'Hours for which topics keep records, whether or not they are loaded. Choose a time longer than any outage of the loader.',
      ),
    record_bytes: z
      .int()
      .min(65_536)
      .max(1024 * 1024 * 1024)
      .default(80 * 1024 * 1024)
      .describe('Maximum size of a record in a topic, in bytes. The brokers may have a lower limit.'),
    registry: z
      .strictObject({
        url: z.url({ protocol: /^https?$/ }).describe('URL of a schema registry that supports Confluent’s API.'),
        user: secret('Name of the user, if the registry requires a login.').optional(),
        password: secret('Password, or API secret. A secret: take it from the environment.').optional(),
      })
      .optional()
      .describe(
        'Schema registry for the schemas of the topics. With a registry, records use Confluent’s wire format. Without one, they use Avro’s single-object encoding.',
      ),
    compression: z.enum(['none', 'gzip', 'snappy', 'lz4', 'zstd']).default('zstd').describe('Compression of records.'),
    buffer_bytes: z
      .int()
      .min(1024 * 1024)
      .default(64 * 1024 * 1024)
      .describe('Approximate bytes of records that a reader holds in memory before they are loaded.'),
    overtaken: z
      .enum(['stop', 'continue'])
      .default('stop')
      .describe(
        'What to do if retention deleted records that are not in the tables. `stop` reports an error and stops reading the partition. `continue` reads the remaining records.',
      ),
  })
  .superRefine(({ tls }, context) => {
    const wrong = tlsProblem(tls);
    if (wrong !== undefined)
      context.addIssue({ code: 'custom', path: ['tls'], message: wrong.message, params: { hint: wrong.hint } });
  });

export type KafkaStreamsOptions = z.input<typeof kafkaStreamsOptions>;
export type KafkaStreamsSettings = z.output<typeof kafkaStreamsOptions>;

/**
 * Returns the connection settings for the cluster, including the given client id. Throws AORTA-FILE-UNREADABLE if a certificate
 * cannot be read.
 */
export function streamsConnection({ brokers, tls, login }: KafkaStreamsSettings, clientId: string): KafkaConnection {
  return { brokers, clientId, ...securityOf({ tls, login }) };
}
