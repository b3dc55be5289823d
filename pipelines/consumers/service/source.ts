import { createHash } from 'node:crypto';
import type { ServiceClient } from '@aorta/service-client';
import { type AortaError, isAortaError } from '@aorta/telemetry';
import type { Delivery, DeliveryBatch, Source } from '../delivery.ts';
import { type BackfilledEvent, type BackfilledUser, deliveryOf } from './backfilled.ts';
import type { BackfillCheckpoint, BackfillPosition } from './checkpoint.ts';
import { type Page, pagesOf } from './pages.ts';
import { planBackfill, type Step, type WhatToBackfill } from './plan.ts';

export interface BackfillOptions extends WhatToBackfill {
  /** Name in receipts. */
  readonly name: string;
  readonly client: ServiceClient;
  readonly userId: string;
  readonly checkpoint: BackfillCheckpoint;
  /**
   * Seconds by which an answer counts as older than the service says. An event that was sent shortly before it, and is
   * still on its way, is then the newer one: to lose against an event is the safe side.
   */
  readonly marginS: number;
  /** Hears after each step. */
  readonly onStep?: (done: number, all: number) => void;
}

/**
 * Deliveries that were not committed when a process ended, at most: those of some pages. The offsets behind them are not
 * given a second time, so that the redelivery window recognises what is asked for once more.
 */
const SKIPPED_OFFSETS = 10_000;

/** Answers after which what they held is made durable: whoever is interrupted asks for so many again at most. */
const ANSWERS_A_FLUSH = 16;

/** What concerns one step only: the others go on. */
const ofOneStep: ReadonlySet<string> = new Set([
  'AORTA-SERVICE-NOT-ENABLED',
  'AORTA-SERVICE-FORBIDDEN',
  'AORTA-SERVICE-REFUSED',
  'AORTA-SERVICE-TOO-LARGE',
  'AORTA-SERVICE-CURSOR',
]);

/**
 * A user's history out of the service's REST API, as deliveries like those that the service sends: they take the same
 * way as these, through router, reader and merge. What was fetched is durable and committed after every few answers, so it may
 * be interrupted anywhere; done once more, it changes nothing but versions.
 *
 * Its receipts have the service's own time, less a margin: a backfill never wins over an event that came after it.
 */
export class BackfillSource implements Source<BackfillPosition> {
  readonly name: string;
  readonly #options: BackfillOptions;
  readonly #steps: readonly Step[];
  readonly #partition: string;
  readonly #problems: AortaError[] = [];

  constructor(options: BackfillOptions) {
    this.name = options.name;
    this.#options = options;
    this.#steps = planBackfill(options);
    this.#partition = partitionOf(options.userId);
  }

  /** What could not be fetched; everything else was. */
  get problems(): readonly AortaError[] {
    return this.#problems;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<BackfillPosition>> {
    const { checkpoint, client, userId, onStep } = this.#options;
    const before = checkpoint.position;
    const all = this.#steps.length;
    // One that was done is done anew: the service may have more by now.
    const resumed = before !== undefined && before.step < all ? before : { step: 0, cursor: undefined };
    let offset = before === undefined ? 0 : before.offset + SKIPPED_OFFSETS;
    const { value } = await asked(signal, () => client.user(userId, signal));
    if (value === undefined) return;
    const user: BackfilledUser = { userId, teamId: value.team_id, clientUserId: value.client_user_id };
    let answers = 0;
    for (let step = resumed.step; step < all; step++) {
      const from = step === resumed.step ? resumed.cursor : undefined;
      for await (const { events, servedAt, next } of this.#pages(this.#steps[step]!, from, signal)) {
        const deliveries: Delivery[] = events.map((event) =>
          deliveryOf(event, user, {
            source: this.name,
            partition: this.#partition,
            offset: offset++,
            receivedAt: this.#version(servedAt),
          }),
        );
        if (signal.aborted) return;
        const position = next === undefined ? { step: step + 1, cursor: undefined, offset } : { step, cursor: next, offset };
        const awaited = ++answers % ANSWERS_A_FLUSH === 0;
        if (deliveries.length > 0 || awaited) yield { deliveries, position, ...(awaited ? { awaited } : {}) };
      }
      if (signal.aborted) return;
      onStep?.(step + 1, all);
    }
    yield { deliveries: [], position: { step: all, cursor: undefined, offset }, awaited: true };
  }

  async commit(positions: readonly BackfillPosition[]): Promise<void> {
    await this.#options.checkpoint.commit(positions.at(-1)!);
  }

  /** The pages of a step; what concerns this one only is a problem, and ends it. */
  async *#pages(step: Step, from: string | undefined, signal: AbortSignal): AsyncGenerator<Page> {
    const { client, userId } = this.#options;
    try {
      yield* pagesOf(client, userId, step, from, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isAortaError(error) || !ofOneStep.has(error.code)) throw error;
      if (from === undefined || error.code !== 'AORTA-SERVICE-REFUSED') this.#problem(error);
      // The cursor of an earlier process may have gone stale: from the beginning of the step, then.
      else yield* this.#pages(step, undefined, signal);
    }
  }

  /** One word about each kind of problem: a resource that is not enabled is asked for in every piece of the range. */
  #problem(error: AortaError): void {
    if (!this.#problems.some(({ message }) => message === error.message)) this.#problems.push(error);
  }

  #version(servedAt: number): number {
    return Math.max(0, servedAt - this.#options.marginS * 1_000_000);
  }
}

/** The answer, or nothing where the signal has ended the asking. */
async function asked<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T | { readonly value: undefined }> {
  try {
    return await ask();
  } catch (error) {
    if (signal.aborted) return { value: undefined };
    throw error;
  }
}

/** One partition a user, by a name that is not the user's id: names of partitions are seen by those who operate it. */
export function partitionOf(userId: string): string {
  return createHash('sha256').update(`aorta backfill ${userId}`).digest('hex').slice(0, 16);
}

export type { BackfilledEvent };
