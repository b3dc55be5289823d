import { DeadlinePassed, isAortaError, within } from '@aorta/runtime';
import type { Admin, Kafka } from 'kafkajs';
import type { KafkaConnection } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { CONNECT_MS, kafkaConfig } from './connection.ts';
import { atMost, pause } from './deadline.ts';
import { reasonOf, reworded, setupError } from './errors.ts';
import type { Cluster } from './internals.ts';
import { library } from './library.ts';
import { openCluster } from './positions.ts';
import { Sockets } from './sockets.ts';

const DISCONNECT_MS = 1_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export interface Connected {
  readonly admin: Admin;
  /** The library's internal cluster, used if the admin client does not offer a request or answers it from an outdated cache. */
  readonly cluster: Cluster;
  disconnect(): Promise<void>;
}

/** The connection of the admin client. Opened on first use, and again after a failure. */
export class AdminConnection {
  readonly #connection: KafkaConnection;
  /** Maximum time to wait for an answer, including retries, in milliseconds. */
  readonly patienceMs: number;
  /** The system error of the last failed connection. */
  #systemError: string | undefined;
  #connected: Promise<Connected> | undefined;
  #closed = false;

  constructor(connection: KafkaConnection) {
    this.#connection = connection;
    this.patienceMs = 2 * (connection.connectMs ?? CONNECT_MS);
  }

  /** Retries a query for at most `patienceMs`. Opens a new connection after each failure. */
  async ask<T>(doing: string, question: (connected: Connected) => Promise<T>): Promise<T> {
    const began = Date.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      if (this.#closed) throw new KafkaError('AORTA-KAFKA-FAILED', { doing, reason: 'closed' });
      this.#connected ??= this.#connect();
      const connected = this.#connected;
      const left = this.patienceMs - (Date.now() - began);
      try {
        return await within(left, connected.then(question));
      } catch (error) {
        if (isAortaError(error) && error.class !== 'transient') throw error;
        this.#drop(connected);
        const setup = setupError(error);
        if (setup !== undefined) throw setup;
        if (Date.now() - began + pauseMs >= this.patienceMs) throw await this.#outOfPatience(doing, error, connected);
        await pause(pauseMs);
      }
    }
  }

  /** Returns the error to report after the last failure. */
  async #outOfPatience(doing: string, error: unknown, connected: Promise<Connected>): Promise<Error> {
    if (isAortaError(error) || (await isOpen(connected))) return reworded(error, doing);
    const brokers = this.#connection.brokers.join(', ');
    // The deadline may pass while the library still retries. The last system error then explains the failure better.
    const reason = error instanceof DeadlinePassed ? (this.#systemError ?? 'no answer') : reasonOf(error);
    return new KafkaError('AORTA-KAFKA-UNREACHABLE', { brokers, seconds: this.patienceMs / 1000, reason });
  }

  async #connect(): Promise<Connected> {
    const { Kafka } = library();
    this.#systemError = undefined;
    const onSystemError = (name: string): void => {
      this.#systemError = name;
    };
    const sockets = new Sockets();
    const kafka: Kafka = new Kafka(kafkaConfig(this.#connection, sockets, onSystemError));
    const admin = kafka.admin();
    const disconnect = async (...clients: { disconnect(): Promise<void> }[]): Promise<void> => {
      await atMost(DISCONNECT_MS, Promise.allSettled(clients.map((client) => client.disconnect())));
      sockets.end();
    };
    try {
      await admin.connect();
      const open = await openCluster(kafka);
      return { admin, cluster: open.cluster, disconnect: () => disconnect(admin, open) };
    } catch (error) {
      await disconnect(admin);
      throw error;
    }
  }

  #drop(connected: Promise<Connected>): void {
    if (this.#connected === connected) this.#connected = undefined;
    connected.then((open) => open.disconnect()).catch(() => {});
  }

  /** Closes the connection. Later queries reject. */
  async close(): Promise<void> {
    this.#closed = true;
    const connected = this.#connected;
    this.#connected = undefined;
    if (connected !== undefined)
      await atMost(
        2_000,
        connected.then((open) => open.disconnect()),
      );
  }
}

/** Whether a connection was established. If not, no broker answered. */
async function isOpen(connected: Promise<Connected>): Promise<boolean> {
  return await within(0, connected).then(
    () => true,
    () => false,
  );
}
