import { type AortaError, DeadlinePassed, isAortaError, within } from '@aorta/runtime';
import type { Admin, Kafka } from 'kafkajs';
import type {
  Committed,
  KafkaAdmin,
  KafkaConnection,
  KafkaGroupMember,
  LogBounds,
  TopicPartition,
  TopicSettings,
} from '../client.ts';
import { KafkaError } from '../errors.ts';
import { atMost, CONNECT_MS, kafkaConfig, openCluster, pause, Sockets } from './connection.ts';
import type { Broker, Cluster } from './internals.ts';
import { catalogueError, protocolError, reasonOf, setupError } from './library-errors.ts';
import { fetchBounds, fetchCommitted, fetchOffsetsSince, fetchTimestamp, nameOf } from './offsets.ts';
import { library } from './workarounds.ts';

const INTERNAL: ReadonlySet<string> = new Set([
  '__consumer_offsets',
  '__transaction_state',
  '__share_group_state',
  '__cluster_metadata',
]);
/** Protocol constants: the resource type of topics, and the coordinator type of groups. */
const TOPIC = 2;
const GROUP = 0;
/** Interval between checks for a new topic, in milliseconds. */
const POLL_MS = 100;
/** Milliseconds after which every broker should know a new topic. */
const SETTLE_MS = 1_500;

const DISCONNECT_MS = 1_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

interface Connected {
  readonly admin: Admin;
  /** The library's internal cluster, used if the admin client does not offer a request or answers it from an outdated cache. */
  readonly cluster: Cluster;
  disconnect(): Promise<void>;
}

/** The connection of the admin client. Opened on first use, and again after a failure. */
class AdminConnection {
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
    const began = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      if (this.#closed) throw new KafkaError('AORTA-KAFKA-FAILED', { doing, reason: 'closed' });
      this.#connected ??= this.#connect();
      const connected = this.#connected;
      const left = this.patienceMs - (performance.now() - began);
      try {
        return await within(left, connected.then(question));
      } catch (error) {
        if (isAortaError(error) && error.class !== 'transient') throw error;
        this.#drop(connected);
        const setup = setupError(error);
        if (setup !== undefined) throw setup;
        if (performance.now() - began + pauseMs >= this.patienceMs) throw await this.#finalError(doing, error, connected);
        await pause(pauseMs);
      }
    }
  }

  /** Returns the error to report after the last failure. */
  async #finalError(doing: string, error: unknown, connected: Promise<Connected>): Promise<Error> {
    if (isAortaError(error) || (await isOpen(connected))) return catalogueError(error, doing);
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

export class KafkajsAdmin implements KafkaAdmin {
  readonly #connection: AdminConnection;

  constructor(connection: KafkaConnection) {
    this.#connection = new AdminConnection(connection);
  }

  async topics(): Promise<readonly string[]> {
    const { topics } = await this.#connection.ask('list topics', ({ admin }) => admin.fetchTopicMetadata());
    const names = topics.map(({ name }) => name);
    return names.filter((name) => !INTERNAL.has(name)).sort();
  }

  async partitions(topic: string): Promise<number | undefined> {
    return await this.#connection.ask('describe a topic', async ({ admin }) => {
      try {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
        return topics[0]?.partitions.length;
      } catch (error) {
        if (protocolError(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined;
        throw error;
      }
    });
  }

