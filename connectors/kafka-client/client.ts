/**
 * A Kafka cluster, as sources and streams use it. One client library stands behind it at a time, and no type of a library
 * comes out: what a library loses, doubles or lets stand still is worked around behind this interface.
 *
 * Offsets are whole numbers: a partition of more than 2^53 records is refused (AORTA-KAFKA-…). Errors come out of the
 * catalogue; values of records never stand in them.
 */
export interface KafkaClient extends AsyncDisposable {
  /** Joins a group and hands over what comes, until stopped. Resolves when the first assignment is known, rejects where the cluster cannot be used. */
  consume(options: ConsumeOptions): Promise<KafkaConsumer>;
  /** Idempotent, and waits for all replicas in sync. */
  producer(options: ProducerOptions): Promise<KafkaProducer>;
  /** Questions and topics. One connection of its own, closed with the client. */
  readonly admin: KafkaAdmin;
  /** Stops what is open, as `await using` does. Never rejects, and has a deadline of its own. */
  close(): Promise<void>;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface KafkaRecord {
  readonly offset: number;
  /** Milliseconds since 1970, as the topic keeps them: of the broker (LogAppendTime) or of the producer (CreateTime). */
  readonly timestamp: number;
  readonly key: Buffer | null;
  /** null is a tombstone. */
  readonly value: Buffer | null;
  /** In the order of the record; a name may come twice, a value may be null. */
  readonly headers: readonly (readonly [name: string, value: Buffer | null])[];
}

/** Some records of one partition, in the order of their offsets. Offsets may have gaps (compaction, transactions). */
export interface KafkaBatch {
  readonly records: readonly KafkaRecord[];
  /** The offset after the last record, or after what was skipped behind it: where reading goes on. */
  readonly next: number;
  /** The end of the log, as the broker told it with the batch. */
  readonly end: number;
  /** Bytes of keys, values and headers. */
  readonly bytes: number;
}

/** A partition, for as long as this member of the group has it. When it comes back after a rebalance it is another one. */
export interface AssignedPartition extends TopicPartition {
  /** The next offset, as the group had committed it when the partition was assigned; undefined where it never did. */
  readonly committed: number | undefined;
  /** What the group wrote down beside it (the metadata of Kafka's commits); undefined where it wrote nothing. */
  readonly note?: string | undefined;
  /** First offset that the log holds, and the end of the log, when the partition was assigned. */
  readonly low: number;
  readonly end: number;
  /** Aborts when the partition is not ours any more: what was read of it may be finished, and is never committed. */
  readonly lost: AbortSignal;
  /** Nothing more comes, apart from one batch that may be on its way, until {@link resume}. A second call does nothing. */
  pause(): void;
  resume(): void;
  /**
   * Commits the next offset. Resolves with false where the partition is not ours any more (nothing was committed);
   * rejects where the cluster cannot be reached: try again later, or not, and never end the consumer by it. The note is
   * written down beside it, and is known to whoever is assigned the partition later.
   */
  commit(next: number, note?: string): Promise<boolean>;
}

export interface ConsumeOptions {
  readonly group: string;
  /** Names, or patterns; topics that match one later are found within `metadataAgeMs`. */
  readonly topics: readonly (string | RegExp)[];
  /**
   * A partition was assigned: where to begin, from {@link AssignedPartition.low} to {@link AssignedPartition.end}. An
   * offset outside them, and an error thrown, end the consumer with that error. Nothing comes before it has resolved.
   */
  readonly onAssigned: (partition: AssignedPartition) => Promise<number> | number;
  /** Called with the batches of a partition one after another, contiguous from the beginning that was chosen. Only hands over: it does not wait and does not throw. */
  readonly onBatch: (partition: AssignedPartition, batch: KafkaBatch) => void;
  /**
   * A rebalance, or {@link KafkaConsumer.stop}, takes partitions away soon: the last moment to make durable and to commit
   * what was read. It is waited for at most `releaseMs`. The partitions' signals abort afterwards.
   */
  readonly onRelease?: (partitions: readonly AssignedPartition[]) => Promise<void>;
  /** The consumer cannot go on, whatever it tried: nothing comes any more. Called once. */
  readonly onFailure: (error: Error) => void;
  /** What was survived, for counting. */
  readonly onIncident?: (incident: KafkaIncident) => void;
  /** Default 10,000. */
  readonly releaseMs?: number;
  /** Default 30,000; the broker gives a silent member's partitions to others after it. */
  readonly sessionMs?: number;
  /** Default 180,000. */
  readonly metadataAgeMs?: number;
  /** Without a sign of life of the consumer for so long it is made anew. Default: twice the session. */
  readonly watchdogMs?: number;
}

/** `rebalance`: partitions were shared out anew. `crash`: the library's consumer ended and was made anew. `silence`: so did one that gave no sign of life. `commit`: one failed. */
export type KafkaIncident = 'rebalance' | 'crash' | 'silence' | 'commit';

export interface KafkaConsumer extends AsyncDisposable {
  /** What this member has now. */
  assigned(): readonly AssignedPartition[];
  /** Leaves the group, as `await using` does: `onRelease` and commits under way end first, no batch comes from the call on. Never rejects, and has a deadline of its own. A second call does nothing. */
  stop(): Promise<void>;
}

export type Compression = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

export interface ProducerOptions {
  /** Default none. */
  readonly compression?: Compression;
  /** Calls under way at most. Default 4. */
  readonly inFlight?: number;
}

export interface ProducedRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: readonly (readonly [name: string, value: Buffer | null])[];
  /** Default: now, where the topic keeps the producer's time. */
  readonly timestamp?: number;
}

