import { type Answer, everyPage, type ServiceClient, ServiceError } from '@aorta/connectors/service';
import { isAortaError } from '@aorta/runtime';
import type { BackfilledEvent } from './backfilled-event.ts';
import { memberOf, type Objects, objectsAt, objectsOf, timeOf } from './object-counts.ts';
import type { Step } from './plan.ts';

/** The events from one response of the service. */
export interface Page {
  readonly events: readonly BackfilledEvent[];
  /** Number of objects of the step's resource on this page. Each object is counted on only one page of a backfill. */
  readonly objects: Objects;
  /** Time of the response according to the service, in microseconds since 1970. */
  readonly servedAt: number;
  /** Cursor of the next page; undefined after the last page. */
  readonly next: string | undefined;
}

const ORDERS_A_PAGE = 100;

export interface PagesOptions {
  readonly userId: string;
  readonly step: Step;
  /** Cursor of the first page to fetch. If undefined, fetching starts at the beginning. */
  readonly from: string | undefined;
}

/** Fetches the pages of a step, starting at a cursor. Rejects with the client's errors and with AORTA-SERVICE-CURSOR. */
export async function* pagesOf(
  client: ServiceClient,
  { userId, step, from }: PagesOptions,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  switch (step.kind) {
    case 'user':
      yield await userAndConnections(client, userId, signal);
      return;
    case 'profiles':
      yield* profiles(client, userId, from, signal);
      return;
    case 'orders':
      yield* orders(client, userId, from, signal);
      return;
    case 'summaries': {
      const { resource, range, own } = step;
      const { value, servedAt } = await client.summaries(resource, userId, range, signal);
      const events = value.map((data, index) => ({
        eventType: `daily.data.${resource}.backfilled`,
        deliveryId: idOf(data) ?? `${range.from}/${index}`,
        data,
      }));
      yield { events, objects: objectsAt(value, own), servedAt, next: undefined };
      return;
    }
    case 'streams': {
      const { range, own } = step;
      const { value, servedAt } = await client.summaries('workouts', userId, range, signal);
      const events = value.flatMap((workout) => {
        const id = idOf(workout);
        if (id === undefined) return [];
        const data = {
          workout_id: id,
          ...Object.fromEntries(['provider_id', 'sport', 'source'].map((name) => [name, memberOf(workout, name)])),
        };
        return [{ eventType: 'daily.data.workout_stream.backfilled', deliveryId: id, data }];
      });
      yield { events, objects: objectsAt(value, own), servedAt, next: undefined };
      return;
    }
    case 'samples': {
      const { resource, path, range, own } = step;
      const operation = `GET /v2/timeseries/{user_id}/${path}/grouped`;
      const ask = (cursor: string | undefined) => client.groupedTimeseries(userId, path, { ...range, cursor }, signal);
      for await (const { value, servedAt } of everyPage(operation, ask, from)) {
        const events = Object.entries(value.groups).flatMap(([provider, groups]) =>
          groups.map((data, index) => ({
            eventType: `daily.data.${resource}.backfilled`,
            deliveryId: `${range.from}/${provider}/${index}/${firstTime(data)}`,
            data: named(data, provider),
          })),
        );
        yield { events, objects: objectsOf(value.groups, own), servedAt, next: value.next };
      }
    }
  }
}

/** Fetches the user and the user's connections. Returns the same events as the job that polls users. */
async function userAndConnections(client: ServiceClient, userId: string, signal: AbortSignal): Promise<Page> {
  const { value: data, servedAt } = await client.user(userId, signal);
  const connections = await client.connections(userId, signal);
  const events = connections.value.items.map((connection) => ({
    eventType: 'service.connection.polled',
    deliveryId: `connection/${connection.slug}`,
    data: connection,
  }));
  // The ingestion chain turns connections without a valid id into dead letters.
  const others = connections.value.unidentified.map((connection, index) => ({
    eventType: 'service.connection.polled',
    deliveryId: `connection//${index}`,
    data: connection,
  }));
  const all = [{ eventType: 'service.user.polled', deliveryId: 'user', data }, ...events, ...others];
  return { events: all, objects: {}, servedAt, next: undefined };
}

/**
 * Fetches the user's profile from each connected provider. A provider that has no profile yields an empty page. The cursor
 * is the slug of the next provider. If that provider is no longer connected, fetching starts again at the first provider.
 */
async function* profiles(
  client: ServiceClient,
  userId: string,
  from: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const connected = await client.connections(userId, signal);
  const slugs = connected.value.items.map(({ slug }) => slug);
  for (let at = Math.max(0, from === undefined ? 0 : slugs.indexOf(from)); at < slugs.length; at++) {
    const profile = await orGone(client.profile(userId, slugs[at], signal));
    const next = slugs[at + 1];
    if (profile === undefined) yield { events: [], objects: {}, servedAt: connected.servedAt, next };
    else {
      const { value: data, servedAt } = profile;
      const deliveryId = `${slugs[at]}/${idOf(data)}`;
      const events = [{ eventType: 'daily.data.profile.backfilled', deliveryId, data }];
      yield { events, objects: { [slugs[at]!]: 1 }, servedAt, next };
    }
  }
}

/** Fetches all orders, not only those in the range, because there are few, and results may arrive long after the order. */
async function* orders(
  client: ServiceClient,
  userId: string,
  from: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  let first: string | undefined;
  for (let page = Number(from ?? 1); ; page++) {
    const { value, servedAt } = await client.orders({ userId, page, size: ORDERS_A_PAGE }, signal);
    const begins = value.items[0]?.id;
    if (begins !== undefined && begins === first)
      throw new ServiceError('AORTA-SERVICE-CURSOR', { operation: 'GET /v3/orders', pages: page });
    first = begins;
    const eventType = 'labtest.order.backfilled';
    const events = [
      ...value.items.map((data) => ({ eventType, deliveryId: data.id, data: data as unknown })),
      ...value.unidentified.map((data, index) => ({ eventType, deliveryId: `/${page}/${index}`, data })),
    ];
    const last = value.items.length + value.misshapen === 0 || (value.total !== undefined && page * ORDERS_A_PAGE >= value.total);
    yield { events, objects: {}, servedAt, next: last ? undefined : String(page + 1) };
    if (last) return;
  }
}

async function orGone<T>(asked: Promise<Answer<T>>): Promise<Answer<T> | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isAortaError(error) && error.code === 'AORTA-SERVICE-GONE') return undefined;
    throw error;
  }
}

function idOf(value: unknown): string | undefined {
  const id = memberOf(value, 'id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns the time of a group's first sample. Delivery ids contain this time, because cursors may change between runs. */
function firstTime(group: unknown): string {
  const samples = memberOf(group, 'data');
  return String((Array.isArray(samples) ? timeOf(samples[0]) : undefined) ?? '');
}

/** Adds the provider to a group whose source does not name one. */
function named(group: unknown, provider: string): unknown {
  const source = memberOf(group, 'source');
  if (typeof group !== 'object' || group === null || typeof source !== 'object' || source === null) return group;
  return memberOf(source, 'provider') === undefined && memberOf(source, 'slug') === undefined
    ? { ...group, source: { ...source, provider } }
    : group;
}
