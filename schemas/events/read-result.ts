import type { StreamName, StreamRecords } from '../streams/streams.generated.ts';

/** The reasons why a delivery or a part of it becomes a dead letter. */
export const refusals = {
  not_gzip: 'The delivery is marked as gzip, but its body is not complete gzip data.',
  body_too_large: 'The uncompressed body is larger than limits.body_bytes of the configuration.',
  not_utf8: 'The body is not UTF-8.',
  not_json: 'The body is not JSON.',
  not_a_delivery: 'The input is not a delivery in the form that its source reads, such as a line of a delivery file.',
  tombstone:
    'The Kafka record has no value. This is a tombstone: it marks its key as deleted in a compacted topic. Aorta deletes nothing. If the producer meant to send an event, it must send it again.',
  not_an_event: 'The body is JSON, but not an object with event_type and data.',
  event_type_disagrees: 'Header and body name different event types.',
  user_disagrees: 'Header and body name different users.',
  no_event_type: 'Neither header nor body names the event type.',
  no_user_id: 'The envelope has no user_id.',
  no_data: 'The event has no data, or its data has the wrong type.',
  no_id: 'The summary has no id.',
  no_samples: 'The batch has no array of samples.',
  no_resource: 'The event type names no resource.',
  sample_not_an_object: 'A sample is not an object.',
  sample_without_time: 'A sample has no valid start or timestamp.',
  sample_time_out_of_range: 'A sample has a time before April 1827 or after June 2255, which the codec cannot store.',
  sample_key_repeated: 'A later sample of the same event has the same key, but another value. The table has the later one.',
  value_does_not_fit: 'A value does not fit the type of its column. It is kept in the column `extra`.',
  nested_too_deep: 'A value is nested deeper than 500 levels, so it is left out.',
  number_not_exact: 'A number cannot be stored exactly, so it is left out.',
  not_fetched: 'All attempts to fetch the data that the event announced have failed.',
  not_encodable: 'The record does not fit the Avro schema of its stream.',
} as const;

/** Suffix of the event types that enrichment creates when it gives up on a request. Such events become dead letters. */
const NOT_FETCHED = '.not_fetched';

export type Refusal = keyof typeof refusals;

/**
 * Reasons that cause no dead letter, because the record still has the part. `extra` keeps a value that does not fit. A
 * sample whose key is repeated stays in the batch.
 */
const keptInRecord: ReadonlySet<string> = new Set<Refusal>(['value_does_not_fit', 'sample_key_repeated']);

/** True if a part that is refused for this reason becomes a dead letter. */
export function causesDeadLetter(reason: string): boolean {
  return !keptInRecord.has(reason);
}

/** A refused part of an event that is otherwise kept. `place` is a path into the body, such as `data.data[3].timestamp`, never a value. */
export interface RefusedPart {
  readonly reason: Refusal;
  readonly place: string;
}

/** The result for an event that does not become a record. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: Refusal;
  readonly place: string;
}

/** The result of a reader: the record of the event, or the reason why the event was refused. */
export type ReadingOf<Row> =
  | { readonly kind: 'record'; readonly record: Row; readonly refused: readonly RefusedPart[] }
  | Refused;

export type ReadResult<S extends StreamName = StreamName> = ReadingOf<StreamRecords[S]>;

/** Returns the refusal if the event is a `.not_fetched` event, else undefined. */
export function notFetched(eventType: string): Refused | undefined {
  return eventType.endsWith(NOT_FETCHED) ? { kind: 'refused', reason: 'not_fetched', place: '' } : undefined;
}
