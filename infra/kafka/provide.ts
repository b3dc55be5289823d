import { dockerAnswers, type ServerProblem } from '@aorta/machine';
import { KafkaBroker, whyNoJvmBroker } from './broker.ts';
import { ContainerBroker, image } from './docker/container-broker.ts';
import type { BrokerOptions, ProvidedBroker } from './provided.ts';

export interface WantedBroker extends Pick<BrokerOptions, 'users' | 'properties' | 'purpose'> {
  /**
   * True if the test needs its own broker, for example to kill it. AORTA_KAFKA_BROKERS is then ignored. It is also
   * ignored if users, properties or a purpose are given.
   */
  readonly own?: boolean;
}

/** Images for which no Docker container could be started. They are not tried again, because a failed pull may take minutes. */
const refused = new Set<string>();

/**
 * Provides a broker for a test. If AORTA_KAFKA_BROKERS is set (`host:port`, separated by commas), uses those brokers.
 * Otherwise starts a broker in a Docker container or, if that is not possible, with the Java on this machine. Rejects
 * with {@link ServerProblem}.
 */
export async function provideBroker(wanted: WantedBroker = {}): Promise<ProvidedBroker> {
  const named = namedBrokers(wanted);
  if (named !== undefined)
    return { provider: 'address', brokers: named, saslBrokers: [], faults: undefined, stop: () => Promise.resolve() };
  const { own: _, ...options } = wanted;
  if (!refused.has(image()) && (await dockerAnswers())) {
    try {
      return await ContainerBroker.start(options);
    } catch {
      refused.add(image());
    }
  }
  return KafkaBroker.start(options);
}

/**
 * Returns why a test must be skipped, or undefined if a broker is available. In CI, `npm test` fails if a test
 * is skipped.
 */
export async function whyNoBroker(wanted: WantedBroker = {}): Promise<ServerProblem | undefined> {
  if (namedBrokers(wanted) !== undefined) return undefined;
  const problem = await whyNoJvmBroker();
  return problem !== undefined && (await dockerAnswers()) ? undefined : problem;
}

function namedBrokers({ own = false, ...options }: WantedBroker): string[] | undefined {
  const named = (process.env.AORTA_KAFKA_BROKERS ?? '').split(',').filter((name) => name !== '');
  return named.length === 0 || own || Object.values(options).some((one) => one !== undefined) ? undefined : named;
}
