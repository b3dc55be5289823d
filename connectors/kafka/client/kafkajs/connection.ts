import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { within } from '@aorta/runtime';
import type {
  AuthenticationProviderArgs,
  Authenticator,
  ISocketFactory,
  Kafka,
  KafkaConfig,
  RetryOptions,
  SASLOptions,
} from 'kafkajs';
import type { KafkaConnection, KafkaLogin, TokenSource } from '../client.ts';
import type { Cluster } from './internals.ts';

const require = createRequire(import.meta.url);

export const CONNECT_MS = 10_000;
export const REQUEST_MS = 60_000;

/** Milliseconds to wait before repeating a query about a state that is about to change. */
export const SETTLE_MS = 200;

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

/** Separates the parts of a message. Sent alone, it acknowledges a refusal (RFC 7628, section 3.2.3). */
const SEPARATOR = '\u0001';

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

interface Bytes {
  readonly buffer: Buffer;
  writeBytes(bytes: Buffer): Bytes;
}

/**
 * SASL OAUTHBEARER (RFC 7628). The library's own implementation reports a failed token request as a refused login. It also treats
 * a refused login as a success: the broker refuses a login by sending an answer that is not empty.
 */
function bearer(token: TokenSource): (args: AuthenticationProviderArgs) => Authenticator {
  return ({ saslAuthenticate }) => ({
    authenticate: async () => {
      const value = await token();
      const said = await exchange(`n,,${SEPARATOR}auth=Bearer ${value}${SEPARATOR}${SEPARATOR}`);
      // The broker refused the login. It answers the acknowledgement with the actual error, SASL_AUTHENTICATION_FAILED.
      if (said > 0) await exchange(SEPARATOR);

      /** Sends a message and returns the length of the answer in bytes. */
      async function exchange(message: string): Promise<number> {
        const Encoder = require('kafkajs/src/protocol/encoder') as new () => Bytes;
        const encode = async (): Promise<Buffer> => new Encoder().writeBytes(Buffer.from(message)).buffer;
        const answered = await saslAuthenticate({
          request: { encode },
          // On success, the length prefix of the answer is 0, or -1 for null.
          response: { decode: async (bytes: Buffer) => bytes.readInt32BE(0), parse: async (length: number) => length },
        } as never);
        return Number(answered ?? 0);
      }
    },
  });
}

/**
 * The sockets of one instance of the library. A request that is running while the library disconnects may open a new connection.
 * Nothing would close this connection, and it would keep a thread alive. `end` closes all sockets and makes new ones fail.
 */
export class Sockets {
  readonly #open = new Set<Socket>();
  #ended = false;

  readonly factory: ISocketFactory = (options) => {
    if (this.#ended) return refused();
    const createFactory = require('kafkajs/src/network/socketFactory') as () => ISocketFactory;
    const socket = createFactory()(options);
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  end(): void {
    this.#ended = true;
    for (const socket of this.#open) socket.destroy();
  }
}

/** Returns a socket that fails as soon as the caller has attached its listeners. */
function refused(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(Object.assign(new Error('this client was closed'), { code: 'ECONNABORTED' })));
  return socket;
}

/** An open connection to the cluster. */
export interface OpenCluster {
  readonly cluster: Cluster;
  disconnect(): Promise<void>;
}

/**
 * Returns the library's internal `Cluster` object, because its public clients do not offer every request of the Kafka protocol.
 * The only way to get the object is to create a consumer, which stays unused.
 */
export async function openCluster(kafka: Kafka): Promise<OpenCluster> {
  let cluster: Cluster | undefined;
  const consumer = kafka.consumer({
    groupId: 'none',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (given: object) => {
        cluster = (given as { cluster: Cluster }).cluster;
        return {
          name: 'none',
          version: 0,
          assign: async () => [],
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
        };
      },
    ],
  });
  await consumer.connect();
  return { cluster: cluster!, disconnect: () => consumer.disconnect() };
}

/** Waits until `work` succeeds or fails, but no longer than `milliseconds`. Never rejects. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await within(milliseconds, work).catch(() => {});
}

export async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
