import type { StreamLog, StreamPartition } from '@aorta/connectors';
import type { Receipt, StreamName, StreamRecords } from '@aorta/schemas';

/** What looking into the streams takes. */
export type ReadableStreams = Pick<StreamLog, 'assigned' | 'start' | 'end' | 'read' | 'groups' | 'committed'>;

const portion = { records: 2000, bytes: 16 << 20 };

/** Records of a partition, from one position up to another. */
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

/** A delivery's place in its source, as people write it: `people/0/12`. */
export function placeText({ source, partition, offset }: Pick<Receipt, 'source' | 'partition' | 'offset'>): string {
  return `${source}/${partition}/${offset}`;
}

/** Reads `SOURCE/PARTITION/OFFSET`; a source's name may hold slashes. Undefined where it is none. */
export function parsePlace(text: string): Pick<Receipt, 'source' | 'partition' | 'offset'> | undefined {
  const [, source, partition, digits] = /^(.+)\/([^/]+)\/(\d+)$/.exec(text) ?? [];
  const offset = Number(digits);
  return source === undefined || partition === undefined || !Number.isSafeInteger(offset)
    ? undefined
    : { source, partition, offset };
}

/** An event type as the service forms them; what else stands there may be a value, and is not repeated. */
export function tellable(eventType: string | null): string | null {
  return eventType === null || /^[a-z][a-z0-9_]*(\.[a-z0-9_]+){1,9}$/i.test(eventType) ? eventType : '(not a name)';
}

/** What may be told of a record: where it came from and what it is, no values. */
export interface RecordFacts {
  readonly received_at: number;
  readonly place: string;
  readonly event_type: string | null;
  readonly samples: number | null;
  readonly reason: string | null;
}

export function factsOf<S extends StreamName>(record: StreamRecords[S]): RecordFacts {
  const { receipt } = record;
  return {
    received_at: receipt.received_at,
    place: placeText(receipt),
    event_type: tellable('event' in record ? record.event.event_type : 'event_type' in record ? record.event_type : null),
    samples: 'start_at' in record ? record.start_at.length : null,
    reason: 'reason' in record ? record.reason : null,
  };
}
