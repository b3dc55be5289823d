import type { Delivery, DeliveryBatch, Source } from '@aorta/connectors';
import type { ServiceClient } from '@aorta/connectors/service';
import { type AortaError, isAortaError } from '@aorta/runtime';
import { type BackfilledEvent, type BackfilledUser, deliveryOf } from './backfilled.ts';
import { type BackfillCheckpoint, type BackfillPosition, partitionOf } from './checkpoint.ts';
import { added, type Objects } from './objects.ts';
import { type Page, pagesOf } from './pages.ts';
import { planBackfill, resourceOf, type Step, type WhatToBackfill } from './plan.ts';

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
  /** Of the next delivery. */
  #offset = 0;
  /** Objects of the resource that is being fetched; null where their number is not known. */
  #objects: Objects | null = {};
  /** Pages that were fetched. */
  #answers = 0;
  /** The user was deleted meanwhile. */
  #gone = false;

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
    const { checkpoint, onStep } = this.#options;
    const before = checkpoint.position;
    const all = this.#steps.length;
    // One that was done is done anew: the service may have more by now.
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

  /** Batches of one step, page by page, from a cursor on. */
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
      if (deliveries.length > 0 || awaited) yield { deliveries, position, ...(awaited ? { awaited } : {}) };
    }
  }

  async commit(positions: readonly BackfillPosition[]): Promise<void> {
    await this.#options.checkpoint.commit(positions.at(-1)!);
  }

  /** Who it is about; undefined where the service knows nobody of that id, or the signal came before it said so. */
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

  /** The pages of a step; what concerns this one only is a problem, and ends it. */
  async *#pages(step: Step, from: string | undefined, signal: AbortSignal): AsyncGenerator<Page> {
    const { client, userId } = this.#options;
    try {
      yield* pagesOf(client, { userId, step, from }, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isAortaError(error) || !(ofOneStep.has(error.code) || error.code === 'AORTA-SERVICE-GONE')) throw error;
      // Something is missing, or comes a second time: what was counted says nothing of the whole resource.
      this.#objects = null;
      this.#gone = error.code === 'AORTA-SERVICE-GONE';
      if (from === undefined || error.code !== 'AORTA-SERVICE-REFUSED') this.#problem(error);
      // The cursor of an earlier process may have gone stale: from the beginning of the step, then.
      else yield* this.#pages(step, undefined, signal);
    }
  }

  #delivery(event: BackfilledEvent, user: BackfilledUser, receivedAt: number): Delivery {
    const place = { source: this.name, partition: this.#partition, offset: this.#offset++, receivedAt };
    return deliveryOf(event, user, place);
  }

  /** How much there was of a resource, where that was the last step of it, and nothing of it was missed. */
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

  /** The position behind a step. */
  #behind(step: number): BackfillPosition {
    const same = resourceOf(this.#steps[step]) === resourceOf(this.#steps[step + 1]);
    return { step: step + 1, cursor: undefined, objects: same ? this.#objects : {}, offset: this.#offset };
  }

  /** One word about each kind of problem: a resource that is not enabled is asked for in every piece of the range. */
  #problem(error: AortaError): void {
    if (!this.#problems.some(({ message }) => message === error.message)) this.#problems.push(error);
  }

  #version(servedAt: number): number {
    return Math.max(0, servedAt - this.#options.marginS * 1_000_000);
  }
}
