import { createHash } from 'node:crypto';
import { type AortaError, errorFields, isAortaError, type Logger } from '@aorta/runtime';
import { z } from 'zod';
import { documentPart } from '../state/document.ts';
import type { DurableState, OpenPart, OpenState } from '../state/durable-state.ts';
import type { Emitter, FetchedEvent, OpenEmitter } from '../workers/emitter.ts';
import type { OpenJob } from '../workers/job.ts';
import type { Worker } from '../workers/worker.ts';

/** State of a polling job that lasts from cycle to cycle. */
export interface Known<Facts> {
  /** Whether the content differs from the last content of this key. Remembers it. */
  isNews(key: string, content: unknown): boolean;
  /** Forgets the key. */
  forget(key: string): void;
  /**
   * Returns events for new unidentified elements; they become dead letters. `page` identifies the page, or the user whose
   * answer it is, so that an element makes only one event.
   */
  unidentified(eventType: string, page: string, elements: readonly unknown[], servedAt: number): FetchedEvent[];
  /** Records a failed call. The cycle continues, but ends with the error after {@link MOST_SKIPPED} failures in a row. */
  skip(error: AortaError): void;
  /** Records a successful call. */
  had(): void;
  /** Further state of the job. */
  readonly facts: Facts;
}

export interface PollingOptions<Facts> {
  /** Name of the job in receipts and logs. */
  readonly name: string;
  /** Durable state. */
  readonly state: OpenState;
  /** Name of the state's file. */
  readonly file: string;
  readonly facts: { readonly shape: z.ZodType<Facts>; readonly empty: () => Facts };
  /** Requests all data once and yields the changes. */
  readonly cycle: (known: Known<Facts>, signal: AbortSignal) => AsyncIterable<readonly FetchedEvent[]>;
  readonly logger: Logger;
  /** Called with the error that ended a cycle early, or that it skipped. */
  readonly onProblem: (error: AortaError) => void;
  /** Milliseconds from the end of a cycle to the next one. */
  readonly everyMs: number;
  /** Whether the first cycle waits as well, because another worker may just have completed one. */
  readonly restsFirst: boolean;
  readonly openEmitter: OpenEmitter;
  readonly now?: () => number;
}

interface Remembered<Facts> {
  readonly hashes: Readonly<Record<string, string>>;
  readonly facts: Facts;
  readonly offset: number;
  /** End of the last complete cycle, in milliseconds since 1970. */
  readonly endedAt: number;
}

/** Failed calls in a row that end the cycle. */
const MOST_SKIPPED = 3;

/**
 * Opens a job that requests all data of one kind from the service, in cycles. It emits only changes, so streams grow only by
 * them. A service error ends the cycle. The job remembers the changes emitted until then, and requests the rest in the next
 * cycle.
 */
export async function openPolling<Facts>(options: PollingOptions<Facts>): Promise<OpenJob> {
  const { name, file, facts } = options;
  const shape = z.object({
    hashes: z.record(z.string(), z.string()),
    facts: facts.shape,
    offset: z.number(),
    endedAt: z.number().default(0),
  });
  const empty: Remembered<Facts> = { hashes: {}, facts: facts.empty(), offset: 0, endedAt: 0 };
  await using opening = new AsyncDisposableStack();
  const state = opening.adopt(await options.state(), (one) => one.close());
  const part = await state.open(documentPart(file, shape as z.ZodType<Remembered<Facts>>, empty));
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
  /** Whether a cycle ended. State is saved only then; an interrupted cycle is repeated. */
  #ended = false;
  #skipped = 0;

  constructor(
    options: PollingOptions<Facts>,
    state: DurableState,
    { content, keep }: OpenPart<Remembered<Facts>>,
    emitter: Emitter,
  ) {
    const { everyMs, restsFirst, now = Date.now } = options;
    this.#options = options;
    this.#state = state;
    this.#keep = keep;
    this.#emitter = emitter;
    this.#now = now;
    this.#hashes = new Map(Object.entries(content.hashes));
    this.#facts = content.facts;
    this.#endedAt = content.endedAt;
    // Limits the wait to one pause if the clock was wrong.
    this.#dueAt = restsFirst ? Math.min(now() + everyMs, content.endedAt + everyMs) : now();
    emitter.resume(content.offset);
  }

  nextAt(): number {
    return this.#dueAt;
  }

  /** Runs one cycle. */
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
      // Only emitted content is marked as known, so even cycles that always fail emit only changes.
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
      had: () => {
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
