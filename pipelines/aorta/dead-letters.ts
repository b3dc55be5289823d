import { inUse, type StreamPartition } from '@aorta/connectors';
import type { DeadLetter } from '@aorta/schemas';
import { positionText } from './delivery-position.ts';
import { type ReadableStreams, recordsOf, tellable } from './records.ts';

/** A dead letter without its body. */
export interface DeadLetterFacts {
  readonly position: string;
  readonly reason: string;
  readonly stage: string;
  readonly scope: string;
  readonly event_type: string | null;
  readonly received_at: number;
  readonly bytes: number;
  readonly places: readonly string[];
  /** File and line that the dead letter was read from; null if it came from a broker or from the service. */
  readonly file: string | null;
  readonly line: number | null;
}

export function deadLetterFacts(letter: DeadLetter): DeadLetterFacts {
  return {
    position: positionText(letter.receipt),
    reason: letter.reason,
    stage: letter.stage,
    scope: letter.scope,
    event_type: tellable(letter.event_type),
    received_at: letter.receipt.received_at,
    bytes: letter.body.length,
    places: letter.places,
    file: letter.file,
    line: letter.line,
  };
}

/** Reads every dead letter, partition by partition. */
export async function* deadLetterRecords(streams: ReadableStreams): AsyncGenerator<DeadLetter> {
  for (const of of inUse(streams))
    if (of.stream === 'dead_letters') yield* recordsOf(streams, of as StreamPartition<'dead_letters'>);
}

/**
 * Reads the dead letters, keyed by position, time of receipt and scope, in order of first arrival. If several dead letters have
 * the same key, because a delivery was read more than once, only the last one is returned.
 */
export async function deadLetters(streams: ReadableStreams): Promise<ReadonlyMap<string, DeadLetterFacts>> {
  const letters = new Map<string, DeadLetterFacts>();
  for await (const record of deadLetterRecords(streams)) {
    const facts = deadLetterFacts(record);
    letters.set(`${facts.position} ${facts.received_at} ${facts.scope}`, facts);
  }
  return letters;
}
