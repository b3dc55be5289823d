import { setTimeout as sleep } from 'node:timers/promises';
import type { Machine } from './machine.ts';

const LOOK_EVERY_MS = 200;

/** Polls `/readyz` of the machines until it is stopped. */
export class ReadinessWatch {
  readonly #machines: readonly Machine[];
  readonly #red: string[] = [];
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;

  constructor(machines: readonly Machine[]) {
    this.#machines = machines;
    this.#watching = this.#watch();
  }

  /** Stops polling. Returns one entry, with the reasons, for each poll that found a machine not ready. */
  async stop(): Promise<readonly string[]> {
    this.#stopping.abort();
    await this.#watching;
    return this.#red;
  }

  async #watch(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      for (const [index, machine] of this.#machines.entries()) {
        const answer = await machine.readiness();
        if (answer?.ready === false)
          this.#red.push(`machine ${index} (${machine.part}): ${answer.reasons.map(({ reason }) => reason).join('; ')}`);
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
}
