import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AortaError, errorFields, isAortaError, type Logger } from '@aorta/telemetry';
import { z } from 'zod';
import { type FetchedBatch, FetchedDeliveries, type FetchedEvent, type FetchingJob } from './fetched.ts';
import type { OpenMemory } from './memory.ts';

/** What a polling job knows from cycle to cycle. */
export interface Known<Facts> {
  /** Whether this is something else than what was heard of it last; from now on it is what was heard last. */
  isNews(key: string, content: unknown): boolean;
  /** Nothing is known of it any more. */
  forget(key: string): void;
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

/** In the middle of a cycle there is nothing to remember: what is interrupted is asked for again. */
type Position<Facts> = Remembered<Facts> | undefined;

/**
 * One cycle of asking the service for everything of a kind. Only what differs from the time before is handed on, so that
 * streams grow by what changes. Errors of the service end the cycle, and nothing else: it is asked again at the next one.
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
  const known: Known<Facts> = {
    facts: content.facts,
    isNews: (key, what) => {
      const hash = createHash('sha256').update(JSON.stringify(what)).digest('base64').slice(0, 22);
      if (hashes.get(key) === hash) return false;
      hashes.set(key, hash);
      return true;
    },
    forget: (key) => void hashes.delete(key),
  };
  return {
    name,
    async *batches(signal): AsyncGenerator<FetchedBatch<Position<Facts>>> {
      try {
        const rest = Math.min(restMs, content.endedAt + restMs - now());
        if (rest > 0) await sleep(rest, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        for await (const events of cycle(known, signal)) {
          if (signal.aborted) return;
          if (events.length > 0) yield { deliveries: events.map((event) => deliveries.make(event)), position: undefined };
        }
        yield {
          deliveries: [],
          position: { hashes: Object.fromEntries(hashes), facts: known.facts, offset: deliveries.last, endedAt: now() },
        };
      } catch (error) {
        if (signal.aborted) return;
        if (!isAortaError(error) || !error.code.startsWith('AORTA-SERVICE-')) throw error;
        logger.warn('the service was not asked to the end', { source: name, ...errorFields(error) });
        onProblem(error);
      }
    },
    commit: async (positions) => {
      const last = positions.findLast((position) => position !== undefined);
      if (last !== undefined) await memory.keep(last);
    },
    close: () => memory.close(),
  };
}
