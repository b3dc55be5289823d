import { within } from '@aorta/runtime';
import { isMembershipOver, isRefusedCommit } from './errors.ts';
import type { ConsumerGroup } from './internals.ts';

/**
 * Tracks a member's last sign of life and the broker's last confirmation of its membership. Times are in milliseconds since
 * 1970.
 */
export class Liveness {
  readonly #rebalanceMs: number;
  #heardAt = Date.now();
  /** Send time of the last heartbeat that the broker accepted. */
  #confirmedAt = Date.now();
  #joiningSince: number | undefined;

  /** `rebalanceMs` is the maximum duration of a join. Silence is normal during a join. */
  constructor(rebalanceMs: number) {
    this.#rebalanceMs = rebalanceMs;
  }

  get isJoining(): boolean {
    return this.#joiningSince !== undefined;
  }

  heard(): void {
    this.#heardAt = Date.now();
  }

  /** Records that the broker accepted a heartbeat sent at `sentAt`. */
  confirmed(sentAt: number): void {
    this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
  }

  /** Restarts the measurement of silence at `now`, because this process was paused. */
  excuse(now: number): void {
    this.#heardAt = now;
  }

  /** Runs `join`. If it succeeds, it counts as a sign of life. */
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

  silentFor(now: number): number {
    const since = Math.max(this.#heardAt, this.#joiningSince === undefined ? 0 : this.#joiningSince + this.#rebalanceMs);
    return now - since;
  }

  /** Milliseconds since the broker last confirmed the membership. */
  unconfirmedFor(now: number): number {
    return now - this.#confirmedAt;
  }
}

/**
 * Sends a heartbeat and returns the broker's answer. `ours`: the partitions are still assigned to this member. `rebalancing`:
 * they are still assigned, but the group waits for this member to rejoin. `over`: this member is no longer in the group.
 * `unknown`: the broker did not answer within `patienceMs`.
 */
export async function beat(group: ConsumerGroup, patienceMs: number): Promise<'ours' | 'rebalancing' | 'over' | 'unknown'> {
  const { coordinator, groupId, memberId, generationId } = group;
  if (memberId === null || !coordinator.isConnected()) return 'unknown';
  try {
    await within(patienceMs, coordinator.heartbeat({ groupId, memberId, groupGenerationId: generationId }));
    return 'ours';
  } catch (error) {
    if (isMembershipOver(error)) return 'over';
    // The broker accepts the heartbeat and asks for a rejoin, which may wait until we have released our partitions.
    return isRefusedCommit(error) ? 'rebalancing' : 'unknown';
  }
}
