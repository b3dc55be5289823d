import { inUse, type StreamLog, type StreamPartition } from '@aorta/connectors';
import type { DeadLetter, StreamName, StreamRecords } from '@aorta/schemas';
import { positionText } from './delivery-position.ts';

/** The methods of a stream log that are needed for reading. */
export type ReadableStreams = Pick<StreamLog, 'assigned' | 'start' | 'end' | 'read' | 'groups' | 'committed'>;

const portion = { records: 2000, bytes: 16 << 20 };

/** Reads the records of a partition from one position (inclusive) to another (exclusive). */
export async function* recordsOf<S extends StreamName>(
  streams: ReadableStreams,
  of: StreamPartition<S>,
  from = streams.start(of),
  to = streams.end(of),
): AsyncGenerator<StreamRecords[S]> {
  let position = from;
  while (position < to) {
    const batch = await streams.read(of, position, { ...portion, records: Math.min(portion.records, to - position) });
    if (batch.to <= position) return;
    yield* batch.records;
    position = batch.to;
  }
}

/**
 * Returns the event type if it looks like one of the service's event types. Otherwise returns a placeholder, because the text
 * may contain personal data.
 */
function tellable(eventType: string | null): string | null {
  return eventType === null || /^[a-z][a-z0-9_]*(\.[a-z0-9_]+){1,9}$/i.test(eventType) ? eventType : '(not a name)';
}

/** The facts about a record that may be printed: its origin and kind, but never its values. */
export interface RecordFacts {
  readonly received_at: number;
  readonly position: string;
  readonly event_type: string | null;
  readonly samples: number | null;
  readonly reason: string | null;
}

export function factsOf<S extends StreamName>(record: StreamRecords[S]): RecordFacts {
  const { receipt } = record;
  return {
    received_at: receipt.received_at,
    position: positionText(receipt),
    event_type: tellable('event' in record ? record.event.event_type : 'event_type' in record ? record.event_type : null),
    samples: 'start_at' in record ? record.start_at.length : null,
    reason: 'reason' in record ? record.reason : null,
  };
}

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
