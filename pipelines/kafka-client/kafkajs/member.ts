import { AortaError, DeadlinePassed, type Logger, whenAborted, within } from '@aorta/telemetry';
import type { Consumer, Kafka } from 'kafkajs';
import type { ConsumeOptions, KafkaIncident, TopicPartition } from '../client.ts';
import { assignerFor } from './assignment.ts';
import { RETRY } from './connection.ts';
import { atMost, pause } from './deadline.ts';
import { isMembershipOver, isRefusedCommit, isSettling, reasonOf } from './errors.ts';
import type { Cluster, ConsumerGroup, FetchedBatch, OffsetManager } from './internals.ts';
import { library } from './library.ts';
import { type GroupKeeper, keepGroup } from './mends.ts';
import { Partition, type PartitionOwner } from './partition.ts';
import { askBounds, askCommitted, nameOf } from './positions.ts';
import type { Sockets } from './sockets.ts';

/** How a member of the group is to behave; all times in milliseconds. */
export interface MemberSettings {
  readonly kafka: Kafka;
  /** Those of `kafka`. */
  readonly sockets: Sockets;
  readonly group: string;
  /** Names; not empty. */
  readonly topics: readonly string[];
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  readonly releaseMs: number;
  readonly rebalanceMs: number;
  readonly metadataAgeMs: number;
  readonly requestMs: number;
  /** As the broker called the member before, which ended without leaving: it would wait for that one until its session ends. */
  readonly formerId: string | null;
  readonly logger: Logger;
}

/** What a member tells. */
export interface MemberEvents extends Pick<ConsumeOptions, 'onAssigned' | 'onBatch' | 'onRelease'> {
  /** Partitions were assigned, and it is known where each begins. */
  readonly onJoined: () => void;
  readonly onIncident: (incident: KafkaIncident) => void;
  /** Nothing comes of this member any more; another would fare no better where it is final. Called once, and not after {@link Member.leave}. */
  readonly onEnd: (error: unknown, isFinal: boolean) => void;
}

/** A fetch waits so long for records: resuming a partition, and leaving, take up to this; each costs an idle process a millisecond. */
const FETCH_WAIT_MS = 500;
/** Before something is asked again that was not so a moment ago. */
const SETTLE_MS = 200;
const FETCH_BYTES = 16 * 1024 * 1024;
const PARTITION_BYTES = 1024 * 1024;
const LONGEST_RETRY_MS = 1_000;
const COMMIT_TRIES = 3;
const SETTLING_TRIES = 10;
const COMMIT_PAUSE_MS = 150;
/** What leaving and disconnecting may take. */
const PARTING_MS = 3_000;
/** Whether a partition is still ours is asked for so long before it is given back. */
const ASKING_MS = 1_000;

/** The error that ends a consumer of the library for good: it does not repeat it, and does not start anew. */
class MemberOver extends Error {
  readonly retriable = false;

  constructor() {
    super('this member has ended');
    this.name = 'MemberOver';
  }
}

/** What those who use this threw, or what was found wrong with where they begin. */
class Final extends Error {
  constructor(cause: unknown) {
    super('what this member is for went wrong', { cause });
  }
}

/** One member of a group: one consumer of the library, from its joining until it ends, whatever ends it. Then another is made. */
export class Member implements GroupKeeper, PartitionOwner {
  readonly #settings: MemberSettings;
  readonly #events: MemberEvents;
  readonly #commits = new Set<Promise<unknown>>();
  #consumer: Consumer | undefined;
  #cluster: Cluster | undefined;
  #group: ConsumerGroup | undefined;
  #offsets: OffsetManager | undefined;
  #partitions = new Map<string, Partition>();
  #rejoining: Promise<void> | undefined;
  /** Once a generation, whoever asks for it. */
  #released: Promise<void> | undefined;
  #heart: NodeJS.Timeout | undefined;
  #parting: Promise<void> | undefined;
  /** Tells those who wait within a generation that it is over. */
  #generation = new AbortController();
  /** Partitions are being given back: nothing is handed over. */
  #releasing = false;
  #ended = false;
  #leaving = false;
  #heardAt = Date.now();
  /** When the broker last took a sign of life that was sent then. */
  #confirmedAt = Date.now();
  #joiningSince: number | undefined;

  constructor(settings: MemberSettings, events: MemberEvents) {
    this.#settings = settings;
    this.#events = events;
  }

