import { hostOfConnection } from '../../sources/connection-string.ts';
import { topicsOfStreams } from '../../streams/topic-names.ts';
import type { KafkaAdmin, KafkaConnection, LogBounds } from '../client/client.ts';
import { KafkaError } from '../client/errors.ts';
import { securityOf } from '../client/security.ts';
import { KafkaSourceError } from './errors.ts';
import { isOf, type KafkaSettings, topicsOf } from './options.ts';

const EVENT_HUBS_PORT = 9093;

type Reached = Pick<KafkaSettings, 'brokers' | 'connection' | 'tls' | 'login' | 'client_id' | 'connect_s' | 'request_s'>;

/** Returns a worker's client id. The default is unique to the worker. */
export function clientIdOf({ client_id }: Pick<KafkaSettings, 'client_id'>, worker?: string): string {
  return client_id ?? (worker === undefined ? 'aorta' : `aorta-${worker}`);
}

/** Returns the connection settings for the source's cluster. Rejects with AORTA-FILE-UNREADABLE if a certificate cannot be read. */
export async function connectionOf(settings: Reached, worker?: string): Promise<KafkaConnection> {
  const paced = {
    clientId: clientIdOf(settings, worker),
    connectMs: settings.connect_s * 1000,
    requestMs: settings.request_s * 1000,
  };
  const { connection, login, tls } = settings;
  if (connection !== undefined) {
    return {
      ...paced,
      brokers: brokersOf(settings),
      tls: true,
      // Event Hubs expects the whole connection string as the password.
      login: { mechanism: 'plain', user: '$ConnectionString', password: connection },
    };
  }
  return { ...paced, brokers: brokersOf(settings), ...securityOf({ tls, login }) };
}

/** Returns the brokers' addresses: the only part of a connection that may be displayed. */
export function brokersOf({ brokers, connection }: Pick<KafkaSettings, 'brokers' | 'connection'>): readonly string[] {
  if (connection === undefined) return brokers ?? [];
  return [`${hostOfConnection(connection).replace(/:[0-9]+$/, '')}:${EVENT_HUBS_PORT}`];
}

/** A topic that a source reads, and the bounds of its partitions, by partition number. */
export interface TopicContent {
  readonly topic: string;
  readonly partitions: readonly LogBounds[];
}

/**
 * Returns the topics of a source that exist, without topics of Aorta's streams, and the bounds of their partitions. Rejects with
 * AORTA-KAFKA-TOPIC-MISSING and AORTA-KAFKA-TOPIC-OWN.
 */
export async function contentOf(admin: KafkaAdmin, settings: KafkaSettings): Promise<readonly TopicContent[]> {
  const present = await admin.topics();
  const own = topicsOfStreams(present);
  const wanted = topicsOf(settings);
  for (const topic of wanted) {
    if (typeof topic !== 'string') continue;
    if (!present.includes(topic)) throw new KafkaError('AORTA-KAFKA-TOPIC-MISSING', { topic });
    if (own.has(topic)) throw new KafkaSourceError('AORTA-KAFKA-TOPIC-OWN', { topic });
  }
  const read = present.filter((name) => isOf(wanted, name) && !own.has(name));
  return Promise.all(read.map(async (topic) => ({ topic, partitions: await admin.bounds(topic) })));
}
