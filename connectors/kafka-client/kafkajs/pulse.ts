import { within } from '@aorta/runtime';
import { isMembershipOver, isRefusedCommit } from './errors.ts';
import type { ConsumerGroup } from './internals.ts';

/** When a member and its broker last heard of each other. Times are in milliseconds since 1970. */
export class Pulse {
  readonly #rebalanceMs: number;
  #heardAt = Date.now();
  /** When the broker last took a sign of life that was sent then. */
  #confirmedAt = Date.now();
  #joiningSince: number | undefined;

  /** Joining may take `rebalanceMs`, in which silence means nothing. */
  constructor(rebalanceMs: number) {
    this.#rebalanceMs = rebalanceMs;
  }

  get isJoining(): boolean {
    return this.#joiningSince !== undefined;
  }

  /** The broker answered something. */
  heard(): void {
    this.#heardAt = Date.now();
  }

  /** The broker took a sign of life that was sent at `sentAt`. */
  confirmed(sentAt: number): void {
    this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
  }

  /** Time in which nobody looked was our own doing. */
  excuse(now: number): void {
    this.#heardAt = now;
  }

  /** Runs the join, which may take its time, and is a sign of life if it ends well. */
  async during(join: () => Promise<void>): Promise<void> {
    this.#joiningSince = Date.now();
    try {
      await join();
    } finally {
      this.#joiningSince = undefined;
    }
    this.heard();
    this.#confirmedAt = Date.now();
  }

  /** Milliseconds since the last sign of life. */
  silentFor(now: number): number {
    const since = Math.max(this.#heardAt, this.#joiningSince === undefined ? 0 : this.#joiningSince + this.#rebalanceMs);
    return now - since;
  }

  /** Milliseconds since the broker last said that the member is still in the group. */
  unconfirmedFor(now: number): number {
    return now - this.#confirmedAt;
  }
}

/**
 * What the broker says to a sign of life. `ours`: the partitions are still this member's. `rebalancing`: they are, and the
 * group waits for it to join again. `over`: it is in the group no more. `unknown`: no answer within `patienceMs`.
 */
export async function beat(group: ConsumerGroup, patienceMs: number): Promise<'ours' | 'rebalancing' | 'over' | 'unknown'> {
  const { coordinator, groupId, memberId, generationId } = group;
  if (memberId === null || !coordinator.isConnected()) return 'unknown';
  try {
    await within(patienceMs, coordinator.heartbeat({ groupId, memberId, groupGenerationId: generationId }));
    return 'ours';
  } catch (error) {
    if (isMembershipOver(error)) return 'over';
    // The broker takes it, and asks to join again, which may wait until we have given back what we have.
    return isRefusedCommit(error) ? 'rebalancing' : 'unknown';
  }
}