  async bounds(topic: string): Promise<readonly LogBounds[]> {
    return await this.#connection.ask('read the bounds of a topic', async (connected) => {
      const partitions = await this.#allPartitions(connected, topic);
      const bounds = await fetchBounds(connected.cluster, partitions);
      return partitions.map((partition) => {
        const found = bounds.get(nameOf(partition));
        if (found === undefined) throw new Error('a partition without a leader');
        return found;
      });
    });
  }

  async timestampAt(at: TopicPartition, offset: number): Promise<number | undefined> {
    return await this.#connection.ask('read the time of a record', async (connected) => {
      await this.#allPartitions(connected, at.topic);
      return await fetchTimestamp(connected.cluster, at, offset);
    });
  }

  async since(topic: string, time: number): Promise<readonly number[]> {
    return await this.#connection.ask('find offsets by time', async (connected) => {
      const partitions = await this.#allPartitions(connected, topic);
      const found = await fetchOffsetsSince(connected.cluster, partitions, time);
      return partitions.map((partition) => {
        const offset = found.get(nameOf(partition));
        if (offset === undefined) throw new Error('a partition without a leader');
        return offset;
      });
    });
  }

  async committed(group: string, topic: string): Promise<readonly (number | undefined)[]> {
    return (await this.commits(group, topic)).map((commit) => commit?.next);
  }

  async commits(group: string, topic: string): Promise<readonly (Committed | undefined)[]> {
    return await this.#connection.ask('read the committed offsets of a group', async (connected) => {
      const partitions = await this.#allPartitions(connected, topic);
      const coordinator = await this.#coordinator(connected, group);
      const committed = await fetchCommitted(coordinator, group, partitions);
      return partitions.map((partition) => committed.get(nameOf(partition)));
    });
  }

  async reset(group: string, topic: string, next: ReadonlyMap<number, number>): Promise<void> {
    await this.#connection.ask('set the committed offsets of a group', async (connected) => {
      const coordinator = await this.#coordinator(connected, group);
      const partitions = [...next].map(([partition, offset]) => ({ partition, offset: String(offset) }));
      try {
        // Without a member id and a generation, the broker accepts the commit only while the group has no members.
        const noMember = { groupId: group, memberId: '', groupGenerationId: -1 };
        await coordinator.offsetCommit({ ...noMember, topics: [{ topic, partitions }] });
      } catch (error) {
        const inUse = ['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'REBALANCE_IN_PROGRESS'].includes(protocolError(error) ?? '');
        throw inUse ? new KafkaError('AORTA-KAFKA-GROUP-IN-USE', { group }) : error;
      }
    });
  }

  async members(group: string): Promise<readonly KafkaGroupMember[]> {
    const { groups } = await this.#connection.ask('describe a group', ({ admin }) => admin.describeGroups([group]));
    return (groups[0]?.members ?? []).map(({ clientId, clientHost, memberAssignment }) => ({
      client: clientId,
      host: clientHost.replace(/^\//, ''),
      partitions: partitionsIn(memberAssignment),
    }));
  }

  async removeMembers(group: string, client: string): Promise<number> {
    return await this.#connection.ask('remove a member from its group', async (connected) => {
      const { groups } = await connected.admin.describeGroups([group]);
      const members = (groups[0]?.members ?? []).filter(({ clientId }) => clientId === client);
      if (members.length === 0) return 0;
      const coordinator = await this.#coordinator(connected, group);
      for (const { memberId } of members) {
        try {
          await coordinator.leaveGroup({ groupId: group, memberId });
        } catch (error) {
          // The member has left meanwhile, or its session has expired.
          if (protocolError(error) !== 'UNKNOWN_MEMBER_ID') throw error;
        }
      }
      return members.length;
    });
  }

  async settings(topic: string): Promise<ReadonlyMap<string, string>> {
    const { resources } = await this.#connection.ask('describe a topic', async ({ admin }) => {
      try {
        return await admin.describeConfigs({ includeSynonyms: false, resources: [{ type: TOPIC, name: topic }] });
      } catch (error) {
        throw protocolError(error) === 'UNKNOWN_TOPIC_OR_PARTITION'
          ? new KafkaError('AORTA-KAFKA-TOPIC-MISSING', { topic })
          : error;
      }
    });
    return new Map(resources[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]));
  }

  async create({ topic, partitions, replicas, settings }: TopicSettings): Promise<boolean> {
    const configEntries = Object.entries(settings ?? {}).map(([name, value]) => ({ name, value }));
    const wanted = { topic, numPartitions: partitions, replicationFactor: replicas ?? -1, configEntries };
    const request = { waitForLeaders: false, topics: [wanted] };
    const created = await this.#connection.ask('create a topic', ({ admin }) => admin.createTopics(request));
    // Poll with a separate request, because a second create request would report that the topic already exists. A missing topic
    // is not a connection failure, so the connection stays open.
    const until = performance.now() + this.#connection.patienceMs;
    while ((await this.partitions(topic)) === undefined && performance.now() < until) await pause(POLL_MS);
    return created;
  }

  async addPartitions(topic: string, partitions: number): Promise<void> {
    await this.#connection.ask('add partitions', async ({ admin }) => {
      try {
        await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] });
      } catch (error) {
        throw protocolError(error) === 'UNKNOWN_TOPIC_OR_PARTITION'
          ? new KafkaError('AORTA-KAFKA-TOPIC-MISSING', { topic })
          : error;
      }
    });
  }

  /**
   * Returns true if the topic does not exist. Repeats the check for {@link SETTLE_MS}, because some brokers may not know a
   * new topic yet.
   */
  async isMissing(topic: string): Promise<boolean> {
    const until = performance.now() + SETTLE_MS;
    while ((await this.partitions(topic)) === undefined) {
      if (performance.now() > until) return true;
      await pause(POLL_MS * 3);
    }
    return false;
  }

  /** Asks a broker for the coordinator of a group. If the broker refuses, returns its error, which the library hides. */
  async refusesGroup(group: string): Promise<AortaError | undefined> {
    return await this.#connection.ask('find the coordinator of a group', async ({ cluster }) => {
      await cluster.refreshMetadata();
      const [nodeId] = cluster.getNodeIds();
      if (nodeId === undefined) return undefined;
      const broker = await cluster.findBroker({ nodeId });
      const refused = await broker
        .findGroupCoordinator({ groupId: group, coordinatorType: GROUP })
        .catch((error: unknown) => error);
      return setupError(refused);
    });
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #coordinator({ cluster }: Connected, group: string): Promise<Broker> {
    try {
      return await cluster.findGroupCoordinator({ groupId: group });
    } catch (error) {
      throw (await this.refusesGroup(group)) ?? error;
    }
  }

  /** Returns the current partitions of a topic, in order. */
  async #allPartitions({ cluster }: Connected, topic: string): Promise<TopicPartition[]> {
    try {
      await cluster.addMultipleTargetTopics([topic]);
      await cluster.refreshMetadata();
    } catch (error) {
      throw protocolError(error) === 'UNKNOWN_TOPIC_OR_PARTITION'
        ? new KafkaError('AORTA-KAFKA-TOPIC-MISSING', { topic })
        : error;
    }
    const numbers = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
    return numbers.sort((one, other) => one - other).map((partition) => ({ topic, partition }));
  }
}

function partitionsIn(assignment: Buffer): TopicPartition[] {
  const decoded = library().AssignerProtocol.MemberAssignment.decode(assignment);
  const topics = Object.entries(decoded?.assignment ?? {});
  return topics.flatMap(([topic, numbers]) =>
    [...numbers].sort((one, other) => one - other).map((partition) => ({ topic, partition })),
  );
}
