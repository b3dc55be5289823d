import type { Socket } from 'node:net';
import type { KafkaRecord } from '../client.ts';

/**
 * Types for internals of kafkajs 2.2.4 that its own types omit. The version is pinned, and a test checks that all of these
 * internals exist.
 */

export type Library = typeof import('kafkajs');

/** A fetched message. 64-bit numbers are decimal strings. */
export interface FetchedMessage {
  readonly offset: string;
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Our own decoder returns the headers as a list. */
  readonly headers: KafkaRecord['headers'];
  /** Set for messages that are not delivered: transaction markers, and messages that the workarounds exclude. */
  isControlRecord: boolean;
  readonly batchContext: { readonly producerId: string; readonly inTransaction: boolean };
}

/** The messages that one fetch returned for one partition. */
export interface FetchedBatch {
  readonly topic: string;
  readonly partition: number;
  readonly fetchedOffset: string;
  /** Our workarounds set it to the last stable offset. */
  readonly highWatermark: string;
  readonly messages: readonly FetchedMessage[];
  readonly rawMessages: readonly FetchedMessage[];
  lastOffset(): string;
}

export interface FetchedPartition {
  highWatermark?: string;
  /** Absent in old versions of the protocol; negative if the request did not ask for committed records only. */
  readonly lastStableOffset?: string;
  abortedTransactions?: readonly { readonly producerId: string; readonly firstOffset: string }[] | null;
  readonly messages: readonly FetchedMessage[];
}

interface FetchAnswer {
  readonly responses: readonly { readonly topicName: string; readonly partitions: readonly FetchedPartition[] }[];
}

interface TopicOffsets {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly offset: string; readonly metadata?: string | null }[];
}

/** A broker's answer for the records of one partition. */
export interface PartitionAnswer {
  readonly partition: number;
  /** 0 if the records were written. */
  readonly errorCode: number;
  readonly baseOffset: string;
}

/** The definition of a protocol request, in every version that the library supports. */
export type RequestDefinition = object;

export interface ProtocolRequest {
  readonly request: object;
  readonly response: { decode(bytes: Buffer): Promise<unknown>; parse(data: unknown): Promise<unknown> };
}

export interface Broker {
  /** Connections to the broker. Used directly, because the library's own send method is private. */
  readonly connectionPool: { send(request: ProtocolRequest): Promise<unknown> };
  /** Returns the request in the highest version that both the library and the broker support. */
  lookupRequest(api: number, definition: RequestDefinition): (values: object) => ProtocolRequest;
  initProducerId(request: { transactionTimeout: number }): Promise<{ producerId: string; producerEpoch: number }>;
  disconnect(): Promise<void>;
  isConnected(): boolean;
  fetch(request: object): Promise<FetchAnswer>;
  findGroupCoordinator(request: { groupId: string; coordinatorType: number }): Promise<unknown>;
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
  heartbeat(request: { groupId: string; memberId: string; groupGenerationId: number }): Promise<unknown>;
  offsetFetch(request: { groupId: string; topics: readonly object[] }): Promise<{ responses: readonly TopicOffsets[] }>;
  offsetCommit(request: {
    groupId: string;
    memberId: string;
    groupGenerationId: number;
    topics: readonly object[];
  }): Promise<unknown>;
  listOffsets(request: { isolationLevel: number; topics: readonly object[] }): Promise<{ responses: readonly TopicOffsets[] }>;
}

export interface Cluster {
  getNodeIds(): readonly string[];
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[];
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Record<string, number[]>;
  refreshMetadata(): Promise<void>;
  findBroker(broker: { nodeId: string }): Promise<Broker>;
  findGroupCoordinator(group: { groupId: string }): Promise<Broker>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  markOffsetAsCommitted(at: { groupId: string; topic: string; partition: number; offset: string }): void;
  disconnect(): Promise<void>;
}

export interface OffsetManager {
  coordinator: Broker;
  getCoordinator(): Promise<Broker>;
  seek(at: { topic: string; partition: number; offset: string }): Promise<void>;
  commitOffsets(offsets: { topics: readonly object[] }): Promise<void>;
}

