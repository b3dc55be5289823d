import { type Logger, within } from '@aorta/runtime';
import type { Consumer, Kafka } from 'kafkajs';
import type { ConsumeOptions, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { assignerFor, type Generation, type Partition } from './assignment.ts';
import { atMost, pause, RETRY, SETTLE_MS, type Sockets } from './connection.ts';
import type { Cluster, ConsumerGroup, FetchedBatch } from './internals.ts';
import { Final, MemberOver } from './library-errors.ts';
import { type MemberLife, Membership, type MembershipEvents, type MembershipSettings } from './membership.ts';
import { fetchBounds, nameOf } from './offsets.ts';
import { attachHooks, type GroupHooks, library } from './workarounds.ts';

/**
 * Maximum time, in milliseconds, that a fetch waits for records. Resuming a partition or leaving the group can take this long.
 * Even if there are no records, each fetch costs a millisecond of CPU time.
 */
const FETCH_WAIT_MS = 500;
const FETCH_BYTES = 16 * 1024 * 1024;
const PARTITION_BYTES = 1024 * 1024;
const LONGEST_RETRY_MS = 1_000;

/** Timeout of each step of closing a consumer, in milliseconds. */
const CLOSE_STEP_MS = 3_000;

/** Settings of the library's consumer. Times are in milliseconds. */
interface LibraryConsumerSettings {
  readonly kafka: Kafka;
  readonly group: string;
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  readonly rebalanceMs: number;
  readonly metadataAgeMs: number;
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

/** One member of a group, with its own kafkajs consumer. After it ends, {@link GroupConsumer} creates a new member. */
export class Member {
  readonly #settings: MemberSettings;
  readonly #onEnd: MemberEvents['onEnd'];
  readonly #membership: Membership;
  readonly #fetcher: Fetcher;
  #consumer: Consumer | undefined;
  #cluster: Cluster | undefined;
  #heartbeats: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;
  #ended = false;
  #leaving = false;

  constructor(settings: MemberSettings, events: MemberEvents) {
    this.#settings = settings;
    this.#onEnd = events.onEnd;
    const life: MemberLife = {
      isOver: () => this.#ended || this.#leaving,
      throwIfOver: () => this.#throwIfOver(),
      end: (error) => this.#end(error),
    };
    this.#membership = new Membership(settings, events, life);
    this.#fetcher = new Fetcher(this.#membership, { onBatch: events.onBatch, sessionMs: settings.sessionMs }, life);
  }

  /** Joins the group and starts to read. `onEnd` reports when the member ends. */
  async run(): Promise<void> {
    const { topics, heartbeatMs } = this.#settings;
    const [membership, fetcher] = [this.#membership, this.#fetcher];
    const consumer = createLibraryConsumer(this.#settings, {
      hooks: {
        onJoin: (group, join) => membership.onJoin(group, join),
        onFetch: (group, fetch) => fetcher.onFetch(group, fetch),
        onOutOfRange: (group, at) => fetcher.onOutOfRange(group, at),
      },
      onCluster: (cluster) => {
        this.#cluster = cluster;
      },
      mayJoin: () => this.#throwIfOver(),
    });
    this.#consumer = consumer;
    const onActivity = (): void => membership.liveness.recordActivity();
    consumer.on(consumer.events.FETCH, onActivity);
    consumer.on(consumer.events.HEARTBEAT, onActivity);
    consumer.on(consumer.events.CRASH, ({ payload }) => this.#end(payload.error));
    this.#heartbeats = setInterval(() => void membership.heartbeat(), heartbeatMs);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      this.#throwIfOver();
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
    return this.#membership.liveness.silentFor(now);
  }

  /** Restarts the measurement of silence, because this process was paused. */
  restartSilence(now: number): void {
    this.#membership.liveness.restartSilence(now);
  }

  /** Releases the partitions and leaves the group. Never rejects. */
  async leave(): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    const { group } = this.#membership;
    if (group !== undefined && !this.#ended) await this.#membership.release(group);
    this.abandon();
    await this.closed();
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
  async closed(): Promise<void> {
    await this.#closing;
  }

  /** The member id that the broker assigned; null if there is none. */
  get id(): string | null {
    return this.#membership.group?.memberId ?? null;
  }

  #throwIfOver(): void {
    if (this.#ended || this.#leaving) throw new MemberOver();
  }

  /** Ends the member and returns an error for the caller to throw. It stops the library's consumer. */
  #end(error: unknown): MemberOver {
    if (this.#ended) return new MemberOver();
    this.#ended = true;
    clearInterval(this.#heartbeats);
    this.#membership.lose();
    const isFinal = error instanceof Final;
    if (!this.#leaving) this.#onEnd(isFinal ? error.cause : error, isFinal);
    this.#closing ??= this.#close(isFinal || this.#leaving);
    return new MemberOver();
  }

  #stop(leaves: boolean): void {
    this.#ended = true;
    this.#membership.lose();
    clearInterval(this.#heartbeats);
    this.#closing ??= this.#close(leaves);
  }

  async #close(leaves: boolean): Promise<void> {
    const consumer = this.#consumer;
    if (consumer === undefined) return;
    await closeConsumer(consumer, this.#membership.group, this.#cluster, leaves);
    this.#settings.sockets.end();
  }
}

interface LibraryConsumerHooks {
  readonly hooks: GroupHooks;
  /** Called once with kafkajs's internal cluster, before the consumer joins its group. */
  readonly onCluster: (cluster: Cluster) => void;
  /** Throws if the consumer may no longer join the group. */
  readonly mayJoin: () => void;
}

/** Creates a kafkajs consumer that does not commit, deliver or restart by itself. */
function createLibraryConsumer(
  { kafka, group, sessionMs, heartbeatMs, rebalanceMs, metadataAgeMs }: LibraryConsumerSettings,
  { hooks, onCluster, mayJoin }: LibraryConsumerHooks,
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
        attachHooks(assigner, hooks);
        return assigner;
      },
    ],
  });
}

/**
 * Delivers each fetched batch if its partition is still assigned to this member and the batch starts at the partition's
 * position.
 */
class Fetcher {
  readonly #membership: Membership;
  readonly #onBatch: ConsumeOptions['onBatch'];
  readonly #sessionMs: number;
  readonly #life: MemberLife;

  constructor(
    membership: Membership,
    { onBatch, sessionMs }: { onBatch: ConsumeOptions['onBatch']; sessionMs: number },
    life: MemberLife,
  ) {
    this.#membership = membership;
    this.#onBatch = onBatch;
    this.#sessionMs = sessionMs;
    this.#life = life;
  }

  /** Fetches batches and delivers them. Returns an empty list, so that the library has nothing to process. */
  async onFetch(group: ConsumerGroup, fetch: () => Promise<FetchedBatch[]>): Promise<FetchedBatch[]> {
    const { generation, liveness } = this.#membership;
    if (generation.isEmpty && group.assigned().some(({ partitions }) => partitions.length > 0)) {
      // The partitions are already released. Without this pause, the library would fetch in a tight loop until it notices the
      // rebalance.
      await pause(SETTLE_MS);
      return [];
    }
    const fetched = await fetch();
    liveness.recordActivity();
    // If this process was paused for a long time, the partitions may have a new owner, so ask the broker.
    if (fetched.length > 0 && liveness.unconfirmedFor(performance.now()) > this.#sessionMs / 2 && !this.#isClosed(generation)) {
      const sentAt = performance.now();
      await group.heartbeat({ interval: 0 });
      liveness.recordConfirmation(sentAt);
    }
    for (const batch of fetched) {
      if (this.#isClosed(generation)) break;
      this.#deliver(generation, group, batch);
    }
    return [];
  }

  /**
   * Handles an offset that the broker reports as out of range. If the error is temporary, waits for a moment. Otherwise, ends
   * the member.
   */
  async onOutOfRange(group: ConsumerGroup, { topic, partition }: TopicPartition): Promise<void> {
    const found = this.#membership.generation.find({ topic, partition });
    const next = found?.position;
    const bounds = found === undefined ? undefined : (await fetchBounds(group.cluster, [found])).get(nameOf(found));
    if (next === undefined || bounds === undefined || (next >= bounds.low && next <= bounds.end)) {
      // The error is temporary: the partition is no longer assigned, or the broker has only just become its leader.
      return await pause(SETTLE_MS);
    }
    const { low, end } = bounds;
    throw this.#life.end(new Final(new KafkaError('AORTA-KAFKA-OUT-OF-RANGE', { topic, partition, next, low, end })));
  }

  #deliver(generation: Generation, group: ConsumerGroup, fetched: FetchedBatch): void {
    const { topic, partition } = fetched;
    const found = generation.find(fetched);
    if (found === undefined) return;
    let batch: ReturnType<Partition['accept']>;
    try {
      batch = found.accept(fetched);
    } catch (error) {
      throw this.#life.end(new Final(error));
    }
    if (batch === 'nothing' || found.position === undefined) return;
    group.resolveOffset({ topic, partition, offset: String(found.position - 1) });
    if (batch === 'elsewhere') return;
    try {
      this.#onBatch(found, batch);
    } catch (error) {
      throw this.#life.end(new Final(error));
    }
  }

  /** Returns true if batches that were fetched in this generation can no longer be delivered. */
  #isClosed(generation: Generation): boolean {
    return generation !== this.#membership.generation || generation.isReleased || this.#life.isOver();
  }
}

/**
 * Stops a kafkajs consumer, whatever its state, and releases its resources. If `leaves` is false, the group waits until the
 * member's session expires. Never rejects. Each step has a timeout.
 */
async function closeConsumer(
  consumer: Consumer,
  group: ConsumerGroup | undefined,
  cluster: Cluster | undefined,
  leaves: boolean,
): Promise<void> {
  const isQuiet = await within(CLOSE_STEP_MS, consumer.stop()).then(
    () => true,
    () => false,
  );
  // If the consumer was still joining, the library does not make it leave the group. Without this call, the other members
  // would wait for its session to expire.
  if (isQuiet && leaves && group !== undefined && group.memberId !== null) await atMost(CLOSE_STEP_MS, group.leave());
  await Promise.all([
    atMost(CLOSE_STEP_MS, consumer.disconnect()),
    atMost(CLOSE_STEP_MS, cluster?.disconnect() ?? Promise.resolve()),
  ]);
}
