import { secret } from '@aorta/runtime';
import { z } from 'zod';
import type { AdapterSettings } from '../adapter.ts';
import { brokersOption, tlsOption as brokerTlsOption, loginOption } from '../kafka/client/security.ts';
import { type KafkaSettings, kafkaSourceOptions } from '../kafka/source/options.ts';

/** `host:port`; an IPv6 host is in brackets. */
const ADDRESS = /^(?<host>\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):(?<port>[0-9]{1,5})$/;
const SECRET = /^(whsec_)?(?:[A-Za-z0-9+/]{4}){6,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const tlsOption = z
  .strictObject({
    cert_file: z.string().min(1).describe('PEM file with the certificate chain of the endpoint.'),
    key_file: z.string().min(1).describe('PEM file with the key of the certificate.'),
  })
  .optional()
  .describe('Serves HTTPS. Without it, the endpoint serves HTTP: put it behind a reverse proxy that terminates TLS.');

const intakeOption = z
  .strictObject({
    brokers: brokersOption,
    tls: brokerTlsOption,
    login: loginOption('scram-sha-512'),
    topic: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,249}$/, { error: 'not a topic name' })
      .describe('Name of the topic. Aorta creates the topic if it does not exist.'),
    consumer_group: z.string().min(1).describe('Consumer group that reads the topic. No other program may use it.'),
    partitions: z.int().min(1).max(1000).default(12).describe('Number of partitions of a new topic.'),
    replicas: z
      .int()
      .min(1)
      .max(32767)
      .optional()
      .describe('Number of copies of each partition of a new topic. Default: the setting of the brokers.'),
    retention_hours: z.number().positive().default(168).describe('Hours for which a new topic keeps messages.'),
  })
  .optional()
  .describe(
    'Keeps the intake log in a Kafka topic, so that several receivers can run behind a load balancer. Default: with `streams` of type `kafka`, a topic of the same cluster. Otherwise a folder next to the streams, with one receiver.',
  );

export const webhookSourceOptions = z.strictObject({
  type: z.literal('webhook').describe('An HTTP endpoint to which the service posts events.'),
  name: z.string().min(1).default('webhook').describe('Name of the source in receipts.'),
  listen: z
    .string()
    .refine((text) => addressOf(text) !== undefined, { error: 'not an address such as 0.0.0.0:8080' })
    .describe('Address to listen on, as `host:port`. Several sources may share an address if their paths differ.'),
  path: z
    .string()
    .regex(/^\/[A-Za-z0-9._~/-]*$/, { error: 'must start with a slash, and contain only letters, digits and . _ ~ / -' })
    .default('/webhook')
    .describe('Path of the endpoint.'),
  secrets: z
    .array(secret('A signing secret.').regex(SECRET, { error: 'not a signing secret: `whsec_` and at least 24 bytes in Base64' }))
    .min(1)
    .describe(
      'Signing secrets of the endpoint at the service. Aorta accepts a message if its signature matches one of them, so list the old and the new secret during a rotation. Secrets: take them from the environment.',
    ),
  tolerance_s: z
    .number()
    .positive()
    .max(86_400)
    .default(300)
    .describe('Maximum difference in seconds between the signed timestamp of a message and the clock of this machine.'),
  body_bytes: z
    .int()
    .min(1024)
    .max(1024 * 1024 * 1024)
    .default(16 * 1024 * 1024)
    .describe('Maximum bytes of a request body, as sent. The endpoint answers larger ones with 413.'),
  tls: tlsOption,
  trust_proxy: z
    .union([z.boolean(), z.array(z.string().min(1)).min(1)])
    .default(false)
    .describe(
      'Whether to take the sender’s address, which appears only in logs, from `X-Forwarded-For`. A list trusts only proxies with these addresses or CIDR ranges.',
    ),
  held_bytes: z
    .int()
    .min(1024 * 1024)
    .default(64 * 1024 * 1024)
    .describe('Maximum bytes of requests that are not durable yet. Above it, the endpoint answers 503 and the service retries.'),
  backlog_bytes: z
    .int()
    .min(1024 * 1024)
    .default(16 * 1024 * 1024 * 1024)
    .describe(
      'With local streams: maximum bytes of durable messages that wait for ingestion. Above it, the endpoint answers 429 and the service retries.',
    ),
  intake: intakeOption,
  keep_hours: z
    .number()
    .positive()
    .max(8760)
    .default(48)
    .describe(
      'Hours for which a local intake log keeps messages after ingestion, so that a new process can fill its redelivery window.',
    ),
});

export type WebhookSettings = z.output<typeof webhookSourceOptions>;

/** Settings of an intake log in a topic. */
export type IntakeTopic = NonNullable<WebhookSettings['intake']>;

export interface ListenAddress {
  /** Host name or IP address, without brackets. */
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

/** Parses `host:port`. Returns undefined if the text is not an address. */
export function addressOf(text: string): ListenAddress | undefined {
  const { host, port } = ADDRESS.exec(text)?.groups ?? {};
  if (host === undefined || port === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Settings of Kafka streams that the intake topic takes over, because it is in the same cluster. */
interface ClusterOfStreams extends Pick<IntakeTopic, 'brokers' | 'tls' | 'login' | 'partitions' | 'retention_hours'> {
  readonly prefix: string;
  readonly replicas?: number | undefined;
}

/** Returns the settings with an intake topic in the cluster of the streams, unless an intake is configured or the streams are local. */
export function withTopicOfStreams(settings: WebhookSettings, streams: AdapterSettings): WebhookSettings {
  if (settings.intake !== undefined || streams.type !== 'kafka') return settings;
  const { brokers, tls, login, prefix, partitions, replicas, retention_hours } = streams as AdapterSettings & ClusterOfStreams;
  // Names of sources may have characters that a topic name may not have.
  const name = `${prefix}intake.${settings.name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}`;
  const copies = replicas === undefined ? {} : { replicas };
  return {
    ...settings,
    intake: { brokers, tls, login, topic: name, consumer_group: name, partitions, retention_hours, ...copies },
  };
}

/** Returns the settings with which the Kafka source reads the intake topic. */
export function kafkaSettingsOf({ name, held_bytes }: WebhookSettings, intake: IntakeTopic): KafkaSettings {
  const { brokers, tls, login, topic, consumer_group } = intake;
  return kafkaSourceOptions.parse({ type: 'kafka', name, brokers, tls, login, topics: [topic], consumer_group, held_bytes });
}
