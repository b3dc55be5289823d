import type { KafkaConfig, RetryOptions, SASLOptions } from 'kafkajs';
import type { KafkaConnection, KafkaLogin } from '../client.ts';
import { bearer } from './bearer.ts';
import { Sockets } from './sockets.ts';

export const CONNECT_MS = 10_000;
export const REQUEST_MS = 60_000;

/** Short retries, because callers retry longer failures themselves. Every option is set, because the library's defaults depend on NODE_ENV. */
export const RETRY: Required<Omit<RetryOptions, 'restartOnFailure'>> = {
  initialRetryTime: 100,
  maxRetryTime: 2_000,
  factor: 0.2,
  multiplier: 2,
  retries: 5,
};

/** A system error name in a message, such as ECONNREFUSED. */
const SYSTEM_ERROR = /\bE[A-Z]{4,}\b/;

/**
 * Returns the library's settings for a connection. The library's log messages quote addresses and values, so they are dropped.
 * Only the names of system errors are passed on, because nothing else reports them while the library retries.
 */
export function kafkaConfig(
  connection: KafkaConnection,
  sockets: Sockets = new Sockets(),
  onSystemError: (name: string) => void = () => {},
): KafkaConfig {
  const { brokers, clientId, tls, login, connectMs, requestMs } = connection;
  return {
    brokers: [...brokers],
    clientId,
    connectionTimeout: connectMs ?? CONNECT_MS,
    authenticationTimeout: connectMs ?? CONNECT_MS,
    requestTimeout: requestMs ?? REQUEST_MS,
    enforceRequestTimeout: true,
    retry: RETRY,
    socketFactory: sockets.factory,
    logCreator:
      () =>
      ({ log }) => {
        const [name] = SYSTEM_ERROR.exec(log.message) ?? [];
        if (name !== undefined) onSystemError(name);
      },
    ...(tls === undefined || tls === false ? {} : { ssl: tls === true ? true : tlsOptions(tls) }),
    ...(login === undefined ? {} : { sasl: saslOptions(login) }),
  };
}

function tlsOptions({
  ca,
  serverName,
  ...rest
}: Exclude<KafkaConnection['tls'], boolean | undefined>): NonNullable<KafkaConfig['ssl']> {
  return {
    ...rest,
    ...(ca === undefined ? {} : { ca: [ca] }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}

function saslOptions(login: KafkaLogin): NonNullable<KafkaConfig['sasl']> {
  if (login.mechanism === 'oauthbearer') return { mechanism: 'oauthbearer', authenticationProvider: bearer(login.token) };
  const { mechanism, user, password } = login;
  return { mechanism, username: user, password } as SASLOptions;
}
