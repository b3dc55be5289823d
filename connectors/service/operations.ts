import type { CallBudget } from './asking.ts';
import type { UserHistoricalPulls, UserResources } from './shapes/introspection.ts';
import type { LabTest, Marker, Order, OrderResult } from './shapes/lab.ts';
import type { Connection, User } from './shapes/user.ts';

/** An answer of the service. */
export interface Answer<T> {
  readonly value: T;
  /** The answer as it came: JSON in UTF-8. */
  readonly body: Buffer;
  /** The service's own clock when it answered, in microseconds since 1970 (whole seconds: the header `Date`); our clock before the call where it says none. */
  readonly servedAt: number;
}

/** One page of things that come by a cursor. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  /** Elements that could not be identified, as they were sent; they are not among the items. */
  readonly unidentified: readonly unknown[];
  readonly misshapen: number;
  /** Cursor of the next page; undefined where this is the last one. */
  readonly next: string | undefined;
}

/** One page of things that come by a number. `total` is the service's count of all of them, where it says so. */
export interface NumberedPage<T> {
  readonly items: readonly T[];
  readonly unidentified: readonly unknown[];
  readonly misshapen: number;
  readonly total: number | undefined;
}

export interface IntrospectionQuery {
  readonly userId?: string | undefined;
  /** Slug. */
  readonly provider?: string | undefined;
  /** Users of a page at most; fewer may come. The service's default is 50. */
  readonly userLimit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Dates of the user's calendar as YYYY-MM-DD, or instants as ISO 8601: a date stands for 00:00:00 as beginning, 23:59:59 as end. */
export interface DataQuery {
  readonly from: string;
  readonly to: string;
  readonly provider?: string | undefined;
  readonly cursor?: string | undefined;
}

export interface OrdersQuery {
  readonly userId?: string | undefined;
  readonly updatedFrom?: string | undefined;
  readonly updatedTo?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** From 1. */
  readonly page: number;
  /** To 100. */
  readonly size: number;
}

/** One page of samples: by provider (slug), the groups of one source each, as objects `{source, data: samples}`, unread. */
export interface GroupedSamples {
  readonly groups: Readonly<Record<string, readonly unknown[]>>;
  readonly next: string | undefined;
}

/** Names of summaries, as the paths have them. */
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
 * The service's REST API, as far as Aorta reads it. Every method may reject with AORTA-SERVICE-KEY (setup),
 * -NOT-ENABLED, -FORBIDDEN, -REFUSED (setup), -BUSY, -UNREACHABLE, -ANSWER (transient), -TOO-LARGE (data), and -GONE where
 * the service has no such user, workout or order any more; and with the reason of the signal.
 */
export interface ServiceClient {
  /** `GET /v2/introspect/historical_pull`. Attempts after the first count in `budget`. */
  historicalPulls(
    query?: IntrospectionQuery,
    signal?: AbortSignal,
    budget?: CallBudget,
  ): Promise<Answer<CursorPage<UserHistoricalPulls>>>;
  /** `GET /v2/introspect/resources`. */
  resources(query?: IntrospectionQuery, signal?: AbortSignal): Promise<Answer<CursorPage<UserResources>>>;
  /** `GET /v2/user`: `limit` to 500. */
  users(query: { readonly offset: number; readonly limit: number }, signal?: AbortSignal): Promise<Answer<NumberedPage<User>>>;
  /** `GET /v2/user/{user_id}`. */
  user(userId: string, signal?: AbortSignal): Promise<Answer<User>>;
  /** `GET /v2/user/providers/{user_id}`. */
  connections(userId: string, signal?: AbortSignal): Promise<Answer<NumberedPage<Connection>>>;
  /** `GET /v2/summary/{resource}/{user_id}`: all of the range at once, the service has no pages here. */
  summaries(
    resource: SummaryResource,
    userId: string,
    query: DataQuery,
    signal?: AbortSignal,
  ): Promise<Answer<readonly unknown[]>>;
  /** `GET /v2/summary/profile/{user_id}`: one for each provider; without one, the service chooses. */
  profile(userId: string, provider: string | undefined, signal?: AbortSignal): Promise<Answer<Readonly<Record<string, unknown>>>>;
  /** `GET /v2/timeseries/{user_id}/{resource}/grouped`; `resource` is the name in the path. Groups are by provider (slug). */
  groupedTimeseries(userId: string, resource: string, query: DataQuery, signal?: AbortSignal): Promise<Answer<GroupedSamples>>;
  /** `GET /v2/timeseries/workouts/{workout_id}/stream`: the points as columns by name (`time`, `heartrate`, …), unread. */
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
