/** What a scripted service knows, in the shapes of its REST API. Plain JSON, so that it can stand in a file between two processes. */
export interface World {
  /** Team key, and the header in which it has to come. Default: any key will do. */
  readonly key?: { readonly header: string; readonly value: string };
  /** What the header `Date` says, in milliseconds; the clock of the machine where it is left out. */
  readonly date?: number;
  /** Things of a page at most, whatever is asked for. Default 50. */
  readonly pageSize?: number;
  /** Whole users. */
  readonly users?: readonly Json[];
  /** By user: connections with their state. */
  readonly connections?: Readonly<Record<string, readonly Json[]>>;
  /** Answers of introspection, by user. */
  readonly pulls?: readonly (Json & { readonly user_id: string })[];
  readonly resources?: readonly (Json & { readonly user_id: string })[];
  /** By user and resource; `calendar_date` decides what is in a range. */
  readonly summaries?: Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>;
  /** By user and resource of the path: groups of one source, whose samples have `timestamp` or `start`. */
  readonly timeseries?: Readonly<Record<string, Readonly<Record<string, readonly SampleGroup[]>>>>;
  /** By workout. */
  readonly workoutStreams?: Readonly<Record<string, unknown>>;
  readonly orders?: readonly Json[];
  /** By order. */
  readonly results?: Readonly<Record<string, unknown>>;
  readonly markers?: readonly Json[];
  readonly labTests?: readonly Json[];
  readonly faults?: readonly Fault[];
}

export type Json = Readonly<Record<string, unknown>>;

export interface SampleGroup {
  readonly provider: string;
  readonly source: Json;
  readonly data: readonly Json[];
}

/** What goes wrong: with requests whose path, with its query, begins with `path`, for the first `times` of them (without it: all). */
export type Fault = { readonly path: string; readonly times?: number } & (
  | { readonly kind: 'busy'; readonly status: 429 | 503; readonly retryAfter?: string }
  /** The connection is broken; `after` so many bytes of the answer. */
  | { readonly kind: 'reset'; readonly after?: number }
  /** Nothing comes, and the connection stays. */
  | { readonly kind: 'hang' }
  /** A page for people, with status 200. */
  | { readonly kind: 'html' }
  /** The cursor of every page leads to the first one. */
  | { readonly kind: 'loop' }
  /** An endpoint that the team may not use: as it was said before November 2025, or as JSON. */
  | { readonly kind: 'closed-beta'; readonly form: 'text' | 'json' }
  /** Gone, in the service's own words. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'status'; readonly status: number }
);
