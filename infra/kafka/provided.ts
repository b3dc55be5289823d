import type { Purpose } from './java.ts';
import type { BrokerSettings } from './properties.ts';

export interface BrokerOptions extends Pick<BrokerSettings, 'users' | 'properties'> {
  /** The folder that keeps the topics. Without it, they are removed when the broker stops. */
  readonly folder?: string;
  /** The port for clients that do not log in. Default: any free port. */
  readonly port?: number;
  /** Default: `tests`. */
  readonly purpose?: Purpose;
  /** Called before Kafka is downloaded, which takes half a minute once per machine. */
  readonly fetching?: () => void;
}

export interface ProvidedBroker {
  /** The origin of the broker: an address from the environment, a Docker container, or a process on this machine. */
  readonly provider: 'address' | 'docker' | 'jvm';
  /** `host:port` for clients that do not log in. */
  readonly brokers: readonly string[];
  /** `host:port` for clients that log in with SASL/PLAIN; empty if there are no users. */
  readonly saslBrokers: readonly string[];
  /** The faults that a test can inject; undefined for a broker from the environment. */
  readonly faults: BrokerFaults | undefined;
  /** Stops the broker, unless it is from the environment, and removes topics that are not in a given folder. Can be called again. */
  stop(): Promise<void>;
}

export interface BrokerFaults {
  /** Kills the broker with SIGKILL. */
  kill(): Promise<void>;
  /** Starts the broker again with the same ports and topics, after shutting it down if it is running. Resolves when it is ready. */
  restart(): Promise<void>;
  /** Suspends the broker: it accepts connections but does not answer until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}
