import { setTimeout as sleep } from 'node:timers/promises';
import { type Container, containerHost, freePorts, printedBy, reason, startContainer } from '@aorta/machine';
import { type Cluster, isReady } from '../exchange.ts';
import { brokerProblem, jvmOf, type Purpose } from '../java.ts';
import { brokerProperties } from '../properties.ts';
import type { BrokerFaults, BrokerOptions, ProvidedBroker } from '../provided.ts';
import { newCluster } from '../storage.ts';

/** The folder with Kafka's jars in the image. */
export const LIBS = '/opt/kafka/libs';

const SETTINGS = '/tmp/aorta-kafka.properties';
const DATA = '/tmp/aorta-kafka-data';
const READY_MS = 60_000;
const END_S = 20;
const LOOK_EVERY_MS = 50;

/**
 * Returns the name of the image: AORTA_KAFKA_IMAGE if it is set, for example to use a mirror, or else Apache's image. The
 * image must have the same layout as Apache's image.
 */
export const image = (): string => process.env.AORTA_KAFKA_IMAGE ?? 'apache/kafka:4.3.1';

/** Returns the script that the container runs at every start. The script formats the storage only the first time. */
const script = (cluster: string, purpose: Purpose | undefined): string =>
  [
    `[ -f ${DATA}/meta.properties ] || java -cp '${LIBS}/*' kafka.tools.StorageTool format -t ${cluster} -c ${SETTINGS} || exit 1`,
    `exec java ${jvmOf(purpose).join(' ')} -cp '${LIBS}/*' kafka.Kafka ${SETTINGS}`,
  ].join('\n');

/** A Kafka broker in a Docker container. If this process is killed, Testcontainers' reaper removes the container. */
export class ContainerBroker implements ProvidedBroker, BrokerFaults {
  readonly provider = 'docker';
  readonly faults: BrokerFaults = this;
  readonly brokers: readonly string[];
  readonly saslBrokers: readonly string[];
  readonly #container: Container;
  readonly #cluster: Cluster;
  #removed = false;

  private constructor(container: Container, cluster: Cluster, sasl: number | undefined) {
    this.#container = container;
    this.#cluster = cluster;
    this.brokers = [`${cluster.host}:${cluster.port}`];
    this.saslBrokers = sasl === undefined ? [] : [`${cluster.host}:${sasl}`];
  }

  /** Starts a broker. The daemon pulls the image if necessary. Rejects if no daemon answers or the broker does not start. */
  static async start(options: Pick<BrokerOptions, 'users' | 'properties' | 'purpose'> = {}): Promise<ContainerBroker> {
    const { users, properties, purpose } = options;
    // Imported lazily: testcontainers takes a second to load, and is not installed in production.
    const { GenericContainer } = await import('testcontainers');
    const host = await containerHost();
    // The ports on the host are chosen first, because the broker's settings must contain the ports that the broker advertises.
    const [plain, controller, third] = await freePorts(3);
    const sasl = users === undefined ? undefined : third;
    const id = newCluster();
    const settings = brokerProperties({
      ports: { plain: plain!, controller: controller!, sasl },
      listens: '0.0.0.0',
      host,
      folder: DATA,
      users,
      properties,
    });
    const prepared = new GenericContainer(image())
      .withEntrypoint(['/bin/sh', '-c', script(id, purpose)])
      .withExposedPorts(...[plain!, ...(sasl === undefined ? [] : [sasl])].map((port) => ({ container: port, host: port })))
      .withCopyContentToContainer([{ content: settings, target: SETTINGS, mode: 0o644 }]);
    const { container } = await startContainer(prepared);
    await using opening = new AsyncDisposableStack();
    const broker = opening.adopt(new ContainerBroker(container, { id, host, port: plain! }, sasl), (one) => one.stop());
    await broker.#ready();
    opening.move();
    return broker;
  }

  async kill(): Promise<void> {
    await this.#container.kill();
    while ((await this.#container.inspect()).State.Running) await sleep(LOOK_EVERY_MS);
  }

  async restart(): Promise<void> {
    const { Running, Paused } = (await this.#container.inspect()).State;
    if (Paused) await this.#container.unpause();
    if (Running) await this.#container.stop({ t: END_S });
    await this.#container.start();
    await this.#ready();
  }

  async freeze(): Promise<void> {
    await this.#container.pause();
  }

  async thaw(): Promise<void> {
    await this.#container.unpause();
  }

  async stop(): Promise<void> {
    if (this.#removed) return;
    this.#removed = true;
    await this.#container.remove({ force: true, v: true });
  }

  async #ready(): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (!(await isReady(this.#cluster))) {
      const running = (await this.#container.inspect()).State.Running;
      if (!running || performance.now() > deadline) {
        const what = running ? `is not ready after ${READY_MS / 1000} s` : 'exited during startup';
        throw brokerProblem(`Kafka’s broker in the container ${what}: ${reason(await printedBy(this.#container))}`);
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
}
