/**
 * A client for a Kafka cluster, used by sources and streams. The interface hides the client library, its types, and the
 * workarounds for its faults.
 *
 * Offsets are numbers; an offset above 2^53 is refused (AORTA-KAFKA-OFFSET). Errors have codes from the catalogue and never
 * contain values of records.
 */
export interface KafkaClient extends AsyncDisposable {
  /** Joins a group and delivers batches until the consumer is stopped. Resolves after the first assignment. Rejects if the cluster is unreachable or refuses the request. */
  consume(options: ConsumeOptions): Promise<KafkaConsumer>;
  /** Opens an idempotent producer that waits for all in-sync replicas. */
  producer(options: ProducerOptions): Promise<KafkaProducer>;
  /** Answers queries and administers topics over its own connection, which is closed with the client. */
  readonly admin: KafkaAdmin;
  /** Closes all consumers and producers, as `await using` does. Never rejects, and has its own deadline. */
  close(): Promise<void>;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface KafkaRecord {
  readonly offset: number;
  /** Milliseconds since 1970, set by the broker (LogAppendTime) or the producer (CreateTime), depending on the topic. */
  readonly timestamp: number;
  readonly key: Buffer | null;
  /** Null for a tombstone. */
  readonly value: Buffer | null;
  /** The headers in their original order. Names may repeat, and values may be null. */
  readonly headers: readonly (readonly [name: string, value: Buffer | null])[];
}

/** Records of one partition in offset order. Compaction and transactions may leave gaps between offsets. */
export interface KafkaBatch {
  readonly records: readonly KafkaRecord[];
  /** The offset to continue from: after the last record, or after a gap that follows the last record. */
  readonly next: number;
  /** The last stable offset of the log, as the broker reported it with the batch. */
  readonly stable: number;
  /** Total size of keys, values and headers, in bytes. */
  readonly bytes: number;
}

/** A partition while it is assigned to this member. Assigning the partition again after a rebalance creates a new object. */
export interface AssignedPartition extends TopicPartition {
  /** The group's committed offset at the time of the assignment; undefined if the group had committed none. */
  readonly committed: number | undefined;
  /** The metadata that the group committed with the offset; undefined if there is none. */
  readonly note?: string | undefined;
  /** The bounds of the log at the time of the assignment. */
  readonly low: number;
  readonly stable: number;
  readonly end: number;
  /** Aborts when the partition is revoked. Records already read may be processed, but can no longer be committed. */
  readonly lost: AbortSignal;
  /** Stops deliveries until {@link resume}. One batch may still arrive after the call. A second call does nothing. */
  pause(): void;
  resume(): void;
  /**
   * Commits the next offset to read, with an optional note for later owners. If the partition was revoked, commits nothing and
   * resolves with false. Rejects if the cluster is unreachable. The caller may then retry later, and must not end the consumer.
   */
  commit(next: number, note?: string): Promise<boolean>;
}

export interface ConsumeOptions {
  readonly group: string;
  /** Topic names or patterns. New topics that match a pattern are found within `metadataAgeMs`. */
  readonly topics: readonly (string | RegExp)[];
  /** Receives all topics of the cluster. Returns the topics that patterns must leave out. Default: none. */
  readonly except?: (topics: readonly string[]) => ReadonlySet<string>;
  /**
   * Called for each assigned partition. Returns the start offset, which must be between the partition's `low` and `end`. If the
   * offset is outside this range, or if the callback throws, the consumer ends with an error. Deliveries start after the returned
   * promise resolves.
   */
  readonly onAssigned: (partition: AssignedPartition) => Promise<number> | number;
  /** Called with each batch of a partition, in order and without gaps, beginning at the start offset. Must not block or throw. */
  readonly onBatch: (partition: AssignedPartition, batch: KafkaBatch) => void;
  /**
   * Called before a rebalance or {@link KafkaConsumer.stop} revokes partitions. This is the last chance to make records durable
   * and to commit. The consumer waits at most `releaseMs` and then aborts the signals of the partitions.
   */
  readonly onRelease?: (partitions: readonly AssignedPartition[]) => Promise<void>;
  /** Called once if the consumer has failed and delivers nothing more. */
  readonly onFailure: (error: Error) => void;
  /** Called for metrics after each fault that the consumer survived. */
  readonly onIncident?: (incident: KafkaIncident) => void;
  /** Default 10,000. */
  readonly releaseMs?: number;
  /** Default 30,000. If a member is silent for this time, the broker assigns its partitions to other members. */
  readonly sessionMs?: number;
  /** Default 180,000. */
  readonly metadataAgeMs?: number;
  /** The consumer is replaced if it shows no sign of life for this long. Default: twice `sessionMs`. */
  readonly watchdogMs?: number;
}

/**
 * `rebalance`: partitions were reassigned. `crash`: the library's consumer ended and was replaced. `silence`: the library's
 * consumer showed no sign of life and was replaced. `commit`: a commit failed.
 */
export type KafkaIncident = 'rebalance' | 'crash' | 'silence' | 'commit';

export interface KafkaConsumer extends AsyncDisposable {
  assigned(): readonly AssignedPartition[];
  /**
   * Leaves the group, as `await using` does. No batch is delivered after the call. Waits for `onRelease` and running commits
   * before it leaves. Never rejects, and has its own deadline. A second call does nothing.
   */
  stop(): Promise<void>;
}

export type Compression = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

export interface ProducerOptions {
  /** Default: none. */
  readonly compression?: Compression;
  /** Maximum number of concurrent calls. Default 4. */
  readonly inFlight?: number;
  /**
   * A name that at most one producer holds. The newest producer takes it over, and the brokers then refuse the previous
   * holder's writes, even those in progress. Each call is one transaction. After a rejected call, the producer is unusable.
   */
  readonly transactionalId?: string;
}

export interface ProducedRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: readonly (readonly [name: string, value: Buffer | null])[];
  /** Milliseconds since 1970. Default: now. Only used if the topic keeps producer times (CreateTime). */
  readonly timestamp?: number;
}

