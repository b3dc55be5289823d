import { dockerAnswers, type ServerProblem } from '@aorta/machine';
import { KafkaBroker, whyNoJvmBroker } from './broker.ts';
import { ContainerBroker, image } from './docker/container-broker.ts';
import type { BrokerOptions, ProvidedBroker } from './provided.ts';

export interface WantedBroker extends Pick<BrokerOptions, 'users' | 'properties' | 'purpose'> {
  /**
   * One that nobody else uses, and that may be killed: what the environment names is passed over then, as it is for one with
   * users, settings or a purpose.
   */
  readonly own?: boolean;
}

/** Images that the daemon could not have are not asked for again: it may take minutes to say so. */
const refused = new Set<string>();

/**
 * A broker for a test: the one that AORTA_KAFKA_BROKERS names (`host:port`, with commas between some), else one in a container
 * where a Docker daemon answers, else one of this machine's Java. Rejects with {@link ServerProblem}.
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

/** Why a test cannot have a broker, for the name of what is skipped; undefined where it can. In CI it fails then: `test/run-all.ts`. */
export async function whyNoBroker(wanted: WantedBroker = {}): Promise<ServerProblem | undefined> {
  if (namedBrokers(wanted) !== undefined) return undefined;
  const problem = await whyNoJvmBroker();
  return problem !== undefined && (await dockerAnswers()) ? undefined : problem;
}

function namedBrokers({ own = false, ...options }: WantedBroker): string[] | undefined {
  const named = (process.env.AORTA_KAFKA_BROKERS ?? '').split(',').filter((name) => name !== '');
  return named.length === 0 || own || Object.values(options).some((one) => one !== undefined) ? undefined : named;
}
