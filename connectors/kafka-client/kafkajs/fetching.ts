import type { ConsumeOptions, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { pause, SETTLE_MS } from './deadline.ts';
import type { Generation } from './generation.ts';
import type { ConsumerGroup, FetchedBatch } from './internals.ts';
import { Final, type MemberLife } from './member-end.ts';
import type { Membership } from './membership.ts';
import type { Partition } from './partition.ts';
import { askBounds, nameOf } from './positions.ts';

/** Hands over what the library fetches, if it is of a partition that is still this member's, and from exactly where that stands. */
export class Fetching {
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

  /** Fetches and hands over. Gives nothing back: for the library there was nothing, and it goes on. */
  async fetching(group: ConsumerGroup, fetch: () => Promise<FetchedBatch[]>): Promise<FetchedBatch[]> {
    const { generation, pulse } = this.#membership;
    if (generation.isEmpty && group.assigned().some(({ partitions }) => partitions.length > 0)) {
      // Given back already: what came would go nowhere, again and again, until the library hears of the rebalance.
      await pause(SETTLE_MS);
      return [];
    }
    const fetched = await fetch();
    pulse.heard();
    // After a long pause of this process the partitions may be somebody else's: the broker knows.
    if (fetched.length > 0 && pulse.unconfirmedFor(Date.now()) > this.#sessionMs / 2 && !this.#isShut(generation)) {
      const sentAt = Date.now();
      await group.heartbeat({ interval: 0 });
      pulse.confirmed(sentAt);
    }
    for (const batch of fetched) {
      if (this.#isShut(generation)) break;
      this.#handOver(generation, group, batch);
    }
    return [];
  }

  /** The broker does not have the offset that was asked for: returns if that will pass, else ends the member. */
  async outOfRange(group: ConsumerGroup, { topic, partition }: TopicPartition): Promise<void> {
    const found = this.#membership.generation.find({ topic, partition });
    const next = found?.position;
    const bounds = found === undefined ? undefined : (await askBounds(group.cluster, [found])).get(nameOf(found));
    if (next === undefined || bounds === undefined || (next >= bounds.low && next <= bounds.end)) {
      // Not ours any more, or out of range only for a broker that has just become the leader.
      return await pause(SETTLE_MS);
    }
    throw this.#life.end(new Final(new KafkaError('AORTA-KAFKA-OUT-OF-RANGE', { topic, partition, next, ...bounds })));
  }

  #handOver(generation: Generation, group: ConsumerGroup, fetched: FetchedBatch): void {
    const { topic, partition } = fetched;
    const found = generation.find(fetched);
    if (found === undefined) return;
    let batch: ReturnType<Partition['take']>;
    try {
      batch = found.take(fetched);
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

  /** Whether what was fetched in the generation comes too late. */
  #isShut(generation: Generation): boolean {
    return generation !== this.#membership.generation || generation.isReleased || this.#life.isOver();
  }
}
