import type { StreamName, StreamRecords } from '../streams/streams.generated.ts';

/** Why a delivery, or a part of it, was refused: the reasons of dead letters. */
export const refusals = {
  not_gzip: 'The delivery says gzip, and its body is not whole gzip.',
  body_too_large: 'The uncompressed body is larger than limits.body_bytes of the configuration.',
  not_utf8: 'The body is not UTF-8.',
  not_json: 'The body is not JSON.',
  not_a_delivery: 'A line of a delivery file is not a delivery.',
  not_an_event: 'The body is JSON, but not an object with event_type and data.',
  event_type_disagrees: 'Header and body name different event types.',
  user_disagrees: 'Header and body name different users.',
  no_event_type: 'Neither header nor body names the event type.',
  no_user_id: 'The envelope has no user_id.',
  no_data: 'The event has no data, or data of another form.',
  no_id: 'The summary has no id.',
  no_samples: 'The batch has no array of samples.',
  no_resource: 'The event type names no resource.',
  sample_not_an_object: 'A sample is not an object.',
  sample_without_time: 'A sample has no start or timestamp that can be read.',
  sample_time_out_of_range: 'A sample has a time before April 1827 or after June 2255, which cannot be kept.',
  value_does_not_fit: 'A value does not fit the type of its column; it is kept in extra.',
  nested_too_deep: 'A value is nested deeper than 500 levels; it is left out.',
  number_not_exact: 'A number has more digits than can be kept; it is left out.',
  not_fetched: 'What the event announced could not be fetched from the service, however often it was tried.',
  not_encodable: 'The record does not fit the Avro schema of its stream.',
} as const;

export type Refusal = keyof typeof refusals;

/** A part of a kept event that was refused; `place` is a path into the body, such as `data.data[3].timestamp`, never a value. */
export interface RefusedPart {
  readonly reason: Refusal;
  readonly place: string;
}

/** An event without a record. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: Refusal;
  readonly place: string;
}

/** What a reader says of an event: its record, or why there is none. */
export type ReadingOf<Row> =
  | { readonly kind: 'record'; readonly record: Row; readonly refused: readonly RefusedPart[] }
  | Refused;

/** The same, by the name of the stream. */
export type Reading<S extends StreamName = StreamName> = ReadingOf<StreamRecords[S]>;
