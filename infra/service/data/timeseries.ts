import type { z } from 'zod';
import type { SampleQuery, StoredSample } from './sample-store.ts';

/** A resource whose samples the API returns. */
export interface Timeseries {
  /** As in event types, such as `fat`. */
  readonly name: string;
  /** As in paths of the API, such as `body_fat`. */
  readonly apiName: string;
  /** The form of one sample. */
  readonly form: z.ZodObject;
  /** Returns samples in the order of their time. */
  readonly page: (query: SampleQuery) => readonly StoredSample[];
}
