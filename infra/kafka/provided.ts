import type { Purpose } from './java.ts';
import type { BrokerSettings } from './properties.ts';

export interface BrokerOptions extends Pick<BrokerSettings, 'users' | 'properties'> {
  /** The folder that stores the topics. If it is not set, the topics are removed when the broker stops. */
  readonly folder?: string;
  /** The port for clients that do not log in. Default: any free port. */
  readonly port?: number;
  /** Default: `tests`. */
  readonly purpose?: Purpose;
  /** Called before Kafka is downloaded. The download takes half a minute and happens only once per machine. */
  readonly fetching?: () => void;
}

export interface ProvidedBroker {
  /** The origin of the broker: an address in AORTA_KAFKA_BROKERS, a Docker container, or a process on this machine. */
  readonly provider: 'address' | 'docker' | 'jvm';
  /** `host:port` for clients that do not log in. */
  readonly brokers: readonly string[];
  /** `host:port` for clients that log in with SASL/PLAIN; empty if there are no users. */
  readonly saslBrokers: readonly string[];
  /** Injects faults into the broker. Undefined if the broker comes from AORTA_KAFKA_BROKERS. */
  readonly faults: BrokerFaults | undefined;
  /**
   * Stops the broker. Also removes the broker's topics, unless `folder` is set. Does nothing if the broker comes from
   * AORTA_KAFKA_BROKERS or has already been stopped.
   */
  stop(): Promise<void>;
}

export interface BrokerFaults {
  /** Kills the broker with SIGKILL. */
  kill(): Promise<void>;
  /**
   * Starts the broker again with the same ports and topics. Shuts the broker down first if it is running. Resolves when
   * the broker is ready.
   */
  restart(): Promise<void>;
  /** Suspends the broker's processes. The broker then accepts connections but does not answer until `thaw` is called. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}
