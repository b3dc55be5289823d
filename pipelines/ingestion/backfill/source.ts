import type { Delivery, DeliveryBatch, Source } from '@aorta/connectors';
import type { ServiceClient } from '@aorta/connectors/service';
import { type AortaError, isAortaError } from '@aorta/runtime';
import { type BackfilledEvent, type BackfilledUser, deliveryOf } from './backfilled-event.ts';
import { type BackfillCheckpoint, type BackfillPosition, partitionOf } from './checkpoint.ts';
import { added, type Objects } from './object-counts.ts';
import { type Page, pagesOf } from './pages.ts';
import { planBackfill, resourceOf, type Step, type WhatToBackfill } from './plan.ts';

export interface BackfillOptions extends WhatToBackfill {
  /** Name of the source in receipts. */
  readonly name: string;
  readonly client: ServiceClient;
  readonly userId: string;
  readonly checkpoint: BackfillCheckpoint;
  /** Seconds subtracted from the time in the service's response, so that an event that is still in flight counts as newer. */
  readonly marginS: number;
  readonly onStep?: (done: number, all: number) => void;
}

/**
 * Number of offsets skipped on resume, because a crashed process may have used them for uncommitted deliveries. The
 * redelivery window can recognize repeated data only if no offset is used twice.
 */
const SKIPPED_OFFSETS = 10_000;

/** Number of responses per flush. After an interruption, a backfill fetches at most this many responses again. */
const ANSWERS_A_FLUSH = 16;

/** Errors that concern only one step. After such an error, the backfill continues with the next step. */
const ofOneStep: ReadonlySet<string> = new Set([
  'AORTA-SERVICE-NOT-ENABLED',
  'AORTA-SERVICE-FORBIDDEN',
  'AORTA-SERVICE-REFUSED',
  'AORTA-SERVICE-TOO-LARGE',
  'AORTA-SERVICE-CURSOR',
]);

/**
 * Reads a user's history from the service's REST API. The deliveries have the same form as those that the service sends.
 * After every few responses, their data becomes durable and the position is committed, so a backfill can stop at any time.
 * If a backfill is repeated, only the versions of its records change. The receipt contains the service's time minus a
 * margin, so that later events take precedence over the backfill.
 */
export class BackfillSource implements Source<BackfillPosition> {
  readonly name: string;
  readonly #options: BackfillOptions;
  readonly #steps: readonly Step[];
  readonly #partition: string;
  readonly #problems: AortaError[] = [];
  /** Offset of the next delivery. */
  #offset = 0;
  /** Number of fetched objects of the current resource; null if the number is unknown. */
  #objects: Objects | null = {};
  #answers = 0;
  /** Whether the service deleted the user while the backfill was running. */
  #gone = false;

  constructor(options: BackfillOptions) {
    this.name = options.name;
    this.#options = options;
    this.#steps = planBackfill(options);
    this.#partition = partitionOf(options.userId);
  }

