import { createHash } from 'node:crypto';
import { type AortaError, errorFields, isAortaError, type Logger } from '@aorta/runtime';
import { z } from 'zod';
import { documentPart } from '../state/document.ts';
import type { DurableState, OpenPart, OpenState } from '../state/durable-state.ts';
import type { Emitter, FetchedEvent, OpenEmitter } from '../workers/emitter.ts';
import type { OpenJob } from '../workers/job.ts';
import type { Worker } from '../workers/worker.ts';

/** What a polling job knows from cycle to cycle. */
export interface Known<Facts> {
  /** Whether this is something else than what was heard of it last; from now on it is what was heard last. */
  isNews(key: string, content: unknown): boolean;
  /** Nothing is known of it any more. */
  forget(key: string): void;
  /**
   * Events of elements of a page that could not be identified, as they were sent: they end as dead letters. `page` tells
   * one page from another, so that what stays on it is handed on once; of a user's own answer it is the user's id.
   */
  unidentified(eventType: string, page: string, elements: readonly unknown[], servedAt: number): FetchedEvent[];
  /**
   * Something could not be had, and the cycle goes on with the others; after {@link MOST_SKIPPED} in a row it rejects:
   * then it is not this one thing.
   */
  skip(error: AortaError): void;
  /** Something was had. */
  had(): void;
  /** What the job remembers beside that. */
  readonly facts: Facts;
}

export interface PollingOptions<Facts> {
  /** Name of the job in receipts and logs. */
  readonly name: string;
  /** What it remembers from cycle to cycle. */
  readonly state: OpenState;
  /** Name of the file of that. */
  readonly file: string;
  readonly facts: { readonly shape: z.ZodType<Facts>; readonly empty: () => Facts };
  /** Asks for everything once, and gives what is news. */
  readonly cycle: (known: Known<Facts>, signal: AbortSignal) => AsyncIterable<readonly FetchedEvent[]>;
  readonly logger: Logger;
  /** Hears why a cycle ended early; the next one begins anew. */
  readonly onProblem: (error: AortaError) => void;
  /** From the end of a cycle to the next one, in milliseconds. */
  readonly everyMs: number;
  /** The first cycle waits for that, too: another worker may have ended one a moment ago. */
  readonly restsFirst: boolean;
  readonly openEmitter: OpenEmitter;
  readonly now?: () => number;
}

interface Remembered<Facts> {
  readonly hashes: Readonly<Record<string, string>>;
  readonly facts: Facts;
  readonly offset: number;
  /** When the last whole cycle ended, in milliseconds since 1970. */
  readonly endedAt: number;
}

/** What could not be had, one after the other, until the cycle is given up. */
const MOST_SKIPPED = 3;

/**
 * Asks the service for everything of a kind, cycle after cycle. Only what differs from the time before is emitted, so that
 * streams grow by what changes. Errors of the service end the cycle, and nothing else: what was emitted until then is
 * remembered, and the rest is asked for at the next one.
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
  /** A cycle has ended. In the middle of one there is nothing to remember: what is interrupted is asked for again. */
  #ended = false;
  /** What could not be had, one after the other. */
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
    // A clock that was wrong does not hold it up for longer than the pause.
    this.#dueAt = restsFirst ? Math.min(now() + everyMs, content.endedAt + everyMs) : now();
    emitter.resume(content.offset);
  }

  nextAt(): number {
    return this.#dueAt;
  }

  /** One cycle. */
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
      // A cycle marks what it emits, and nothing else: if it always ends early, streams grow by changes only.
      this.#tell(error, 'the service was not asked to the end');
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
        this.#tell(error, 'the service was asked for something in vain');
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

  #tell(error: AortaError, problem: string): void {
    this.#options.logger.warn(problem, { source: this.#options.name, ...errorFields(error) });
    this.#options.onProblem(error);
  }
}