export interface ConsumerGroup {
  readonly assigners: readonly object[];
  readonly cluster: Cluster;
  readonly groupId: string;
  readonly offsetManager: OffsetManager;
  readonly coordinator: Broker;
  memberId: string | null;
  readonly generationId: number;
  joinAndSync(): Promise<void>;
  fetch(nodeId: string): Promise<FetchedBatch[]>;
  recoverFromOffsetOutOfRange(error: { topic: string; partition: number }): Promise<void>;
  resolveOffset(at: { topic: string; partition: number; offset: string }): void;
  /** When the library last sent a heartbeat, by the system clock. */
  lastRequest: number;
  heartbeat(options: { interval: number }): Promise<void>;
  assigned(): readonly { readonly topic: string; readonly partitions: readonly number[] }[];
  pause(partitions: readonly { topic: string; partitions: readonly number[] }[]): void;
  resume(partitions: readonly { topic: string; partitions: readonly number[] }[]): void;
  leave(): Promise<void>;
}

/** Runs the fetch loops of a consumer, one for each broker. */
export interface Runner {
  readonly running: boolean;
  /** Ends the current fetch loops after their running fetches. */
  readonly fetchManager: { stop(): Promise<void> };
  start(): Promise<void>;
  stop(): Promise<void>;
  fetch(nodeId: string): Promise<FetchedBatch[]>;
}

export interface LibraryConnection {
  readonly socket?: Socket;
  send(request: object): Promise<unknown>;
  disconnect(): Promise<boolean>;
}

export interface Authenticator {
  connection: LibraryConnection;
  authenticate(): Promise<void>;
}

interface SocketRequest {
  readonly requestTimeout: number;
  /** Rejects the request because there was no answer in time. */
  timeoutRequest(): void;
}

export interface RequestQueue {
  requestTimeoutIntervalId: NodeJS.Timeout | undefined;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  throttledUntil: number;
  readonly requestTimeout: number;
  readonly enforceRequestTimeout: boolean;
  readonly maxInFlightRequests: number | null;
  /** Requests that wait for an answer, by correlation id. */
  readonly inflight: ReadonlyMap<number, SocketRequest>;
  readonly pending: readonly unknown[];
  readonly isConnected: () => boolean;
  sendSocketRequest(request: SocketRequest): void;
  canSendSocketRequestImmediately(): boolean;
  maybeThrottle(milliseconds?: number | null): void;
  scheduleRequestTimeoutCheck(): void;
  scheduleCheckPendingRequests(): void;
  checkPendingRequests(): void;
  destroy(): void;
}

/** The brokers of a cluster, and the metadata of its topics. */
export interface BrokerPool {
  readonly metadataMaxAge: number;
  /** When the metadata must be read again, by the system clock; null if it must be read now. */
  metadataExpireAt: number | null;
  refreshMetadata(topics: readonly string[]): Promise<void>;
  refreshMetadataIfNecessary(topics: readonly string[]): Promise<void>;
}

export interface DecodedRecordBatch {
  readonly firstOffset: string;
  readonly lastOffsetDelta: number;
  readonly producerId: string;
  readonly inTransaction: boolean;
  readonly records: FetchedMessage[];
}

export interface Encoder {
  readonly buffer: Buffer;
  writeInt8(value: number): Encoder;
  writeVarInt(value: number): Encoder;
  writeVarLong(value: number): Encoder;
  writeVarIntBytes(value: Buffer | null): Encoder;
  writeVarIntString(value: string): Encoder;
}

export interface EncoderClass {
  new (bytes?: number): Encoder;
  sizeOfVarInt(value: number): number;
  sizeOfVarLong(value: number): number;
}

/** The fields of a batch that are needed to decode its records. Times are in milliseconds since 1970, as decimal strings. */
export interface RecordBatchContext {
  readonly firstOffset: string;
  readonly firstTimestamp: string;
  readonly maxTimestamp: string;
  readonly timestampType: number;
  readonly isControlBatch: boolean;
  readonly producerId: string;
  readonly inTransaction: boolean;
}
