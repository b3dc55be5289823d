import type { Verb } from '../ingestion.ts';

/** An event with data of one resource. Its body is not built yet. */
export interface DataEvent {
  /** when the service learns of the data, in ms since 1970. For past data: the end of the pulled range */
  readonly at: number;
  /** resource, as in event types: for example `heartrate` or `workout_stream` */
  readonly resource: string;
  readonly verb: Verb;
  /** builds the event's `data`. Every call returns the same value */
  readonly data: () => object;
  /** only for `workout_stream`: builds the stream that the service's API returns */
  readonly stream?: () => object;
}
