/**
 * The data of a scripted service, in the format of its REST API. The data is plain JSON, so that two processes can exchange it
 * in a file.
 */
export interface World {
  /** The team key, and the header that must contain it. By default, any key is accepted. */
  readonly key?: { readonly header: string; readonly value: string };
  /** The time in the `Date` header, in milliseconds since 1970. Default: the current time of the machine. */
  readonly date?: number;
  /**
   * Maximum number of entries on a page, even if a request asks for more. The default depends on the endpoint: 50 for
   * pages by cursor, 100 for pages by number, and 500 for pages by offset.
   */
  readonly pageSize?: number;
  /** Complete user objects. */
  readonly users?: readonly Json[];
  /** Connections with their state, by user. */
  readonly connections?: Readonly<Record<string, readonly Json[]>>;
  /** Introspection answers, one per user. */
  readonly pulls?: readonly (Json & { readonly user_id: string })[];
  readonly resources?: readonly (Json & { readonly user_id: string })[];
  /** Summaries by user and resource. A request selects them by date, or by the start of their session or period. */
  readonly summaries?: Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>;
  /** Samples by user and by the resource in the path. Each group has one source. Its samples have `timestamp` or `start`. */
  readonly timeseries?: Readonly<Record<string, Readonly<Record<string, readonly SampleGroup[]>>>>;
  /** Workout streams, keyed by workout id. */
  readonly workoutStreams?: Readonly<Record<string, unknown>>;
  readonly orders?: readonly Json[];
  /** Lab results, keyed by order id. */
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

/** A fault that affects the requests whose path and query begin with `path`, or only the first `times` of them. */
export type Fault = { readonly path: string; readonly times?: number } & (
  | { readonly kind: 'busy'; readonly status: 429 | 503; readonly retryAfter?: string }
  /** Breaks the connection after `after` bytes of the answer. */
  | { readonly kind: 'reset'; readonly after?: number }
  /** Never answers, and keeps the connection open. */
  | { readonly kind: 'hang' }
  /** Answers with an HTML page and status 200. */
  | { readonly kind: 'html' }
  /** Returns the cursor of the first page with every page. */
  | { readonly kind: 'loop' }
  /** The team is not allowed to use the endpoint. The answer is JSON or, as before November 2025, plain text. */
  | { readonly kind: 'closed-beta'; readonly form: 'text' | 'json' }
  /** Answers with status 404 and the service's own message. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'status'; readonly status: number }
);