  /** Joins, and reads until it ends. Resolves early; what goes wrong comes by `onEnd`. */
  async run(): Promise<void> {
    const { AssignerProtocol } = library();
    const { kafka, group, topics, sessionMs, heartbeatMs, rebalanceMs, metadataAgeMs } = this.#settings;
    const consumer = kafka.consumer({
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
      // Whether it goes on is seen by its signs of life; it is made anew by us, and only by us.
      retry: { ...RETRY, maxRetryTime: LONGEST_RETRY_MS, retries: Number.MAX_SAFE_INTEGER, restartOnFailure: async () => false },
      partitionAssigners: [
        (given) => {
          this.#cluster = (given as unknown as { cluster: Cluster }).cluster;
          const assigner = assignerFor(this.#cluster, AssignerProtocol, () => this.#mustGoOn());
          keepGroup(assigner, this);
          return assigner;
        },
      ],
    });
    this.#consumer = consumer;
    const heard = (): void => this.#heard();
    consumer.on(consumer.events.FETCH, heard);
    consumer.on(consumer.events.HEARTBEAT, heard);
    consumer.on(consumer.events.CRASH, ({ payload }) => this.#end(payload.error));
    this.#heart = setInterval(() => void this.#beat(), heartbeatMs);
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
    return [...this.#partitions.values()].filter(({ position }) => position !== undefined);
  }

  /** Milliseconds since the last sign of life; joining may take its time. */
  silentFor(now: number): number {
    const since = Math.max(this.#heardAt, this.#joiningSince === undefined ? 0 : this.#joiningSince + this.#settings.rebalanceMs);
    return now - since;
  }

  /** Time in which nobody looked was our own doing. */
  excuse(now: number): void {
    this.#heardAt = now;
  }

  /** Gives the partitions back, and leaves the group. Never rejects. */
  async leave(): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    const group = this.#group;
    if (group !== undefined && !this.#ended) await this.#release(group);
    this.abandon();
    await this.parted();
  }

  /** Ends without asking anybody: nothing is committed any more, and what comes late goes nowhere. */
  abandon(): void {
    this.#leaving = true;
    this.#ended = true;
    this.#loseAll();
    clearInterval(this.#heart);
    this.#parting ??= this.#part(true);
  }

  /** Like {@link abandon}, for another that takes its place: the group does not hear of it. */
  replace(): void {
    this.#ended = true;
    this.#loseAll();
    clearInterval(this.#heart);
    this.#parting ??= this.#part(false);
  }

  /** When nothing of it is left. Never rejects, and has a deadline. */
  async parted(): Promise<void> {
    await this.#parting;
  }

  /** How the broker calls it; null where it does not, or not any more. */
  get id(): string | null {
    return this.#group?.memberId ?? null;
  }

  // The library's group, as its keeper.

  async joining(group: ConsumerGroup, join: () => Promise<void>): Promise<void> {
    // Two readers, of two brokers, may notice the same rebalance.
    this.#rejoining ??= this.#rejoin(group, join).finally(() => {
      this.#rejoining = undefined;
    });
    await this.#rejoining;
  }

  async fetching(group: ConsumerGroup, fetch: () => Promise<FetchedBatch[]>): Promise<FetchedBatch[]> {
    const generation = this.#generation;
    if (this.#partitions.size === 0 && group.assigned().some(({ partitions }) => partitions.length > 0)) {
      // Given back already: what came would go nowhere, again and again, until the library hears of the rebalance.
      await pause(SETTLE_MS);
      return [];
    }
    const fetched = await fetch();
    this.#heard();
    // After a long pause of this process the partitions may be somebody else's: the broker knows.
    const { sessionMs } = this.#settings;
    if (fetched.length > 0 && Date.now() - this.#confirmedAt > sessionMs / 2 && !this.#isShut(generation)) {
      const sentAt = Date.now();
      await group.heartbeat({ interval: 0 });
      this.#confirmedAt = sentAt;
    }
    for (const batch of fetched) {
      if (this.#isShut(generation)) break;
      this.#handOver(group, batch);
    }
    // Handed over already: for the library there was nothing, and it goes on.
    return [];
  }

  async outOfRange(_group: ConsumerGroup, { topic, partition }: TopicPartition): Promise<void> {
    const found = this.#partitions.get(nameOf({ topic, partition }));
    const next = found?.position;
    const bounds = found === undefined ? undefined : (await askBounds(this.#cluster!, [found])).get(nameOf(found));
    if (next === undefined || bounds === undefined || (next >= bounds.low && next <= bounds.end)) {
      // Not ours any more, or out of range only for a broker that has just become the leader.
      return await pause(SETTLE_MS);
    }
    throw this.#end(new Final(new AortaError('AORTA-KAFKA-OUT-OF-RANGE', { topic, partition, next, ...bounds })));
  }

  // What partitions ask for.

  pause({ topic, partition }: TopicPartition): void {
    this.#group?.pause([{ topic, partitions: [partition] }]);
  }

  resume({ topic, partition }: TopicPartition): void {
    this.#group?.resume([{ topic, partitions: [partition] }]);
  }

  async commit(partition: Partition, next: number, note?: string): Promise<boolean> {
    const work = this.#commit(partition, next, note);
    this.#commits.add(work);
    try {
      return await work;
    } finally {
      this.#commits.delete(work);
    }
  }

  async #commit({ topic, partition, lost }: Partition, next: number, note?: string): Promise<boolean> {
    // Of the generation in which the partition was assigned: a commit of another one is refused by the broker.
    const offsets = this.#offsets!;
    const wanted = {
      topics: [{ topic, partitions: [{ partition, offset: String(next), ...(note === undefined ? {} : { metadata: note }) }] }],
    };
    for (let tries = 1; ; tries += 1) {
      try {
        await within(this.#settings.requestMs, offsets.commitOffsets(wanted));
        return true;
      } catch (error) {
        if (isRefusedCommit(error)) return false;
        if (tries === COMMIT_TRIES || lost.aborted || error instanceof DeadlinePassed) {
          if (!lost.aborted) this.#events.onIncident('commit');
          throw new AortaError('AORTA-KAFKA-COMMIT', { topic, partition, reason: reasonOf(error) });
        }
        await pause(COMMIT_PAUSE_MS * tries);
        await this.#findCoordinator(offsets);
      }
    }
  }

  async #findCoordinator(offsets: OffsetManager): Promise<void> {
    try {
      offsets.coordinator = await this.#cluster!.findGroupCoordinator({ groupId: this.#settings.group });
    } catch {
      // The next try says what is wrong.
    }
  }

  async #rejoin(group: ConsumerGroup, join: () => Promise<void>): Promise<void> {
    try {
      this.#mustGoOn();
      this.#group = group;
      const again = this.#offsets !== undefined;
      if (again) await this.#release(group);
      else group.memberId ??= this.#settings.formerId;
      this.#mustGoOn();
      this.#joiningSince = Date.now();
      try {
        await this.#patiently(join);
      } finally {
        this.#joiningSince = undefined;
      }
      this.#heard();
      this.#confirmedAt = Date.now();
      this.#mustGoOn();
      if (again) this.#events.onIncident('rebalance');
      await this.#assign(group);
    } catch (error) {
      // A group that was joined by half is read by nobody: better another member than none.
      throw this.#end(error);
    }
  }

  /** A broker that has just started needs a moment. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isSettling(error) || tries === SETTLING_TRIES) throw error;
        this.#mustGoOn();
        await pause(SETTLE_MS);
      }
    }
  }

  /** The last moment of a generation: what is held may be made durable and committed. */
  async #release(group: ConsumerGroup): Promise<void> {
    this.#released ??= this.#giveBack(group);
    await this.#released;
  }

  async #giveBack(group: ConsumerGroup): Promise<void> {
    this.#releasing = true;
    const { releaseMs, logger } = this.#settings;
    const held = this.assigned();
    const over = whenAborted(this.#generation.signal);
    if (held.length > 0 && group.memberId !== null && (await this.#beat(ASKING_MS)) !== 'over') {
      const released = (async () => {
        await this.#events.onRelease?.(held);
        await Promise.allSettled(this.#commits);
      })();
      try {
        await within(releaseMs, Promise.race([released, over]));
      } catch (error) {
        const reason = error instanceof DeadlinePassed ? 'late' : 'failed';
        logger.warn('kafka_release', { group: this.#settings.group, partitions: held.length, reason });
      }
    }
    this.#loseAll();
  }

  /** Tells who was assigned what, and where each partition begins. */
  async #assign(group: ConsumerGroup): Promise<void> {
    const generation = new AbortController();
    this.#generation = generation;
    this.#offsets = group.offsetManager;
    this.#releasing = false;
    this.#released = undefined;
    const taken = group.assigned().flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })));
    // The library remembers pauses of earlier generations.
    group.resume(group.assigned().map(({ topic, partitions }) => ({ topic, partitions })));
    const cluster = this.#cluster!;
    const [committed, bounds] = await Promise.all([
      this.#patiently(async () => askCommitted(await group.offsetManager.getCoordinator(), group.groupId, taken)),
      this.#patiently(() => askBounds(cluster, taken)),
    ]);
    const partitions = taken.map((one) => {
      const found = bounds.get(nameOf(one));
      if (found === undefined) throw new AortaError('AORTA-KAFKA-PARTITION-MISSING', { ...one });
      return new Partition(one, committed.get(nameOf(one)), found, this);
    });
    this.#partitions = new Map(partitions.map((partition) => [nameOf(partition), partition]));
    const begun = Promise.all(partitions.map((partition) => this.#start(partition)));
    begun.catch(() => {});
    const starts = await Promise.race([begun, whenAborted(generation.signal)]);
    this.#mustGoOn();
    // It took so long that the group has gone on: the library hears of that by its next heartbeat, and joins again.
    if (starts === undefined) return this.#loseAll();
    const now = starts.length === 0 ? bounds : await this.#patiently(() => askBounds(cluster, taken));
    for (const [partition, next] of starts) await this.#begin(group, partition, next, now.get(nameOf(partition)) ?? partition);
    this.#mustGoOn();
    if (generation.signal.aborted) return;
    for (const [partition, next] of starts) partition.begin(next);
    this.#events.onJoined();
  }

  async #start(partition: Partition): Promise<readonly [Partition, number]> {
    try {
      return [partition, await this.#events.onAssigned(partition)];
    } catch (error) {
      throw new Final(error);
    }
  }

  async #begin(
    group: ConsumerGroup,
    partition: Partition,
    next: number,
    { low, end }: { low: number; end: number },
  ): Promise<void> {
    const { topic } = partition;
    if (!Number.isSafeInteger(next) || next < low || next > end) {
      throw new Final(new AortaError('AORTA-KAFKA-OUT-OF-RANGE', { topic, partition: partition.partition, next, low, end }));
    }
    const at = { topic, partition: partition.partition, offset: String(next) };
    // Without this the library asks again where the group is, and begins there.
    this.#cluster!.markOffsetAsCommitted({ groupId: group.groupId, ...at });
    await group.offsetManager.seek(at);
  }

  #handOver(group: ConsumerGroup, fetched: FetchedBatch): void {
    const { topic, partition } = fetched;
    const found = this.#partitions.get(nameOf({ topic, partition }));
    if (found === undefined) return;
    let batch: ReturnType<Partition['take']>;
    try {
      batch = found.take(fetched);
    } catch (error) {
      throw this.#end(new Final(error));
    }
    if (batch === 'nothing' || found.position === undefined) return;
    group.resolveOffset({ topic, partition, offset: String(found.position - 1) });
    if (batch === 'elsewhere') return;
    try {
      this.#events.onBatch(found, batch);
    } catch (error) {
      throw this.#end(new Final(error));
    }
  }

  /** A sign of life to the broker, and what it said. The library sends some, too, but none while it waits for us. */
  async #beat(patienceMs = this.#settings.sessionMs): Promise<'ours' | 'over' | 'unknown'> {
    const group = this.#group;
    if (group === undefined || this.#offsets === undefined || this.#joiningSince !== undefined || group.memberId === null)
      return 'unknown';
    const { coordinator } = group;
    if (!coordinator.isConnected()) return 'unknown';
    const generation = this.#generation;
    const sentAt = Date.now();
    try {
      const { groupId, memberId, generationId } = group;
      await within(patienceMs, coordinator.heartbeat({ groupId, memberId, groupGenerationId: generationId }));
    } catch (error) {
      if (isMembershipOver(error)) {
        if (generation === this.#generation) this.#loseAll();
        return 'over';
      }
      // The broker takes it, and asks to join again, which may wait until we have given back what we have.
      if (!isRefusedCommit(error)) return 'unknown';
      if (this.assigned().length === 0) generation.abort();
    }
    this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
    this.#heard();
    return 'ours';
  }

  #heard(): void {
    this.#heardAt = Date.now();
  }

  #isShut(generation: AbortController): boolean {
    return generation !== this.#generation || this.#releasing || this.#ended || this.#leaving;
  }

  #loseAll(): void {
    this.#generation.abort();
    for (const partition of this.#partitions.values()) partition.lose();
    this.#partitions = new Map();
  }

  #mustGoOn(): void {
    if (this.#ended || this.#leaving) throw new MemberOver();
  }

  /** Gives the error with which the library is to end. */
  #end(error: unknown): MemberOver {
    if (this.#ended) return new MemberOver();
    this.#ended = true;
    clearInterval(this.#heart);
    this.#loseAll();
    if (!this.#leaving) this.#events.onEnd(error instanceof Final ? error.cause : error, error instanceof Final);
    this.#parting ??= this.#part(error instanceof Final || this.#leaving);
    return new MemberOver();
  }

  /** Whatever state the library is in, nothing of it stays. */
  async #part(leaves: boolean): Promise<void> {
    const consumer = this.#consumer;
    if (consumer === undefined) return;
    const isQuiet = await within(PARTING_MS, consumer.stop()).then(
      () => true,
      () => false,
    );
    // Where it was still joining, the library does not leave; the others would wait for this member until its session ends.
    const group = this.#group;
    if (isQuiet && leaves && group !== undefined && group.memberId !== null) await atMost(PARTING_MS, group.leave());
    await Promise.all([
      atMost(PARTING_MS, consumer.disconnect()),
      atMost(PARTING_MS, this.#cluster?.disconnect() ?? Promise.resolve()),
    ]);
    this.#settings.sockets.end();
  }
}
