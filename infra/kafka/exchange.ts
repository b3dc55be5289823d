import { connect } from 'node:net';

const ANSWER_MS = 1000;

interface Address {
  readonly host: string;
  readonly port: number;
}

export function addressOf(broker: string): Address {
  const colon = broker.lastIndexOf(':');
  return { host: broker.slice(0, colon), port: Number(broker.slice(colon + 1)) };
}

/**
 * Sends one request in Kafka's protocol over a new connection. Resolves with the response, starting at its correlation
 * id, or with undefined if no response arrives. This function is enough to check a broker and to create topics, so this
 * folder does not need a Kafka client.
 */
export function exchange({ host, port }: Address, request: Request, patienceMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    let answer = Buffer.alloc(0);
    const end = (whole: Buffer | undefined): void => {
      socket.destroy();
      resolve(whole);
    };
    socket.setTimeout(patienceMs, () => end(undefined));
    socket.on('error', () => end(undefined));
    socket.on('close', () => end(undefined));
    socket.on('connect', () => socket.write(written(request)));
    socket.on('data', (bytes) => {
      answer = Buffer.concat([answer, bytes]);
      if (answer.length >= 4 && answer.length >= 4 + answer.readInt32BE(0)) end(answer.subarray(4));
    });
  });
}

export interface Request {
  /** API key: Kafka's number for the type of the request. */
  readonly api: number;
  readonly version: number;
  readonly body: readonly Buffer[];
}

/** Encodes a request with its length and a correlation id, but without a client id. */
function written({ api, version, body }: Request): Buffer {
  const request = Buffer.concat([int16(api), int16(version), int32(1), int16(-1), ...body]);
  return Buffer.concat([int32(request.length), request]);
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export const text = (value: string): Buffer => Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)]);

/** The address of a broker, and the id of its cluster. */
export interface Cluster extends Address {
  readonly id: string;
  /** The broker's node id. Default: 1. */
  readonly node?: number;
}

/** A Metadata request for zero topics, which returns only the brokers of the cluster. */
const METADATA = { api: 3, version: 4, body: [int32(0), Buffer.from([0])] };

/** A broker's view of its cluster. */
export interface Metadata {
  /** Numbers of the brokers that are alive. */
  readonly nodes: readonly number[];
  readonly partitions: readonly PartitionMetadata[];
}

interface PartitionMetadata {
  readonly topic: string;
  readonly partition: number;
  /** -1 if the partition has no leader. */
  readonly leader: number;
  readonly replicas: readonly number[];
  readonly inSync: readonly number[];
}

/** Parses the response to a Metadata request (version 4). `answer` starts at the correlation id. */
export function metadataOf(answer: Buffer): Metadata {
  let at = 8;
  const passed = (bytes: number): number => {
    at += bytes;
    return at - bytes;
  };
  const int16 = (): number => answer.readInt16BE(passed(2));
  const int32 = (): number => answer.readInt32BE(passed(4));
  const text = (): string => {
    const length = Math.max(0, int16());
    return answer.toString('utf8', passed(length), at);
  };
  const list = <One>(one: () => One): One[] => Array.from({ length: Math.max(0, int32()) }, one);
  const nodes = list(() => {
    const node = int32();
    text();
    int32();
    text();
    return node;
  });
  // Skip the cluster id and the controller id.
  text();
  int32();
  const partitions = list(() => {
    int16();
    const topic = text();
    passed(1);
    return list(() => {
      int16();
      const [partition, leader] = [int32(), int32()];
      return { topic, partition, leader, replicas: list(int32), inSync: list(int32) };
    });
  });
  return { nodes, partitions: partitions.flat() };
}

/**
 * Returns whether the given broker accepts clients. An open port is not enough, because a broker refuses clients until it
 * is registered. The cluster id and the node id in the response show whether a different broker has taken over the port.
 */
export async function isReady(cluster: Cluster): Promise<boolean> {
  const answer = await exchange(cluster, METADATA, ANSWER_MS);
  return answer !== undefined && metadataOf(answer).nodes.includes(cluster.node ?? 1) && answer.includes(cluster.id);
}
