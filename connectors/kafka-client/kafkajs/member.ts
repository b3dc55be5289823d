import { type Logger, within } from '@aorta/runtime';
import type { Assigner, Consumer, GroupMember, Kafka } from 'kafkajs';
import type { ConsumeOptions, TopicPartition } from '../client.ts';
import { RETRY } from './connection.ts';
import { atMost } from './deadline.ts';
import { Fetching } from './fetching.ts';
import type { Cluster, ConsumerGroup, Library } from './internals.ts';
import { library } from './library.ts';
import { Final, type MemberLife, MemberOver } from './member-end.ts';
import { Membership, type MembershipEvents, type MembershipSettings } from './membership.ts';
import type { Partition } from './partition.ts';
import { byTopic } from './positions.ts';
import type { Sockets } from './sockets.ts';
import { type GroupHooks, keepGroup } from './workarounds.ts';

/**
 * Maximum time, in milliseconds, that a fetch waits for records. Resuming a partition or leaving the group can take this long.
 * Even if there are no records, each fetch costs a millisecond of CPU time.
 */
const FETCH_WAIT_MS = 500;
const FETCH_BYTES = 16 * 1024 * 1024;
const PARTITION_BYTES = 1024 * 1024;
const LONGEST_RETRY_MS = 1_000;

/** Settings of the library's consumer. Times are in milliseconds. */
interface LibraryConsumerSettings {
  readonly kafka: Kafka;
  readonly group: string;
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  readonly rebalanceMs: number;
  readonly metadataAgeMs: number;
}

interface LibraryConsumerKeeper {
  readonly keeper: GroupHooks;
  /** Called once with kafkajs's internal cluster, before the consumer joins its group. */
  readonly onCluster: (cluster: Cluster) => void;
  /** Throws if the consumer may no longer join the group. */
  readonly mayJoin: () => void;
}

type Protocol = Library['AssignerProtocol'];

/** A member of the group and the topics that it reads. */
export interface Reader {
  readonly member: string;
  readonly topics: ReadonlySet<string>;
}

/**
 * Distributes partitions. Each partition goes to the member that has the fewest partitions among those that read its topic. In a
 * tie, the first member by name gets it. Members may read different topics if one of them has found a new topic or has a
 * different configuration.
 */
export function share(readers: readonly Reader[], partitions: readonly TopicPartition[]): Map<string, TopicPartition[]> {
  const shares = new Map(readers.map(({ member }) => [member, [] as TopicPartition[]]));
  const inOrder = [...readers].sort((one, other) => (one.member < other.member ? -1 : 1));
  for (const partition of partitions) {
    let fewest: TopicPartition[] | undefined;
    for (const { member, topics } of inOrder) {
      const has = shares.get(member)!;
      if (topics.has(partition.topic) && (fewest === undefined || has.length < fewest.length)) fewest = has;
    }
    fewest?.push(partition);
  }
  return shares;
}

/**
 * Creates the assigner of our groups. It has the name and the wire format of the library's own assigner, so that members with
 * either assigner can share a group. The library's assigner also assigns partitions to members that do not read their topics, and
 * these partitions stay unread. `mayJoin` throws if this member must not join any more.
 */
function assignerFor(cluster: Cluster, { MemberMetadata, MemberAssignment }: Protocol, mayJoin: () => void): Assigner {
  return {
    name: 'RoundRobinAssigner',
    version: 0,
    protocol({ topics }) {
      mayJoin();
      return { name: 'RoundRobinAssigner', metadata: MemberMetadata.encode({ version: 0, topics, userData: Buffer.alloc(0) }) };
    },
    async assign({ members }) {
      const readers = members.map((member) => readerOf(member, MemberMetadata));
      const topics = [...new Set(readers.flatMap((reader) => [...reader.topics]))].sort();
      // If this member is not authorized to see a topic that other members read, it cannot assign the topic's partitions.
      await cluster.addMultipleTargetTopics(topics).catch(() => {});
      const shares = share(
        readers,
        topics.flatMap((topic) => partitionsOf(cluster, topic)),
      );
      return [...shares].map(([memberId, partitions]) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({ version: 0, assignment: byTopic(partitions), userData: Buffer.alloc(0) }),
      }));
    },
  };
}

