import { AortaError } from '@aorta/telemetry';
import { z } from 'zod';
import { Asking, type CallBudget, type Question, type RawAnswer, type Surroundings } from './asking.ts';
import type { ServiceSettings } from './options.ts';
import { cursorOf } from './pages.ts';
import { type UserHistoricalPulls, type UserResources, userHistoricalPulls, userResources } from './shapes/introspection.ts';
import { type LabTest, labTest, type Marker, marker, type Order, type OrderResult, order, orderResult } from './shapes/lab.ts';
import { anyObject, listed, number } from './shapes/leniently.ts';
import { type Connection, connection, type User, user } from './shapes/user.ts';

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

/** Nothing is asked before the first call. */
export function openServiceClient(settings: ServiceSettings, surroundings: Surroundings = {}): ServiceClient {
  const asking = new Asking(settings, surroundings);

  /** Asks, and reads the answer by a function that gives undefined where it has not the form of one. */
  const ask = async <T>(question: Question, read: (content: unknown) => T | undefined): Promise<Answer<T>> => {
    const { body, content, servedAt }: RawAnswer = await asking.ask(question);
    const value = read(content);
    if (value === undefined)
      throw new AortaError('AORTA-SERVICE-ANSWER', {
        host: asking.host,
        operation: question.operation,
        problem: 'JSON of another form than the operation has',
      });
    return { value, body, servedAt };
  };

  const introspect =
    <T extends z.ZodType>(what: string, shape: T) =>
    ({ userId, provider, userLimit, cursor }: IntrospectionQuery = {}, signal?: AbortSignal, budget?: CallBudget) =>
      ask(
        {
          operation: `GET /v2/introspect/${what}`,
          path: `v2/introspect/${what}`,
          query: { user_id: userId, provider, user_limit: userLimit, next_cursor: cursor },
          signal,
          budget,
        },
        cursorPage('data', shape),
      );

  return {
    historicalPulls: introspect('historical_pull', userHistoricalPulls),
    resources: introspect('resources', userResources),
    users: (query, signal) =>
      ask({ operation: 'GET /v2/user', path: 'v2/user', query: { ...query }, signal }, numberedPage('users', user)),
    user: (userId, signal) => ask({ operation: 'GET /v2/user/{user_id}', path: `v2/user/${segment(userId)}`, signal }, one(user)),
    connections: (userId, signal) =>
      ask(
        { operation: 'GET /v2/user/providers/{user_id}', path: `v2/user/providers/${segment(userId)}`, signal },
        numberedPage('providers', connection),
      ),
    summaries: (resource, userId, { from, to, provider }, signal) =>
      ask(
        {
          operation: `GET /v2/summary/${resource}/{user_id}`,
          path: `v2/summary/${resource}/${segment(userId)}`,
          query: { start_date: from, end_date: to, provider },
          signal,
        },
        (content) => summariesOf(resource, content),
      ),
    profile: (userId, provider, signal) =>
      ask(
        {
          operation: 'GET /v2/summary/profile/{user_id}',
          path: `v2/summary/profile/${segment(userId)}`,
          query: { provider },
          signal,
        },
        one(anyObject),
      ),
    groupedTimeseries: (userId, resource, { from, to, provider, cursor }, signal) =>
      ask(
        {
          operation: `GET /v2/timeseries/{user_id}/${resource}/grouped`,
          path: `v2/timeseries/${segment(userId)}/${segment(resource)}/grouped`,
          query: { start_date: from, end_date: to, provider, next_cursor: cursor },
          signal,
        },
        groupsOf,
      ),
    workoutStream: (workoutId, signal) =>
      ask(
        {
          operation: 'GET /v2/timeseries/workouts/{workout_id}/stream',
          path: `v2/timeseries/workouts/${segment(workoutId)}/stream`,
          signal,
        },
        one(anyObject),
      ),
    orders: ({ userId, updatedFrom, updatedTo, from, to, page, size }, signal) =>
      ask(
        {
          operation: 'GET /v3/orders',
          path: 'v3/orders',
          query: {
            user_id: userId,
            updated_start_date: updatedFrom,
            updated_end_date: updatedTo,
            start_date: from,
            end_date: to,
            page,
            size,
          },
          signal,
        },
        numberedPage('orders', order),
      ),
    orderResult: (orderId, signal) =>
      ask(
        { operation: 'GET /v3/order/{order_id}/result', path: `v3/order/${segment(orderId)}/result`, signal },
        one(orderResult),
      ),
    markers: (query, signal) =>
      ask(
        { operation: 'GET /v3/lab_tests/markers', path: 'v3/lab_tests/markers', query: { ...query }, signal },
        numberedPage('markers', marker),
      ),
    labTests: ({ limit, cursor }, signal) =>
      ask(
        {
          operation: 'GET /v3/lab_test',
          path: 'v3/lab_test',
          query: { lab_test_limit: limit, next_cursor: cursor, generation_method: 'all' },
          signal,
        },
        cursorPage('data', labTest),
      ),
  };
}

/** An id as a part of a path; what it holds cannot lead elsewhere. */
function segment(id: string): string {
  return id === '.' || id === '..' ? id.replaceAll('.', '%2E') : encodeURIComponent(id);
}

function one<T extends z.ZodType>(shape: T) {
  return (content: unknown): z.output<T> | undefined => {
    const parsed = shape.safeParse(content);
    return parsed.success ? parsed.data : undefined;
  };
}

function cursorPage<T extends z.ZodType>(member: string, shape: T) {
  return (content: unknown): CursorPage<z.output<T>> | undefined => {
    const page = objectOf(content);
    const list = listed(shape, page?.[member]);
    // `next` is the older name of the same.
    return list === undefined ? undefined : { ...list, next: cursorOf(page?.next_cursor) ?? cursorOf(page?.next) };
  };
}

function numberedPage<T extends z.ZodType>(member: string, shape: T) {
  return (content: unknown): NumberedPage<z.output<T>> | undefined => {
    const page = objectOf(content);
    const list = listed(shape, page?.[member]);
    return list === undefined ? undefined : { ...list, total: number.parse(page?.total) ?? undefined };
  };
}

function groupsOf(content: unknown): GroupedSamples | undefined {
  const page = objectOf(content);
  const parsed = z.record(z.string(), z.array(z.unknown())).safeParse(page?.groups);
  return parsed.success ? { groups: parsed.data, next: cursorOf(page?.next_cursor) ?? cursorOf(page?.next) } : undefined;
}

/** The list is named like the resource, that of meals in the plural. */
function summariesOf(resource: SummaryResource, content: unknown): readonly unknown[] | undefined {
  const page = objectOf(content);
  const list = page?.[resource] ?? page?.[`${resource}s`];
  return Array.isArray(list) ? list : undefined;
}

function objectOf(content: unknown): Readonly<Record<string, unknown>> | undefined {
  const parsed = anyObject.safeParse(content);
  return parsed.success ? parsed.data : undefined;
}
