import type { StreamName } from '@aorta/schemas';
import type { DeadReason } from './delivery-record.ts';

/**
 * Outcomes of deliveries. A delivery that is read again, after a restart or from an earlier offset, counts again.
 * `received` always equals `redelivered` + sum of `streams` + `unrouted` + sum of `dead_letters`.
 */
export interface Tally {
  /** Number of deliveries read, also those read again. */
  readonly received: number;
  readonly redelivered: number;
  /** Number of kept deliveries, by stream. */
  readonly streams: Readonly<Partial<Record<StreamName, number>>>;
  readonly unrouted: number;
  /** Number of deliveries that were refused as a whole, by reason. */
  readonly dead_letters: Readonly<Partial<Record<DeadReason, number>>>;
  /** Number of refused parts of kept deliveries, by reason. */
  readonly partial: Readonly<Partial<Record<DeadReason, number>>>;
  /** Number of deliveries whose delivery id was in the redelivery window with a different body. They are processed as new. */
  readonly conflicts: number;
  /** Number of deliveries that state a time of receipt more than 5 minutes ahead of the clock of this computer. */
  readonly ahead: number;
}

export type Outcome =
  | { readonly kind: 'redelivered' }
  | { readonly kind: 'unrouted' }
  | { readonly kind: 'dead'; readonly reason: DeadReason }
  | { readonly kind: 'kept'; readonly stream: StreamName; readonly refused: readonly { readonly reason: DeadReason }[] };

/** The outcome of a delivery. `conflict`: whether the redelivery window contained the same delivery id with a different body. */
export interface Taken {
  readonly outcome: Outcome;
  readonly conflict: boolean;
}

export class RunningTally {
  #received = 0;
  #redelivered = 0;
  #unrouted = 0;
  #conflicts = 0;
  #ahead = 0;
  readonly #streams = new Map<StreamName, number>();
  readonly #dead = new Map<DeadReason, number>();
  readonly #partial = new Map<DeadReason, number>();

  count({ outcome, conflict }: Taken, ahead: boolean): void {
    this.#received += 1;
    if (conflict) this.#conflicts += 1;
    if (ahead) this.#ahead += 1;
    if (outcome.kind === 'redelivered') this.#redelivered += 1;
    else if (outcome.kind === 'unrouted') this.#unrouted += 1;
    else if (outcome.kind === 'dead') increment(this.#dead, outcome.reason);
    else {
      increment(this.#streams, outcome.stream);
      for (const { reason } of outcome.refused) increment(this.#partial, reason);
    }
  }

  /** Returns a copy of the counts so far. */
  now(): Tally {
    return {
      received: this.#received,
      redelivered: this.#redelivered,
      streams: Object.fromEntries(this.#streams),
      unrouted: this.#unrouted,
      dead_letters: Object.fromEntries(this.#dead),
      partial: Object.fromEntries(this.#partial),
      conflicts: this.#conflicts,
      ahead: this.#ahead,
    };
  }
}

export function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