function readerOf({ memberId, memberMetadata }: GroupMember, metadata: Protocol['MemberMetadata']): Reader {
  return { member: memberId, topics: new Set(metadata.decode(memberMetadata)?.topics) };
}

function partitionsOf(cluster: Cluster, topic: string): TopicPartition[] {
  const known = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
  return known.sort((one, other) => one - other).map((partition) => ({ topic, partition }));
}

/** Creates a kafkajs consumer that does not commit, deliver or restart by itself. */
function createLibraryConsumer(
  { kafka, group, sessionMs, heartbeatMs, rebalanceMs, metadataAgeMs }: LibraryConsumerSettings,
  { keeper, onCluster, mayJoin }: LibraryConsumerKeeper,
): Consumer {
  return kafka.consumer({
    groupId: group,
    sessionTimeout: sessionMs,
    rebalanceTimeout: rebalanceMs,
    heartbeatInterval: heartbeatMs,
    metadataMaxAge: metadataAgeMs,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    minBytes: 1,
    maxBytes: FETCH_BYTES,
    maxBytesPerPartition: PARTITION_BYTES,
    // We detect a dead consumer by its silence and replace it ourselves, so the library never restarts it.
    retry: { ...RETRY, maxRetryTime: LONGEST_RETRY_MS, retries: Number.MAX_SAFE_INTEGER, restartOnFailure: async () => false },
    partitionAssigners: [
      (given) => {
        const { cluster } = given as unknown as { cluster: Cluster };
        onCluster(cluster);
        const assigner = assignerFor(cluster, library().AssignerProtocol, mayJoin);
        keepGroup(assigner, keeper);
        return assigner;
      },
    ],
  });
}

/** Settings of a group member. Times are in milliseconds. */
export interface MemberSettings extends LibraryConsumerSettings, MembershipSettings {
  /** The sockets that `kafka` opens. */
  readonly sockets: Sockets;
  /** Topic names. The list must not be empty. */
  readonly topics: readonly string[];
  readonly logger: Logger;
}

export interface MemberEvents extends MembershipEvents, Pick<ConsumeOptions, 'onBatch'> {
  /**
   * Called once when the member ends without a call to {@link Member.leave}. If `isFinal` is true, a new member would fail in
   * the same way.
   */
  readonly onEnd: (error: unknown, isFinal: boolean) => void;
}

/** Timeout of each step, in milliseconds. */
const PARTING_MS = 3_000;

interface Leftovers {
  readonly consumer: Consumer;
  readonly group: ConsumerGroup | undefined;
  readonly cluster: Cluster | undefined;
  /** Whether to leave the group. If not, the group waits until the member's session expires. */
  readonly leaves: boolean;
}

/** Stops a kafkajs consumer, whatever its state, and releases its resources. Never rejects. Each step has a timeout. */
async function part({ consumer, group, cluster, leaves }: Leftovers): Promise<void> {
  const isQuiet = await within(PARTING_MS, consumer.stop()).then(
    () => true,
    () => false,
  );
  // If the consumer was still joining, the library does not make it leave the group. Without this call, the other members
  // would wait for its session to expire.
  if (isQuiet && leaves && group !== undefined && group.memberId !== null) await atMost(PARTING_MS, group.leave());
  await Promise.all([atMost(PARTING_MS, consumer.disconnect()), atMost(PARTING_MS, cluster?.disconnect() ?? Promise.resolve())]);
}

/** One member of a group, with its own kafkajs consumer. After it ends, {@link GroupConsumer} creates a new member. */
export class Member {
  readonly #settings: MemberSettings;
  readonly #onEnd: MemberEvents['onEnd'];
  readonly #membership: Membership;
  readonly #fetching: Fetching;
  #consumer: Consumer | undefined;
  #cluster: Cluster | undefined;
  #heart: NodeJS.Timeout | undefined;
  #parting: Promise<void> | undefined;
  #ended = false;
  #leaving = false;

