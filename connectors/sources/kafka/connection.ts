import type { KafkaConnection } from '../../kafka-client/client.ts';
import { securityOf } from '../../kafka-client/security.ts';
import { hostOfConnection } from '../connection-string.ts';
import type { KafkaSettings } from './options.ts';

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
