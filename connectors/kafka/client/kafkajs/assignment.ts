import type { Assigner, GroupMember } from 'kafkajs';
import type { AssignedPartition, Committed, KafkaBatch, KafkaRecord, LogBounds, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { pause, SETTLE_MS } from './connection.ts';
import type { Cluster, ConsumerGroup, FetchedBatch, FetchedMessage, Library, OffsetManager } from './internals.ts';
import { Final, isSettling } from './library-errors.ts';
import { byTopic, fetchBounds, fetchCommitted, nameOf, wholeNumber } from './offsets.ts';

const SETTLING_TRIES = 10;

type Protocol = Library['AssignerProtocol'];

/**
 * Creates the assigner of our groups. It has the name and the wire format of the library's own assigner, so that members with
 * either assigner can share a group. The library's assigner also assigns partitions to members that do not read their topics, and
 * these partitions stay unread. `mayJoin` throws if this member must not join any more.
 */
export function assignerFor(cluster: Cluster, { MemberMetadata, MemberAssignment }: Protocol, mayJoin: () => void): Assigner {
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
      const assigned = distribute(
        readers,
        topics.flatMap((topic) => partitionsOf(cluster, topic)),
      );
      return [...assigned].map(([memberId, partitions]) => ({
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
export function distribute(readers: readonly Reader[], partitions: readonly TopicPartition[]): Map<string, TopicPartition[]> {
  const assigned = new Map(readers.map(({ member }) => [member, [] as TopicPartition[]]));
  const inOrder = [...readers].sort((one, other) => (one.member < other.member ? -1 : 1));
  for (const partition of partitions) {
    let fewest: TopicPartition[] | undefined;
    for (const { member, topics } of inOrder) {
      const has = assigned.get(member)!;
      if (topics.has(partition.topic) && (fewest === undefined || has.length < fewest.length)) fewest = has;
    }
    fewest?.push(partition);
  }
  return assigned;
}

export interface PartitionOwner {
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  commit(partition: Partition, next: number, note?: string): Promise<boolean>;
}

/** A partition in one generation of the group, with its read position. */
export class Partition implements AssignedPartition {
  readonly topic: string;
  readonly partition: number;
  readonly committed: number | undefined;
  readonly note: string | undefined;
  readonly low: number;
  readonly stable: number;
  readonly end: number;
  readonly #owner: PartitionOwner;
  readonly #lost = new AbortController();
  /** The next offset to deliver; undefined until the start offset is known. */
  #position: number | undefined;

  constructor(
    { topic, partition }: TopicPartition,
    committed: Committed | undefined,
    { low, stable, end }: LogBounds,
    owner: PartitionOwner,
  ) {
    this.topic = topic;
    this.partition = partition;
    this.committed = committed?.next;
    this.note = committed?.note;
    this.low = low;
    this.stable = stable;
    this.end = end;
    this.#owner = owner;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get position(): number | undefined {
    return this.#position;
  }

  pause(): void {
    if (!this.lost.aborted) this.#owner.pause(this);
  }

  resume(): void {
    if (!this.lost.aborted) this.#owner.resume(this);
  }

  async commit(next: number, note?: string): Promise<boolean> {
    if (this.lost.aborted) return false;
    return await this.#owner.commit(this, next, note);
  }

  startAt(position: number): void {
    this.#position = position;
  }

  /**
   * Returns the fetched batch if it starts at the current position, and advances the position. Returns `nothing` if the batch is
   * empty. Returns `elsewhere` if the batch starts at a different offset, because an earlier generation fetched it or the library
   * changed its position.
   */
  accept(fetched: FetchedBatch): KafkaBatch | 'nothing' | 'elsewhere' {
    if (this.#position === undefined || Number(fetched.fetchedOffset) !== this.#position) return 'elsewhere';
    const batch = batchOf(fetched);
    if (batch === undefined) return 'nothing';
    this.#position = batch.next;
    return batch;
  }

  lose(): void {
    this.#lost.abort();
  }
}

/** Converts a fetched batch. Returns undefined if the batch contains nothing, not even messages to skip. */
function batchOf(fetched: FetchedBatch): KafkaBatch | undefined {
  if (fetched.rawMessages.length === 0) return undefined;
  const { topic, partition } = fetched;
  const next = wholeNumber(fetched.lastOffset(), topic, partition) + 1;
  let bytes = 0;
  const records = new Array<KafkaRecord>(fetched.messages.length);
  for (const [at, message] of fetched.messages.entries()) {
    const record = recordOf(message);
    bytes += bytesOf(record);
    records[at] = record;
  }
  return { records, next, stable: wholeNumber(fetched.highWatermark, topic, partition), bytes };
}

function recordOf({ offset, timestamp, key, value, headers }: FetchedMessage): KafkaRecord {
  return { offset: Number(offset), timestamp: Number(timestamp), key, value, headers };
}

function bytesOf({ key, value, headers }: KafkaRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, content] of headers) bytes += Buffer.byteLength(name) + (content?.length ?? 0);
  return bytes;
}

/** The partitions that are assigned to a member in one generation of its group. */
export class Generation {
  /** Offset manager for commits in this generation; undefined before the first join. */
  readonly offsets: OffsetManager | undefined;
  readonly #over = new AbortController();
  #partitions = new Map<string, Partition>();
  #released: Promise<void> | undefined;

  constructor(offsets?: OffsetManager) {
    this.offsets = offsets;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether the release of the partitions has started. No batch is delivered from then on. */
  get isReleased(): boolean {
    return this.#released !== undefined;
  }

  get isEmpty(): boolean {
    return this.#partitions.size === 0;
  }

  assign(partitions: readonly Partition[]): void {
    this.#partitions = new Map(partitions.map((partition) => [nameOf(partition), partition]));
  }

  find(at: TopicPartition): Partition | undefined {
    return this.#partitions.get(nameOf(at));
  }

  assigned(): readonly Partition[] {
    return [...this.#partitions.values()].filter(({ position }) => position !== undefined);
  }

  /** Runs `work` only once, even if `release` is called several times. */
  release(work: () => Promise<void>): Promise<void> {
    this.#released ??= work();
    return this.#released;
  }

  end(): void {
    this.#over.abort();
  }

  /** Ends the generation and marks its partitions as lost. */
  lose(): void {
    this.end();
    for (const partition of this.#partitions.values()) partition.lose();
    this.#partitions = new Map();
  }
}

/** The start offset of each partition. */
type Starts = readonly (readonly [Partition, number])[];

/** Performs the steps between a join and the first fetch of a generation: finds the assigned partitions and seeks to their start offsets. */
export class Assignment {
  readonly #group: ConsumerGroup;
  readonly #owner: PartitionOwner;
  readonly #throwIfOver: () => void;

  /** `throwIfOver` throws if the member has ended. */
  constructor(group: ConsumerGroup, owner: PartitionOwner, throwIfOver: () => void) {
    this.#group = group;
    this.#owner = owner;
    this.#throwIfOver = throwIfOver;
  }

  /** Returns the assigned partitions with their bounds and committed offsets. Rejects if a partition does not exist. */
  async partitions(): Promise<readonly Partition[]> {
    const group = this.#group;
    const taken = group.assigned().flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })));
    // If an earlier generation paused a partition, the library keeps it paused, so resume all partitions.
    group.resume(group.assigned().map(({ topic, partitions }) => ({ topic, partitions })));
    const [committed, bounds] = await Promise.all([
      this.#retrySettling(async () => fetchCommitted(await group.offsetManager.getCoordinator(), group.groupId, taken)),
      this.#retrySettling(() => fetchBounds(group.cluster, taken)),
    ]);
    return taken.map((one) => {
      const found = bounds.get(nameOf(one));
      if (found === undefined) throw new KafkaError('AORTA-KAFKA-PARTITION-MISSING', { ...one });
      return new Partition(one, committed.get(nameOf(one)), found, this.#owner);
    });
  }

  /** Seeks each partition to its start offset. Rejects with {@link Final} if a start offset is out of range. */
  async seek(starts: Starts): Promise<void> {
    if (starts.length === 0) return;
    const { cluster } = this.#group;
    const partitions = starts.map(([partition]) => partition);
    // Ask for the bounds again, because retention may have deleted records while the start offsets were determined.
    const now = await this.#retrySettling(() => fetchBounds(cluster, partitions));
    for (const [partition, next] of starts) await this.#seekOne(partition, next, now.get(nameOf(partition)) ?? partition);
  }

  async #seekOne({ topic, partition }: Partition, next: number, { low, end }: LogBounds): Promise<void> {
    if (!Number.isSafeInteger(next) || next < low || next > end) {
      throw new Final(new KafkaError('AORTA-KAFKA-OUT-OF-RANGE', { topic, partition, next, low, end }));
    }
    const group = this.#group;
    const at = { topic, partition, offset: String(next) };
    // Otherwise the library fetches the committed offset again and starts there.
    group.cluster.markOffsetAsCommitted({ groupId: group.groupId, ...at });
    await group.offsetManager.seek(at);
  }

  #retrySettling<T>(work: () => Promise<T>): Promise<T> {
    return retrySettling(work, this.#throwIfOver);
  }
}

/** Asks `onAssigned` for the start offset of a partition. Errors of `onAssigned` are final. */
export async function startOf(
  partition: Partition,
  onAssigned: (partition: Partition) => Promise<number> | number,
): Promise<readonly [Partition, number]> {
  try {
    return [partition, await onAssigned(partition)];
  } catch (error) {
    throw new Final(error);
  }
}

/** Retries `work` for a while, because a broker that has just started may refuse requests at first. `throwIfOver` throws if retrying is pointless. */
export async function retrySettling<T>(work: () => Promise<T>, throwIfOver: () => void): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isSettling(error) || tries === SETTLING_TRIES) throw error;
      throwIfOver();
      await pause(SETTLE_MS);
    }
  }
}