  constructor(settings: MemberSettings, events: MemberEvents) {
    this.#settings = settings;
    this.#onEnd = events.onEnd;
    const life: MemberLife = {
      isOver: () => this.#ended || this.#leaving,
      mustGoOn: () => this.#mustGoOn(),
      end: (error) => this.#end(error),
    };
    this.#membership = new Membership(settings, events, life);
    this.#fetching = new Fetching(this.#membership, { onBatch: events.onBatch, sessionMs: settings.sessionMs }, life);
  }

  /** Joins the group and starts to read. `onEnd` reports when the member ends. */
  async run(): Promise<void> {
    const { topics, heartbeatMs } = this.#settings;
    const [membership, fetching] = [this.#membership, this.#fetching];
    const consumer = createLibraryConsumer(this.#settings, {
      keeper: {
        joining: (group, join) => membership.joining(group, join),
        fetching: (group, fetch) => fetching.fetching(group, fetch),
        outOfRange: (group, at) => fetching.outOfRange(group, at),
      },
      onCluster: (cluster) => {
        this.#cluster = cluster;
      },
      mayJoin: () => this.#mustGoOn(),
    });
    this.#consumer = consumer;
    const heard = (): void => membership.pulse.heard();
    consumer.on(consumer.events.FETCH, heard);
    consumer.on(consumer.events.HEARTBEAT, heard);
    consumer.on(consumer.events.CRASH, ({ payload }) => this.#end(payload.error));
    this.#heart = setInterval(() => void membership.beat(), heartbeatMs);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      this.#mustGoOn();
      await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async () => {} });
    } catch (error) {
      this.#end(error);
    }
  }

  assigned(): readonly Partition[] {
    return this.#membership.generation.assigned();
  }

  /** Milliseconds since the last sign of life. While the member is joining, silence counts only after `rebalanceMs`. */
  silentFor(now: number): number {
    return this.#membership.pulse.silentFor(now);
  }

  excuse(now: number): void {
    this.#membership.pulse.excuse(now);
  }

  /** Releases the partitions and leaves the group. Never rejects. */
  async leave(): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    const { group } = this.#membership;
    if (group !== undefined && !this.#ended) await this.#membership.release(group);
    this.abandon();
    await this.parted();
  }

  /** Ends the member at once, without a final commit, and leaves the group. Late batches are dropped. */
  abandon(): void {
    this.#leaving = true;
    this.#stop(true);
  }

  /** Ends the member like {@link abandon}, but without leaving the group, because a new member takes over its id. */
  replace(): void {
    this.#stop(false);
  }

  /** Waits until all resources are released. Never rejects, and has a deadline. */
  async parted(): Promise<void> {
    await this.#parting;
  }

  /** The member id that the broker assigned; null if there is none. */
  get id(): string | null {
    return this.#membership.group?.memberId ?? null;
  }

  #mustGoOn(): void {
    if (this.#ended || this.#leaving) throw new MemberOver();
  }

  /** Ends the member and returns an error for the caller to throw. It stops the library's consumer. */
  #end(error: unknown): MemberOver {
    if (this.#ended) return new MemberOver();
    this.#ended = true;
    clearInterval(this.#heart);
    this.#membership.lose();
    const isFinal = error instanceof Final;
    if (!this.#leaving) this.#onEnd(isFinal ? error.cause : error, isFinal);
    this.#parting ??= this.#part(isFinal || this.#leaving);
    return new MemberOver();
  }

  #stop(leaves: boolean): void {
    this.#ended = true;
    this.#membership.lose();
    clearInterval(this.#heart);
    this.#parting ??= this.#part(leaves);
  }

  async #part(leaves: boolean): Promise<void> {
    const consumer = this.#consumer;
    if (consumer === undefined) return;
    await part({ consumer, group: this.#membership.group, cluster: this.#cluster, leaves });
    this.#settings.sockets.end();
  }
}
