import { type Address, exchange, int32 } from './exchange.ts';
import { metadataOf } from './metadata.ts';

/** A broker of a cluster. */
export interface Cluster extends Address {
  readonly id: string;
  /** Its number; where it is all of its cluster, that is 1. */
  readonly node?: number;
}

/** Metadata, of no topic: what the broker knows of the cluster. */
const METADATA = { api: 3, version: 4, body: [int32(0), Buffer.from([0])] };
const ANSWER_MS = 1000;

/**
 * Whether this broker of this cluster serves clients. A port that listens is not enough: until the broker is registered, it
 * refuses them; and two that chose the same port must not take one for the other.
 */
export async function isReady(cluster: Cluster): Promise<boolean> {
  const answer = await exchange(cluster, METADATA, ANSWER_MS);
  return answer !== undefined && metadataOf(answer).nodes.includes(cluster.node ?? 1) && answer.includes(cluster.id);
}
