import type { TimedWait } from '../../../warehouse.ts';
import type { Surroundings } from '../errors/persisting.ts';
import { limits, type QuotaShare, Quotas, type QuotaUse } from './quotas.ts';

export interface QuotaGateOptions {
  readonly share: QuotaShare;
  readonly surroundings: Surroundings;
  readonly onWaited: (reason: string, milliseconds: number) => void;
}

/** Delays steps until the quotas allow them, and reports what they wait for. */
export class QuotaGate {
  readonly #options: QuotaGateOptions;
  readonly #quotas: Quotas;
  readonly #waits = new Set<TimedWait>();

  constructor(options: QuotaGateOptions) {
    this.#options = options;
    this.#quotas = new Quotas(options.share);
  }

  /** Waits until the quotas allow all of these uses, then counts them. */
  async ready(uses: readonly QuotaUse[]): Promise<void> {
    const { surroundings, onWaited } = this.#options;
    const begun = surroundings.now();
    let last: string | undefined;
    for (;;) {
      const now = surroundings.now();
      const wait = this.#quotas.wait(uses, now);
      if (wait === undefined) {
        this.#quotas.take(uses, now);
        if (last !== undefined) onWaited(last, now - begun);
        return;
      }
      last = limits[wait.quota].words;
      const waiting = { reason: last, since: begun, dueAt: now + wait.milliseconds };
      this.#waits.add(waiting);
      try {
        await surroundings.sleep(wait.milliseconds);
      } finally {
        this.#waits.delete(waiting);
      }
    }
  }

  waits(): readonly TimedWait[] {
    return [...this.#waits];
  }

  /** Longest current wait in seconds, by reason. */
  waiting(): ReadonlyMap<string, number> {
    const now = this.#options.surroundings.now();
    const longest = new Map<string, number>();
    for (const { reason, since } of this.#waits) longest.set(reason, Math.max(longest.get(reason) ?? 0, (now - since) / 1000));
    return longest;
  }
}
