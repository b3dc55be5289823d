import { accessOf } from '../../kafka-client/access/index.ts';
import type { KafkaConnection } from '../../kafka-client/index.ts';
import { hostOfConnection } from '../connection-string.ts';
import type { KafkaSettings } from './options.ts';

/** Port of the Kafka endpoint of Event Hubs. */
const EVENT_HUBS_PORT = 9093;

type Reached = Pick<KafkaSettings, 'brokers' | 'connection' | 'tls' | 'login' | 'client_id' | 'connect_s' | 'request_s'>;

/** As which a worker of a source is known to the brokers. Where no name is configured, it is of one worker alone. */
export function clientIdOf({ client_id }: Pick<KafkaSettings, 'client_id'>, worker?: string): string {
  return client_id ?? (worker === undefined ? 'aorta' : `aorta-${worker}`);
}

/** How the cluster of a source is reached. Rejects with AORTA-FILE-UNREADABLE where a certificate cannot be read. */
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
      // As Event Hubs wants it: the whole string is the password.
      login: { mechanism: 'plain', user: '$ConnectionString', password: connection },
    };
  }
  return { ...paced, brokers: brokersOf(settings), ...accessOf({ tls, login }) };
}

/** Where the cluster is: what may be told of a connection. */
export function brokersOf({ brokers, connection }: Pick<KafkaSettings, 'brokers' | 'connection'>): readonly string[] {
  if (connection === undefined) return brokers ?? [];
  return [`${hostOfConnection(connection).replace(/:[0-9]+$/, '')}:${EVENT_HUBS_PORT}`];
}