export interface KafkaProducer {
  /** Resolves when all replicas in sync have the records; gives the offset of the first. Order of calls to one partition is kept, also through repetitions. */
  produce(to: TopicPartition, records: readonly ProducedRecord[]): Promise<number>;
  /** Waits for calls under way. Never rejects. A second call does nothing. */
  close(): Promise<void>;
}

export interface TopicSettings {
  readonly topic: string;
  readonly partitions: number;
  /** Default: the broker's. */
  readonly replicas?: number;
  /** Settings of the topic, such as `retention.ms`. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface LogBounds {
  readonly low: number;
  readonly end: number;
}

export interface KafkaGroupMember {
  /** The name that it gave the brokers. */
  readonly client: string;
  /** Address from which it speaks with the brokers. */
  readonly host: string;
  readonly partitions: readonly TopicPartition[];
}

export interface KafkaAdmin {
  /** Names of all topics that this client may see, in alphabetical order; internal ones left out. */
  topics(): Promise<readonly string[]>;
  /** Number of partitions; undefined where there is no such topic. */
  partitions(topic: string): Promise<number | undefined>;
  /** Of every partition, by its number. */
  bounds(topic: string): Promise<readonly LogBounds[]>;
  /** First offset of every partition, by its number, whose record is of that time (milliseconds since 1970) or later; the end of the log where none is. */
  since(topic: string, time: number): Promise<readonly number[]>;
  /** Next offset of every partition, by its number; undefined where the group committed none. */
  committed(group: string, topic: string): Promise<readonly (number | undefined)[]>;
  /** Sets next offsets of a group that has no members. */
  reset(group: string, topic: string, next: ReadonlyMap<number, number>): Promise<void>;
  /** Members of a group and what each has; none where nobody is in it. */
  members(group: string): Promise<readonly KafkaGroupMember[]>;
  /**
   * Lets members of that client id leave a group, and gives how many there were: for a process that has ended and cannot
   * do so itself, so that others need not wait for its session. A member that lives joins again.
   */
  dismiss(group: string, client: string): Promise<number>;
  /** Settings of a topic as they are in force. */
  settings(topic: string): Promise<ReadonlyMap<string, string>>;
  /** Gives false where it was there. */
  create(topic: TopicSettings): Promise<boolean>;
  addPartitions(topic: string, partitions: number): Promise<void>;
}

/** Returns a token that is valid now. Rejects with an error of the catalogue. */
export type TokenSource = () => Promise<string>;

/** Who logs in, and by which mechanism of SASL. */
export type KafkaLogin =
  | { readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; readonly user: string; readonly password: string }
  | { readonly mechanism: 'oauthbearer'; readonly token: TokenSource };

/** How the cluster is reached. */
export interface KafkaConnection {
  /** `host:port` of some brokers. */
  readonly brokers: readonly string[];
  /** As others see this process: in the broker's log and in the list of a group's members. */
  readonly clientId: string;
  readonly tls?:
    | boolean
    | {
        readonly ca?: string;
        readonly cert?: string;
        readonly key?: string;
        /** Of an encrypted key. */
        readonly passphrase?: string;
        readonly serverName?: string;
      };
  readonly login?: KafkaLogin;
  /** Default 10,000. */
  readonly connectMs?: number;
  /** Default 60,000. */
  readonly requestMs?: number;
}