  /** The errors of failed steps. All other steps succeeded. */
  get problems(): readonly AortaError[] {
    return this.#problems;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<BackfillPosition>> {
    const { checkpoint, onStep } = this.#options;
    const before = checkpoint.position;
    const all = this.#steps.length;
    // If the earlier backfill is complete, start from the first step, because the service may now have more data.
    const resumed = before !== undefined && before.step < all ? before : { step: 0, cursor: undefined, objects: {} };
    this.#objects = resumed.objects;
    this.#offset = before === undefined ? 0 : before.offset + SKIPPED_OFFSETS;
    const user = await this.#user(signal);
    for (let step = resumed.step; step < all && user !== undefined; step++) {
      const from = step === resumed.step ? resumed.cursor : undefined;
      yield* this.#batchesOf(step, user, from, signal);
      if (signal.aborted || this.#gone) return;
      this.#objects = this.#behind(step).objects;
      onStep?.(step + 1, all);
    }
    if (user !== undefined) yield { deliveries: [], position: this.#behind(all - 1), awaited: true };
  }

  /** Yields the batches of one step. Starts at the page with the cursor `from`; if undefined, at the first page. */
  async *#batchesOf(
    step: number,
    user: BackfilledUser,
    from: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<DeliveryBatch<BackfillPosition>> {
    for await (const { events, objects, servedAt, next } of this.#pages(this.#steps[step]!, from, signal)) {
      if (this.#objects !== null) this.#objects = added(this.#objects, objects);
      const deliveries = events.map((event) => this.#delivery(event, user, this.#version(servedAt)));
      if (next === undefined) deliveries.push(...this.#whole(step, user, servedAt));
      if (signal.aborted) return;
      const behind = this.#behind(step);
      const position = next === undefined ? behind : { ...behind, step, cursor: next, objects: this.#objects };
      const awaited = ++this.#answers % ANSWERS_A_FLUSH === 0;
      if (deliveries.length > 0 || awaited) yield { deliveries, position, awaited: awaited || undefined };
    }
  }

  async commit(positions: readonly BackfillPosition[]): Promise<void> {
    await this.#options.checkpoint.commit(positions.at(-1)!);
  }

  /** Fetches the user. Returns undefined if the service does not have the user, or if the signal aborts first. */
  async #user(signal: AbortSignal): Promise<BackfilledUser | undefined> {
    const { client, userId } = this.#options;
    try {
      const { value } = await client.user(userId, signal);
      return { userId, teamId: value.team_id, clientUserId: value.client_user_id };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!isAortaError(error) || error.code !== 'AORTA-SERVICE-GONE') throw error;
      this.#problem(error);
      return undefined;
    }
  }

  /** Yields the pages of a step. An error that concerns only this step is added to the problems and ends the step. */
  async *#pages(step: Step, from: string | undefined, signal: AbortSignal): AsyncGenerator<Page> {
    const { client, userId } = this.#options;
    try {
      yield* pagesOf(client, { userId, step, from }, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isAortaError(error) || !(ofOneStep.has(error.code) || error.code === 'AORTA-SERVICE-GONE')) throw error;
      // Some data is missing or repeated, so the count for the resource is not exact.
      this.#objects = null;
      this.#gone = error.code === 'AORTA-SERVICE-GONE';
      if (from === undefined || error.code !== 'AORTA-SERVICE-REFUSED') this.#problem(error);
      // The cursor came from an earlier process and may have expired, so restart the step without it.
      else yield* this.#pages(step, undefined, signal);
    }
  }

  #delivery(event: BackfilledEvent, user: BackfilledUser, receivedAt: number): Delivery {
    const place = { source: this.name, partition: this.#partition, offset: this.#offset++, receivedAt };
    return deliveryOf(event, user, place);
  }

  /** After a resource's last step, returns one delivery per provider with the number of objects, if the number is known. */
  #whole(step: number, user: BackfilledUser, servedAt: number): Delivery[] {
    const { from, to } = this.#options;
    const resource = resourceOf(this.#steps[step]);
    if (resource === undefined || resource === resourceOf(this.#steps[step + 1]) || this.#objects === null) return [];
    return Object.entries(this.#objects).map(([provider, objects]) => {
      const data = { provider, resource, from, to, objects, finished_at: new Date(servedAt / 1000).toISOString() };
      const deliveryId = `${provider}/${resource}/${from}/${to}`;
      return this.#delivery({ eventType: 'service.backfill.finished', deliveryId, data }, user, servedAt);
    });
  }

  /** Returns the position that follows a step. */
  #behind(step: number): BackfillPosition {
    const same = resourceOf(this.#steps[step]) === resourceOf(this.#steps[step + 1]);
    return { step: step + 1, cursor: undefined, objects: same ? this.#objects : {}, offset: this.#offset };
  }

  /** Adds a problem, unless it was added before. A disabled resource fails with the same message in every part of the range. */
  #problem(error: AortaError): void {
    if (!this.#problems.some(({ message }) => message === error.message)) this.#problems.push(error);
  }

  #version(servedAt: number): number {
    return Math.max(0, servedAt - this.#options.marginS * 1_000_000);
  }
}