export interface KafkaProducer {
  /**
   * Writes records to a partition and returns the offset of the first one. Resolves when all in-sync replicas have the records.
   * Calls to one partition keep their order, even if they are retried.
   */
  produce(to: TopicPartition, records: readonly ProducedRecord[]): Promise<number>;
  /** Waits for running calls. Never rejects. A second call does nothing. */
  close(): Promise<void>;
}

export interface TopicSettings {
  readonly topic: string;
  readonly partitions: number;
  /** Default: the broker's setting. */
  readonly replicas?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

export interface LogBounds {
  readonly low: number;
  /**
   * The last stable offset. Only records before it can be read: it is the first offset of the oldest open transaction, or `end` if
   * no transaction is open. A reader that waits for `end` may wait for ever.
   */
  readonly stable: number;
  /** The offset after the last record, even if the transaction that wrote the record is still open. */
  readonly end: number;
}

/** A group's committed offset of a partition, and the note stored with it. */
export interface Committed {
  readonly next: number;
  readonly note: string | undefined;
}

export interface KafkaGroupMember {
  /** Client id of the member. */
  readonly client: string;
  /** The member's address, as the brokers see it. */
  readonly host: string;
  readonly partitions: readonly TopicPartition[];
}

export interface KafkaAdmin {
  /** Names of all topics visible to this client, in alphabetical order, without internal topics. */
  topics(): Promise<readonly string[]>;
  /** Number of partitions; undefined if the topic does not exist. */
  partitions(topic: string): Promise<number | undefined>;
  /** The bounds of every partition's log, by partition number. */
  bounds(topic: string): Promise<readonly LogBounds[]>;
  /**
   * The timestamp (milliseconds since 1970) of the first record at or after an offset, even if its transaction is open;
   * undefined if there is no record.
   */
  timestampAt(at: TopicPartition, offset: number): Promise<number | undefined>;
  /** For every partition, the first offset of a record at or after `time` (milliseconds since 1970), or the end of the log if there is no such record. */
  since(topic: string, time: number): Promise<readonly number[]>;
  /** The committed offset of every partition; undefined if the group has committed none. */
  committed(group: string, topic: string): Promise<readonly (number | undefined)[]>;
  /** Like {@link committed}, with the metadata of each commit. */
  commits(group: string, topic: string): Promise<readonly (Committed | undefined)[]>;
  /** Sets the committed offsets of a group that has no members. */
  reset(group: string, topic: string, next: ReadonlyMap<number, number>): Promise<void>;
  /** The members of a group with their partitions; empty if the group has none. */
  members(group: string): Promise<readonly KafkaGroupMember[]>;
  /**
   * Removes the members with this client id from a group and returns their number. Used for a process that ended without leaving
   * the group, so that the other members need not wait for its session to expire. A member that is still alive joins again.
   */
  removeMembers(group: string, client: string): Promise<number>;
  settings(topic: string): Promise<ReadonlyMap<string, string>>;
  /** Returns false if the topic already exists. */
  create(topic: TopicSettings): Promise<boolean>;
  addPartitions(topic: string, partitions: number): Promise<void>;
}

/** Returns a valid token. Rejects with an error from the catalogue. */
export type TokenSource = () => Promise<string>;

export type KafkaLogin =
  | { readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; readonly user: string; readonly password: string }
  | { readonly mechanism: 'oauthbearer'; readonly token: TokenSource };

export interface KafkaConnection {
  /** Addresses of some brokers, as `host:port`. */
  readonly brokers: readonly string[];
  /** Name of this process in the broker's log and in member lists. */
  readonly clientId: string;
  readonly tls?:
    | boolean
    | {
        readonly ca?: string;
        readonly cert?: string;
        readonly key?: string;
        /** Passphrase of an encrypted key. */
        readonly passphrase?: string;
        readonly serverName?: string;
      };
  readonly login?: KafkaLogin;
  /** Default 10,000. */
  readonly connectMs?: number;
  /** Default 60,000. */
  readonly requestMs?: number;
}
