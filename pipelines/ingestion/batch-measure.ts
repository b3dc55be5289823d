import type { Metrics } from '@aorta/runtime';
import { causesDeadLetter } from '@aorta/schemas';
import type { IngestionMetrics } from './metrics.ts';
import { increment, type Taken } from './tally.ts';
import type { DeadReason } from './whole-record.ts';

/** Counts the outcomes of one batch and updates the metrics once per batch, because a metric lookup per delivery is slow. */
export class BatchMeasure {
  #kept = 0;
  #redelivered = 0;
  #unrouted = 0;
  #dead = 0;
  #bytes = 0;
  #conflicts = 0;
  #ahead = 0;
  readonly #letters = new Map<DeadReason, number>();
  readonly #parts = new Map<DeadReason, number>();

  add({ outcome, conflict }: Taken, bytes: number, ahead: boolean): void {
    this.#bytes += bytes;
    if (conflict) this.#conflicts += 1;
    if (ahead) this.#ahead += 1;
    if (outcome.kind === 'kept') {
      this.#kept += 1;
      if (outcome.refused.length > 0) {
        // All refused parts of a delivery share one dead letter, which has the first part's reason.
        const first = outcome.refused.find(({ reason }) => causesDeadLetter(reason));
        if (first !== undefined) increment(this.#letters, first.reason);
        for (const { reason } of outcome.refused) increment(this.#parts, reason);
      }
    } else if (outcome.kind === 'redelivered') this.#redelivered += 1;
    else if (outcome.kind === 'unrouted') this.#unrouted += 1;
    else {
      this.#dead += 1;
      increment(this.#letters, outcome.reason);
    }
  }

  tell(metrics: Metrics<IngestionMetrics>, source: string): void {
    metrics.count('aorta_deliveries_total', { source, outcome: 'kept' }, this.#kept);
    metrics.count('aorta_deliveries_total', { source, outcome: 'redelivered' }, this.#redelivered);
    metrics.count('aorta_deliveries_total', { source, outcome: 'unrouted' }, this.#unrouted);
    metrics.count('aorta_deliveries_total', { source, outcome: 'dead_letter' }, this.#dead);
    metrics.count('aorta_delivery_bytes_total', { source }, this.#bytes);
    metrics.count('aorta_delivery_conflicts_total', { source }, this.#conflicts);
    metrics.count('aorta_receipts_ahead_total', { source }, this.#ahead);
    for (const [reason, count] of this.#letters) metrics.count('aorta_dead_letters_total', { source, reason }, count);
    for (const [reason, count] of this.#parts) metrics.count('aorta_refused_parts_total', { source, reason }, count);
  }
}
