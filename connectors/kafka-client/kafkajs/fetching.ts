import type { ConsumeOptions, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { pause, SETTLE_MS } from './deadline.ts';
import type { Generation } from './generation.ts';
import type { ConsumerGroup, FetchedBatch } from './internals.ts';
import { Final, type MemberLife } from './member-end.ts';
import type { Membership } from './membership.ts';
import type { Partition } from './partition.ts';
import { askBounds, nameOf } from './positions.ts';

/**
 * Delivers each fetched batch if its partition is still assigned to this member and the batch starts at the partition's
 * position.
 */
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

  /** Fetches batches and delivers them. Returns an empty list, so that the library has nothing to process. */
  async fetching(group: ConsumerGroup, fetch: () => Promise<FetchedBatch[]>): Promise<FetchedBatch[]> {
    const { generation, pulse } = this.#membership;
    if (generation.isEmpty && group.assigned().some(({ partitions }) => partitions.length > 0)) {
      // The partitions are already released. Without this pause, the library would fetch in a tight loop until it notices the
      // rebalance.
      await pause(SETTLE_MS);
      return [];
    }
    const fetched = await fetch();
    pulse.heard();
    // If this process was paused for a long time, the partitions may have a new owner, so ask the broker.
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

  /**
   * Handles an offset that the broker reports as out of range. If the error is temporary, waits for a moment. Otherwise, ends
   * the member.
   */
  async outOfRange(group: ConsumerGroup, { topic, partition }: TopicPartition): Promise<void> {
    const found = this.#membership.generation.find({ topic, partition });
    const next = found?.position;
    const bounds = found === undefined ? undefined : (await askBounds(group.cluster, [found])).get(nameOf(found));
    if (next === undefined || bounds === undefined || (next >= bounds.low && next <= bounds.end)) {
      // The error is temporary: the partition is no longer assigned, or the broker has only just become its leader.
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

  /** Returns true if batches that were fetched in this generation can no longer be delivered. */
  #isShut(generation: Generation): boolean {
    return generation !== this.#membership.generation || generation.isReleased || this.#life.isOver();
  }
}
