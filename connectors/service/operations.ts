import type { CallBudget } from './request-sender.ts';
import type { LabTest, Marker, Order, OrderResult, User, UserConnection, UserHistoricalPulls, UserResources } from './shapes.ts';

export interface Answer<T> {
  readonly value: T;
  /** The answer as received: JSON in UTF-8. */
  readonly body: Buffer;
  /**
   * Time of the answer by the service's clock, in microseconds since 1970, with a precision of one second. If the
   * response has no `Date` header, this is the local time before the call.
   */
  readonly servedAt: number;
}

/** One page of a list that uses cursor pagination. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  /** Elements without a valid id, as received. They are not in `items`. */
  readonly unidentified: readonly unknown[];
  readonly misshapen: number;
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** One page of a list with numbered pages. `total` is the number of elements on all pages, if the service sends it. */
export interface NumberedPage<T> {
  readonly items: readonly T[];
  readonly unidentified: readonly unknown[];
  readonly misshapen: number;
  readonly total: number | undefined;
}

export interface IntrospectionQuery {
  readonly userId?: string | undefined;
  readonly provider?: string | undefined;
  /** Maximum number of users per page; a page may have fewer. The service's default is 50. */
  readonly userLimit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * A period. Its start and end are dates (YYYY-MM-DD) in the user's calendar or ISO 8601 timestamps. The period begins at
 * 00:00:00 on a start date, and ends at 23:59:59 on an end date.
 */
interface DataQuery {
  readonly from: string;
  readonly to: string;
  readonly provider?: string | undefined;
  readonly cursor?: string | undefined;
}

interface OrdersQuery {
  readonly userId?: string | undefined;
  readonly updatedFrom?: string | undefined;
  readonly updatedTo?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Page number, from 1. */
  readonly page: number;
  /** Elements per page, up to 100. */
  readonly size: number;
}

/** One page of unparsed samples. `groups` maps each provider's slug to one `{source, data}` object per source. */
export interface GroupedSamples {
  readonly groups: Readonly<Record<string, readonly unknown[]>>;
  readonly next: string | undefined;
}

/** The names of summary resources in API paths. */
export const summaryResources = [
  'activity',
  'body',
  'electrocardiogram',
  'meal',
  'menstrual_cycle',
  'sleep',
  'sleep_cycle',
  'workouts',
] as const;
export type SummaryResource = (typeof summaryResources)[number];

/**
 * The operations of the service's REST API that Aorta uses. Every method may reject with a setup error
 * (AORTA-SERVICE-KEY, -NOT-ENABLED, -FORBIDDEN or -REFUSED), a transient error (-BUSY, -UNREACHABLE or -ANSWER) or a
 * data error (-TOO-LARGE or -GONE). -GONE means that the user, workout or order no longer exists. An aborted call
 * rejects with the signal's reason.
 */
export interface ServiceClient {
  /** `GET /v2/introspect/historical_pull`. Retries count against `budget`. */
  historicalPulls(
    query?: IntrospectionQuery,
    signal?: AbortSignal,
    budget?: CallBudget,
  ): Promise<Answer<CursorPage<UserHistoricalPulls>>>;
  /** `GET /v2/introspect/resources`. */
  resources(query?: IntrospectionQuery, signal?: AbortSignal): Promise<Answer<CursorPage<UserResources>>>;
  /** `GET /v2/user`. `limit` is at most 500. */
  users(query: { readonly offset: number; readonly limit: number }, signal?: AbortSignal): Promise<Answer<NumberedPage<User>>>;
  /** `GET /v2/user/{user_id}`. */
  user(userId: string, signal?: AbortSignal): Promise<Answer<User>>;
  /** `GET /v2/user/providers/{user_id}`. */
  connections(userId: string, signal?: AbortSignal): Promise<Answer<NumberedPage<UserConnection>>>;
  /** `GET /v2/summary/{resource}/{user_id}`. Returns the whole period at once, because this endpoint has no pages. */
  summaries(
    resource: SummaryResource,
    userId: string,
    query: DataQuery,
    signal?: AbortSignal,
  ): Promise<Answer<readonly unknown[]>>;
  /** `GET /v2/summary/profile/{user_id}`. A user has one profile per provider. If no provider is given, the service chooses one. */
  profile(userId: string, provider: string | undefined, signal?: AbortSignal): Promise<Answer<Readonly<Record<string, unknown>>>>;
  /** `GET /v2/timeseries/{user_id}/{resource}/grouped`. `resource` is spelled as in the API's paths. Groups are keyed by provider (slug). */
  groupedTimeseries(userId: string, resource: string, query: DataQuery, signal?: AbortSignal): Promise<Answer<GroupedSamples>>;
  /**
   * `GET /v2/timeseries/workouts/{workout_id}/stream`. Returns the data points as unparsed columns, keyed by column name
   * (`time`, `heartrate`, …).
   */
  workoutStream(workoutId: string, signal?: AbortSignal): Promise<Answer<Readonly<Record<string, unknown>>>>;
  /** `GET /v3/orders`. */
  orders(query: OrdersQuery, signal?: AbortSignal): Promise<Answer<NumberedPage<Order>>>;
  /** `GET /v3/order/{order_id}/result`. */
  orderResult(orderId: string, signal?: AbortSignal): Promise<Answer<OrderResult>>;
  /** `GET /v3/lab_tests/markers`. */
  markers(query: { readonly page: number; readonly size: number }, signal?: AbortSignal): Promise<Answer<NumberedPage<Marker>>>;
  /** `GET /v3/lab_test`. */
  labTests(
    query: { readonly limit: number; readonly cursor?: string | undefined },
    signal?: AbortSignal,
  ): Promise<Answer<CursorPage<LabTest>>>;
}
