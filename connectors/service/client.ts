import { z } from 'zod';
import { ServiceError } from './errors.ts';
import type {
  Answer,
  CursorPage,
  GroupedSamples,
  IntrospectionQuery,
  NumberedPage,
  ServiceClient,
  SummaryResource,
} from './operations.ts';
import type { ServiceSettings } from './options.ts';
import { type CallBudget, RequestSender, type ServiceRequest, type Surroundings } from './request-sender.ts';
import {
  anyObject,
  connection,
  labTest,
  listed,
  marker,
  number,
  order,
  user,
  userHistoricalPulls,
  userResources,
} from './shapes.ts';

/** Sends a request and parses the answer. `read` returns undefined if the content does not have the expected form. */
type Ask = <T>(request: ServiceRequest, read: (content: unknown) => T | undefined) => Promise<Answer<T>>;

/** Returns a client for the API. It makes no call until a method is called. */
export function openServiceClient(settings: ServiceSettings, surroundings: Surroundings = {}): ServiceClient {
  const ask = askBy(new RequestSender(settings, surroundings));
  return { ...introspectionCalls(ask), ...userCalls(ask), ...dataCalls(ask), ...labCalls(ask) };
}

/** Returns an {@link Ask} that rejects with AORTA-SERVICE-ANSWER if `read` returns undefined. */
function askBy(sender: RequestSender): Ask {
  return async (request, read) => {
    const { body, content, servedAt } = await sender.send(request);
    const value = read(content);
    if (value === undefined)
      throw new ServiceError('AORTA-SERVICE-ANSWER', {
        host: sender.host,
        operation: request.operation,
        problem: 'JSON of an unexpected form',
      });
    return { value, body, servedAt };
  };
}

/** A page with the cursor of the next page. */
interface Paged {
  readonly value: { readonly next: string | undefined };
}

/**
 * Yields all pages in order. If the service repeats a cursor, the iteration would never end. It then rejects with
 * AORTA-SERVICE-CURSOR and does not yield that page. An interrupted iteration resumes at the cursor `from`.
 */
export async function* everyPage<A extends Paged>(
  operation: string,
  ask: (cursor: string | undefined) => Promise<A>,
  from?: string,
): AsyncGenerator<A> {
  const seen = new Set<string>(from === undefined ? [] : [from]);
  for (let cursor = from; ; ) {
    const page = await ask(cursor);
    const { next } = page.value;
    if (next !== undefined && seen.has(next)) throw new ServiceError('AORTA-SERVICE-CURSOR', { operation, pages: seen.size + 1 });
    yield page;
    if (next === undefined) return;
    seen.add(next);
    cursor = next;
  }
}

/** Reads an answer that is a single object. */
function one<T extends z.ZodType>(shape: T) {
  return (content: unknown): z.output<T> | undefined => {
    const parsed = shape.safeParse(content);
    return parsed.success ? parsed.data : undefined;
  };
}

/** Returns the next page's cursor; undefined on the last page. In the service's example, the last page has the cursor `None`. */
function cursorOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'None' && value !== 'null' ? value : undefined;
}

/** Reads a page of a list with cursor-based pagination. */
function cursorPage<T extends z.ZodType>(member: string, shape: T) {
  return (content: unknown): CursorPage<z.output<T>> | undefined => {
    const page = objectOf(content);
    const list = listed(shape, page?.[member]);
    // In older API versions, the field is named `next`, not `next_cursor`.
    return list === undefined ? undefined : { ...list, next: cursorOf(page?.next_cursor) ?? cursorOf(page?.next) };
  };
}

/** Reads a page of a list with numbered pages. */
function numberedPage<T extends z.ZodType>(member: string, shape: T) {
  return (content: unknown): NumberedPage<z.output<T>> | undefined => {
    const page = objectOf(content);
    const list = listed(shape, page?.[member]);
    return list === undefined ? undefined : { ...list, total: number.parse(page?.total) ?? undefined };
  };
}

/** Reads samples grouped by provider. */
function groupsOf(content: unknown): GroupedSamples | undefined {
  const page = objectOf(content);
  const parsed = z.record(z.string(), z.array(z.unknown())).safeParse(page?.groups);
  return parsed.success ? { groups: parsed.data, next: cursorOf(page?.next_cursor) ?? cursorOf(page?.next) } : undefined;
}

/** Reads the list of summaries from the field that is named after the resource. For meals, the field name is plural. */
function summariesOf(resource: SummaryResource, content: unknown): readonly unknown[] | undefined {
  const page = objectOf(content);
  const list = page?.[resource] ?? page?.[`${resource}s`];
  return Array.isArray(list) ? list : undefined;
}

function objectOf(content: unknown): Readonly<Record<string, unknown>> | undefined {
  const parsed = anyObject.safeParse(content);
  return parsed.success ? parsed.data : undefined;
}

/** Calls to the introspection API, which reports what data the service has pulled and stored for each user. */
function introspectionCalls(ask: Ask): Pick<ServiceClient, 'historicalPulls' | 'resources'> {
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
  };
}

function userCalls(ask: Ask): Pick<ServiceClient, 'users' | 'user' | 'connections'> {
  return {
    users: (query, signal) =>
      ask({ operation: 'GET /v2/user', path: 'v2/user', query: { ...query }, signal }, numberedPage('users', user)),
    user: (userId, signal) => ask({ operation: 'GET /v2/user/{user_id}', path: `v2/user/${segment(userId)}`, signal }, one(user)),
    connections: (userId, signal) =>
      ask(
        { operation: 'GET /v2/user/providers/{user_id}', path: `v2/user/providers/${segment(userId)}`, signal },
        numberedPage('providers', connection),
      ),
  };
}

function dataCalls(ask: Ask): Pick<ServiceClient, 'summaries' | 'profile' | 'groupedTimeseries' | 'workoutStream'> {
  return {
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
  };
}

function labCalls(ask: Ask): Pick<ServiceClient, 'orders' | 'orderResult' | 'markers' | 'labTests'> {
  return {
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
      ask({ operation: 'GET /v3/order/{order_id}/result', path: `v3/order/${segment(orderId)}/result`, signal }, one(anyObject)),
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

/** Encodes an id as one path segment, so that an id such as `..` or `a/b` cannot lead to a different path. */
function segment(id: string): string {
  return id === '.' || id === '..' ? id.replaceAll('.', '%2E') : encodeURIComponent(id);
}
