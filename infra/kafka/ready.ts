import { type Address, exchange, int32 } from './exchange.ts';
import { metadataOf } from './metadata.ts';

/** The address of a broker, and the id of its cluster. */
export interface Cluster extends Address {
  readonly id: string;
  /** The broker's node id. Default: 1. */
  readonly node?: number;
}

/** A Metadata request for zero topics, which returns only the brokers of the cluster. */
const METADATA = { api: 3, version: 4, body: [int32(0), Buffer.from([0])] };
const ANSWER_MS = 1000;

/**
 * Returns whether the given broker accepts clients. An open port is not enough, because a broker refuses clients until it
 * is registered. The cluster id and the node id in the response show whether a different broker has taken over the port.
 */
export async function isReady(cluster: Cluster): Promise<boolean> {
  const answer = await exchange(cluster, METADATA, ANSWER_MS);
  return answer !== undefined && metadataOf(answer).nodes.includes(cluster.node ?? 1) && answer.includes(cluster.id);
}
