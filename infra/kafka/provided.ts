import type { Purpose } from './java.ts';
import type { BrokerSettings } from './properties.ts';

export interface BrokerOptions extends Pick<BrokerSettings, 'users' | 'properties'> {
  /** Keeps its topics there; without it they are gone when it stops. */
  readonly folder?: string;
  /** Port of clients that do not log in; default: any that is free. */
  readonly port?: number;
  /** Default: tests. */
  readonly purpose?: Purpose;
  /** Hears that Kafka has to be fetched first: half a minute, once on a machine. */
  readonly fetching?: () => void;
}

/** A broker for tests, wherever it comes from. */
export interface ProvidedBroker {
  /** Where it comes from: it ran before, in a container, or as a process of this machine. */
  readonly provider: 'address' | 'docker' | 'jvm';
  /** `host:port` for clients that do not log in. */
  readonly brokers: readonly string[];
  /** `host:port` for clients that log in with SASL/PLAIN; none where there are no users. */
  readonly saslBrokers: readonly string[];
  /** What may be done to it; undefined where it is not ours. */
  readonly faults: BrokerFaults | undefined;
  /** Ends it in order where it is ours, and removes its topics unless it was given a folder. A second call does nothing. */
  stop(): Promise<void>;
}

export interface BrokerFaults {
  /** kill -9. */
  kill(): Promise<void>;
  /** Starts it again with the same ports and topics; ends it in order before, where it runs. Resolves when it serves clients. */
  restart(): Promise<void>;
  /** From now on it accepts connections and never answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}
