import { type Address, exchange, int32 } from './exchange.ts';

/** A broker that is all of its cluster. */
export interface Cluster extends Address {
  readonly id: string;
}

/** Metadata, of no topic: what the broker knows of the cluster. */
const METADATA = { api: 3, version: 4, body: [int32(0), Buffer.from([0])] };
/** Where the answer has the number of brokers: after its id and how long it was throttled. */
const BROKERS_AT = 8;
const ANSWER_MS = 1000;

/**
 * Whether the broker of this cluster serves clients. A port that listens is not enough: until the broker is registered, it
 * refuses them; and two that chose the same port must not take one for the other.
 */
export async function isReady(cluster: Cluster): Promise<boolean> {
  const answer = await exchange(cluster, METADATA, ANSWER_MS);
  return answer !== undefined && answer.readInt32BE(BROKERS_AT) > 0 && answer.includes(cluster.id);
}
