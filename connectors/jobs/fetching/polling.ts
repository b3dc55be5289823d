import { createHash } from 'node:crypto';
import { type AortaError, errorFields, isAortaError, type Logger, pause } from '@aorta/telemetry';
import { z } from 'zod';
import { type FetchedBatch, FetchedDeliveries, type FetchedEvent, type FetchingJob } from './fetched.ts';
import type { OpenMemory } from './memory.ts';

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
  readonly memory: OpenMemory;
  readonly facts: { readonly shape: z.ZodType<Facts>; readonly empty: () => Facts };
  /** Asks for everything once, and gives what is news. */
  readonly cycle: (known: Known<Facts>, signal: AbortSignal) => AsyncIterable<readonly FetchedEvent[]>;
  readonly logger: Logger;
  /** Hears why a cycle ended early; the next one begins anew. */
  readonly onProblem: (error: AortaError) => void;
  /** The next cycle begins so long after the end of the last one, whoever made it; default: at once. Milliseconds. */
  readonly restMs?: number;
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

/** In the middle of a cycle there is nothing to remember: what is interrupted is asked for again. */
type Position<Facts> = Remembered<Facts> | undefined;

/**
 * One cycle of asking the service for everything of a kind. Only what differs from the time before is handed on, so that
 * streams grow by what changes. Errors of the service end the cycle, and nothing else: what was handed on until then is
 * remembered, and the rest is asked for at the next one.
 */
export async function openPolling<Facts>(options: PollingOptions<Facts>): Promise<FetchingJob<Position<Facts>>> {
  const { name, facts, cycle, logger, onProblem, restMs = 0, now = Date.now } = options;
  const shape = z.object({
    hashes: z.record(z.string(), z.string()),
    facts: facts.shape,
    offset: z.number(),
    endedAt: z.number().default(0),
  });
  const empty: Remembered<Facts> = { hashes: {}, facts: facts.empty(), offset: 0, endedAt: 0 };
  const { memory, content } = await options.memory(shape as z.ZodType<Remembered<Facts>>, empty);
  const hashes = new Map(Object.entries(content.hashes));
  const deliveries = new FetchedDeliveries(name, content.offset, now);
  const tell = (error: AortaError, problem: string): void => {
    logger.warn(problem, { source: name, ...errorFields(error) });
    onProblem(error);
  };
  let skipped = 0;
  const isNews = (key: string, what: unknown): boolean => {
    const hash = createHash('sha256').update(JSON.stringify(what)).digest('base64').slice(0, 22);
    if (hashes.get(key) === hash) return false;
    hashes.set(key, hash);
    return true;
  };
  const known: Known<Facts> = {
    facts: content.facts,
    isNews,
    forget: (key) => void hashes.delete(key),
    unidentified: (eventType, page, elements, servedAt) =>
      elements
        .filter((one, index) => isNews(`${page} unidentified ${index}`, one))
        .map((data) => ({ eventType, userId: null, data, servedAt })),
    skip: (error) => {
      if (++skipped >= MOST_SKIPPED) throw error;
      tell(error, 'the service was asked for something in vain');
    },
    had: () => {
      skipped = 0;
    },
  };
  const remembered = (endedAt: number): Remembered<Facts> => ({
    hashes: Object.fromEntries(hashes),
    facts: known.facts,
    offset: deliveries.last,
    endedAt,
  });
  return {
    name,
    async *batches(signal): AsyncGenerator<FetchedBatch<Position<Facts>>> {
      try {
        const rest = Math.min(restMs, content.endedAt + restMs - now());
        if (rest > 0) await pause(rest, signal);
        if (signal.aborted) return;
        for await (const events of cycle(known, signal)) {
          if (signal.aborted) return;
          if (events.length > 0) yield { deliveries: events.map((event) => deliveries.make(event)), position: undefined };
        }
        yield { deliveries: [], position: remembered(now()) };
      } catch (error) {
        if (signal.aborted) return;
        if (!isAortaError(error) || !error.code.startsWith('AORTA-SERVICE-')) throw error;
        tell(error, 'the service was not asked to the end');
        // A cycle marks what it hands on, and nothing else: where it always ends early, streams grow by changes only.
        yield { deliveries: [], position: remembered(content.endedAt) };
      }
    },
    commit: async (positions) => {
      const last = positions.findLast((position) => position !== undefined);
      if (last !== undefined) await memory.keep(last);
    },
    close: () => memory.close(),
  };
}
