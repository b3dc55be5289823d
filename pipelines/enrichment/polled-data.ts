import { createHash } from 'node:crypto';
import type { ServiceClient } from '@aorta/connectors/service';
import { type AortaError, errorFields, isAortaError, type Logger, steadyNow } from '@aorta/runtime';
import { z } from 'zod';
import { documentPart } from './state/document.ts';
import type { DurableState, OpenPart, OpenState } from './state/durable-state.ts';
import type { Emitter, FetchedEvent, OpenEmitter } from './workers/emitter.ts';
import type { OpenJob } from './workers/job.ts';
import type { Worker } from './workers/worker.ts';

/** State that a polling job keeps between cycles. */
export interface Known<Facts> {
  /** Returns whether the content differs from the last content with this key, and remembers the new content. */
  isNews(key: string, content: unknown): boolean;
  forget(key: string): void;
  /**
   * Returns events for elements that have no valid id and are new or changed. The ingestion chain turns these events into
   * dead letters. `page` identifies a page of a list, or the user to whom the elements belong.
   */
  unidentified(eventType: string, page: string, elements: readonly unknown[], servedAt: number): FetchedEvent[];
  /** Records a failed call. After {@link MOST_SKIPPED} consecutive failures, the cycle ends with the error. */
  skip(error: AortaError): void;
  /** Records a successful call. */
  succeeded(): void;
  /** Additional state of the job. */
  readonly facts: Facts;
}

interface PollingOptions<Facts> {
  /** Name of the job in receipts and logs. */
  readonly name: string;
  /** Opens the durable state of the job. */
  readonly state: OpenState;
  readonly facts: { readonly shape: z.ZodType<Facts>; readonly empty: () => Facts };
  /** Requests all data once and yields the changes. */
  readonly cycle: (known: Known<Facts>, signal: AbortSignal) => AsyncIterable<readonly FetchedEvent[]>;
  readonly logger: Logger;
  /** Called with each error in a cycle, even if the cycle continues. */
  readonly onProblem: (error: AortaError) => void;
  /** Milliseconds between the end of one cycle and the start of the next. */
  readonly everyMs: number;
  /** Whether to wait before the first cycle, because another worker may have just completed one. */
  readonly restsFirst: boolean;
  readonly openEmitter: OpenEmitter;
  /** Default: `steadyNow`. */
  readonly now?: () => number;
}

/** Options that all polling jobs have in common. */
export type PollingJobOptions = Pick<
  PollingOptions<never>,
  'state' | 'openEmitter' | 'everyMs' | 'restsFirst' | 'logger' | 'onProblem' | 'now'
> & {
  readonly client: ServiceClient;
};

interface Remembered<Facts> {
  readonly hashes: Readonly<Record<string, string>>;
  readonly facts: Facts;
  readonly offset: number;
  /** Time at which the last complete cycle ended, in milliseconds since 1970. */
  readonly endedAt: number;
}

/** Number of consecutive failed calls after which the cycle ends. */
const MOST_SKIPPED = 3;

/**
 * Opens a job that requests all data of one kind from the service, in cycles. The job emits only changes, so the
 * streams do not grow while nothing changes. If an error from the service ends a cycle, the job remembers which changes it
 * has emitted, and requests the remaining data in the next cycle.
 */
export async function openPolling<Facts>(options: PollingOptions<Facts>): Promise<OpenJob> {
  const { name, facts } = options;
  const shape = z.object({
    hashes: z.record(z.string(), z.string()),
    facts: facts.shape,
    offset: z.number(),
    endedAt: z.number().default(0),
  });
  const empty: Remembered<Facts> = { hashes: {}, facts: facts.empty(), offset: 0, endedAt: 0 };
  await using opening = new AsyncDisposableStack();
  const state = opening.adopt(await options.state(), (one) => one.close());
  const part = state.open(documentPart(shape as z.ZodType<Remembered<Facts>>, empty));
  const emitter = options.openEmitter(name);
  opening.move();
  return { workers: [new Polling(options, state, part, emitter)], emitter, close: () => emitter.close() };
}

class Polling<Facts> implements Worker {
  readonly #options: PollingOptions<Facts>;
  readonly #state: DurableState;
  readonly #keep: (content: Remembered<Facts>) => Promise<void>;
  readonly #emitter: Emitter;
  readonly #now: () => number;
  readonly #hashes: Map<string, string>;
  readonly #facts: Facts;
  #dueAt: number;
  #endedAt: number;
  /** Whether a cycle has ended since the last save. State is saved only after a cycle. An interrupted cycle is repeated. */
  #ended = false;
  #skipped = 0;

  constructor(
    options: PollingOptions<Facts>,
    state: DurableState,
    { content, keep }: OpenPart<Remembered<Facts>>,
    emitter: Emitter,
  ) {
    const { everyMs, restsFirst, now = steadyNow } = options;
    this.#options = options;
    this.#state = state;
    this.#keep = keep;
    this.#emitter = emitter;
    this.#now = now;
    this.#hashes = new Map(Object.entries(content.hashes));
    this.#facts = content.facts;
    this.#endedAt = content.endedAt;
    // If the clock was wrong, the job waits for at most one interval.
    this.#dueAt = restsFirst ? Math.min(now() + everyMs, content.endedAt + everyMs) : now();
    emitter.resume(content.offset);
  }

  nextAt(): number {
    return this.#dueAt;
  }

  async work(signal: AbortSignal): Promise<void> {
    this.#skipped = 0;
    try {
      for await (const events of this.#options.cycle(this.#known(), signal)) {
        if (signal.aborted) return;
        await this.#emitter.event(...events);
      }
      this.#endedAt = this.#now();
    } catch (error) {
      if (signal.aborted) return;
      if (!isAortaError(error) || !error.code.startsWith('AORTA-SERVICE-')) throw error;
      // Only emitted content counts as known, so the job emits only changes, even if every cycle fails.
      this.#report(error, 'polling ended early');
    }
    this.#ended = true;
    this.#dueAt = this.#now() + this.#options.everyMs;
  }

  changes(): (() => Promise<void>) | undefined {
    if (!this.#ended) return undefined;
    this.#ended = false;
    const content: Remembered<Facts> = {
      hashes: Object.fromEntries(this.#hashes),
      facts: this.#facts,
      offset: this.#emitter.offset,
      endedAt: this.#endedAt,
    };
    return () => this.#keep(content);
  }

  close(): Promise<void> {
    return this.#state.close();
  }

  #known(): Known<Facts> {
    return {
      facts: this.#facts,
      isNews: (key, what) => this.#isNews(key, what),
      forget: (key) => void this.#hashes.delete(key),
      unidentified: (eventType, page, elements, servedAt) =>
        elements
          .filter((one, index) => this.#isNews(`${page} unidentified ${index}`, one))
          .map((data) => ({ eventType, userId: null, data, servedAt })),
      skip: (error) => {
        if (++this.#skipped >= MOST_SKIPPED) throw error;
        this.#report(error, 'polling skipped a failed call');
      },
      succeeded: () => {
        this.#skipped = 0;
      },
    };
  }

  #isNews(key: string, what: unknown): boolean {
    const hash = createHash('sha256').update(JSON.stringify(what)).digest('base64').slice(0, 22);
    if (this.#hashes.get(key) === hash) return false;
    this.#hashes.set(key, hash);
    return true;
  }

  #report(error: AortaError, problem: string): void {
    this.#options.logger.warn(problem, { source: this.#options.name, ...errorFields(error) });
    this.#options.onProblem(error);
  }
}
