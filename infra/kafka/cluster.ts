import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Certificate, freePorts, newAuthority, PortTaken } from '@aorta/machine';
import { KafkaBroker } from './broker.ts';
import { addressOf, exchange, int32, type Metadata, metadataOf } from './exchange.ts';
import { brokerProblem, javaWith, kafkaJars } from './java.ts';
import type { BrokerSettings } from './properties.ts';
import { newCluster } from './storage.ts';

export interface ClusterOptions extends Pick<BrokerSettings, 'users' | 'properties' | 'tokens'> {
  /** Number of brokers. Each broker is also a controller. Default: 3. */
  readonly nodes?: number;
}

/** Maximum number of attempts to choose free ports. A different process may take one of the ports first. */
const CHOICES = 5;
const IN_SYNC_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** A Metadata request that asks for all topics. */
const METADATA = { api: 3, version: 4, body: [int32(-1), Buffer.from([0])] };
const ANSWER_MS = 2_000;

/**
 * Several brokers on this machine that form one cluster. Each broker has a replica of every topic. The
 * cluster accepts records while at most one replica is out of sync. Clients connect in plain text, or over TLS with a
 * login.
 */
export class KafkaCluster {
  readonly members: readonly KafkaBroker[];
  /** The authority that signs the certificates of the brokers and of the clients. */
  readonly authority: Certificate;
  readonly #root: string;

  private constructor(members: readonly KafkaBroker[], authority: Certificate, root: string) {
    this.members = members;
    this.authority = authority;
    this.#root = root;
  }

  /** Starts a cluster. Rejects with {@link ServerProblem}. */
  static async start(options: ClusterOptions = {}): Promise<KafkaCluster> {
    for (let choice = 1; ; choice++) {
      const cluster = await prepare(options);
      try {
        await Promise.all(cluster.members.map((member) => member.restart()));
        return cluster;
      } catch (error) {
        await cluster.stop();
        if (!(error instanceof PortTaken) || choice === CHOICES) throw error;
      }
    }

    async function prepare({ nodes = 3, ...settings }: ClusterOptions): Promise<KafkaCluster> {
      const java = await javaWith(await kafkaJars());
      const root = await mkdtemp(join(tmpdir(), 'aorta-kafka-cluster-'));
      const authority = newAuthority('Aorta test cluster');
      const { chain, key } = authority.sign({ name: '127.0.0.1', addresses: ['127.0.0.1'] });
      const ports = await freePorts(3 * nodes);
      const controllers = ports.slice(0, nodes);
      const id = newCluster();
      const members = controllers.map((controller, index) =>
        KafkaBroker.member({
          ...settings,
          java,
          root: join(root, String(index + 1)),
          cluster: id,
          purpose: 'several',
          ports: { plain: ports[nodes + index]!, secure: ports[2 * nodes + index]!, controller },
          member: { node: index + 1, controllers },
          certificate: { chain, key, authority: authority.chain },
        }),
      );
      return new KafkaCluster(await Promise.all(members), authority, root);
    }
  }

  /** `host:port` for clients that do not log in. */
  get brokers(): readonly string[] {
    return this.members.flatMap(({ brokers }) => brokers);
  }

  /** `host:port` for clients that log in over TLS. */
  get secureBrokers(): readonly string[] {
    return this.members.flatMap(({ secureBrokers }) => secureBrokers);
  }

  /** Waits until every broker is alive and every replica is in sync. Rejects with {@link ServerProblem}. */
  async inSync(): Promise<void> {
    await this.#until('in sync', () => this.#isInSync());
  }

  /** Waits until the other brokers lead all partitions that the broker `gone` led. Rejects with {@link ServerProblem}. */
  async ledWithout(gone: KafkaBroker): Promise<void> {
    const node = this.members.indexOf(gone) + 1;
    const others = this.members.filter((member) => member !== gone).flatMap(({ brokers }) => brokers);
    await this.#until(`led without broker ${node}`, async () => {
      const told = await this.#metadata(others);
      return told.every((one) => one?.partitions.every(({ leader }) => leader > 0 && leader !== node));
    });
  }

  /** Performs a rolling restart, as an upgrade does. Waits until all replicas are in sync before it restarts the next broker. */
  async restartInTurn(): Promise<void> {
    for (const member of this.members) {
      await member.restart();
      await this.inSync();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
    await rm(this.#root, { recursive: true, force: true });
  }

  async #isInSync(): Promise<boolean> {
    return (await this.#metadata(this.brokers)).every(
      (told) =>
        told !== undefined &&
        told.nodes.length === this.members.length &&
        told.partitions.every(({ replicas, inSync }) => inSync.length === replicas.length),
    );
  }

  /** Returns each broker's view of the cluster; undefined for a broker that does not answer. */
  async #metadata(brokers: readonly string[]): Promise<readonly (Metadata | undefined)[]> {
    const answers = await Promise.all(brokers.map((broker) => exchange(addressOf(broker), METADATA, ANSWER_MS)));
    return answers.map((answer) => (answer === undefined ? undefined : metadataOf(answer)));
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + IN_SYNC_MS;
    while (!(await isSo())) {
      if (performance.now() > deadline) throw brokerProblem(`The cluster is not ${what} after ${IN_SYNC_MS / 1000} s`);
      await sleep(LOOK_EVERY_MS);
    }
  }
}
