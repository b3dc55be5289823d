import { cursorPage, numberedPage, offsetPage } from './pages.ts';
import type { Json, SampleGroup, World } from './world.ts';

/** The answer for a path: `gone` if the service has no such object, undefined if it has no such path. */
export type Found = Json | 'gone' | undefined;

type Find = (world: World, ids: readonly string[], query: URLSearchParams) => Found;

const routes: readonly (readonly [RegExp, Find])[] = [
  [/^\/v2\/user\/?$/, (world, _, query) => offsetPage('users', world.users ?? [], query, world)],
  [
    /^\/v2\/user\/providers\/([^/]+)$/,
    (world, [user]) => (knows(world, user!) ? { providers: world.connections?.[user!] ?? [] } : 'gone'),
  ],
  [/^\/v2\/user\/([^/]+)$/, (world, [user]) => world.users?.find(({ user_id }) => user_id === user) ?? 'gone'],
  [/^\/v2\/introspect\/historical_pull$/, (world, _, query) => introspection(world, world.pulls ?? [], query)],
  [/^\/v2\/introspect\/resources$/, (world, _, query) => introspection(world, world.resources ?? [], query)],
  [/^\/v2\/summary\/profile\/([^/]+)$/, (world, [user]) => world.summaries?.[user!]?.profile?.[0] ?? 'gone'],
  [/^\/v2\/summary\/([^/]+)\/([^/]+)$/, (world, [resource, user], query) => summaries(world, resource!, user!, query)],
  [/^\/v2\/timeseries\/workouts\/([^/]+)\/stream$/, (world, [workout]) => (world.workoutStreams?.[workout!] ?? 'gone') as Found],
  [/^\/v2\/timeseries\/([^/]+)\/([^/]+)\/grouped$/, (world, [user, resource], query) => grouped(world, user!, resource!, query)],
  [/^\/v3\/orders$/, (world, _, query) => numberedPage('orders', ordersOf(world, query), query, world)],
  [/^\/v3\/order\/([^/]+)\/result$/, (world, [order]) => (world.results?.[order!] ?? 'gone') as Found],
  [/^\/v3\/lab_tests\/markers$/, (world, _, query) => numberedPage('markers', world.markers ?? [], query, world)],
  [/^\/v3\/lab_test$/, (world, _, query) => cursorPage(world.labTests ?? [], query, 'lab_test_limit', world)],
];

export function find(world: World, path: string, query: URLSearchParams): Found {
  for (const [pattern, answer] of routes) {
    const match = pattern.exec(path);
    if (match !== null) return answer(world, match.slice(1).map(decodeURIComponent), query);
  }
  return undefined;
}

const knows = (world: World, user: string): boolean => world.users?.some(({ user_id }) => user_id === user) ?? false;

function introspection(world: World, all: NonNullable<World['pulls']>, query: URLSearchParams): Json {
  const [user, provider] = [query.get('user_id'), query.get('provider')];
  const chosen = all
    .filter(({ user_id }) => user === null || user_id === user)
    .map((one) => (provider === null ? one : { ...one, provider: only(one.provider as Json, provider) }));
  return cursorPage(chosen, query, 'user_limit', world);
}

const only = (providers: Json, provider: string): Json => (provider in providers ? { [provider]: providers[provider] } : {});

/** Returns the requested range in milliseconds. If a date has no time, the range starts at 00:00:00 or ends at 23:59:59. */
function range(query: URLSearchParams): readonly [from: number, to: number] {
  const at = (text: string, time: string): number => Date.parse(text.length === 10 ? `${text}T${time}Z` : text);
  return [at(query.get('start_date') ?? '0000-01-01', '00:00:00'), at(query.get('end_date') ?? '9999-12-31', '23:59:59')];
}

function summaries(world: World, resource: string, user: string, query: URLSearchParams): Found {
  if (!knows(world, user)) return 'gone';
  const [from, to] = range(query);
  const provider = query.get('provider');
  const chosen = (world.summaries?.[user]?.[resource] ?? []).filter((one) => {
    const at = Date.parse(String(one.calendar_date ?? one.session_start ?? one.period_start));
    return at >= from && at <= to && (provider === null || (one.source as Json)?.provider === provider);
  });
  return { [resource === 'meal' ? 'meals' : resource]: chosen };
}

interface Timed {
  readonly group: SampleGroup;
  readonly sample: Json;
  readonly at: number;
}

/** A cache of sorted samples, because tests request the same groups many times. */
const ordered = new WeakMap<readonly SampleGroup[], readonly Timed[]>();

function inOrder(groups: readonly SampleGroup[]): readonly Timed[] {
  let all = ordered.get(groups);
  if (all === undefined) {
    all = groups
      .flatMap((group) =>
        group.data.map((sample) => ({ group, sample, at: Date.parse(String(sample.start ?? sample.timestamp)) })),
      )
      .sort((a, b) => a.at - b.at);
    ordered.set(groups, all);
  }
  return all;
}

/** Returns the next samples of all groups in order of time. Within the page, the samples are grouped by provider and source. */
function grouped(world: World, user: string, resource: string, query: URLSearchParams): Found {
  if (!knows(world, user)) return 'gone';
  const [from, to] = range(query);
  const provider = query.get('provider');
  const all = inOrder(world.timeseries?.[user]?.[resource] ?? []).filter(
    ({ group, at }) => (provider === null || provider === group.provider) && at >= from && at <= to,
  );
  const page = cursorPage(all, new URLSearchParams({ next_cursor: query.get('next_cursor') ?? '0' }), 'none', world);
  const groups: Record<string, { source: Json; data: Json[] }[]> = {};
  const bySource = new Map<SampleGroup, { source: Json; data: Json[] }>();
  for (const { group, sample } of page.data as readonly Timed[]) {
    let shown = bySource.get(group);
    if (shown === undefined) {
      shown = { source: group.source, data: [] };
      bySource.set(group, shown);
      groups[group.provider] = [...(groups[group.provider] ?? []), shown];
    }
    shown.data.push(sample);
  }
  return { groups, next_cursor: page.next_cursor === 'None' ? null : page.next_cursor, next: null };
}

function ordersOf(world: World, query: URLSearchParams): readonly Json[] {
  const user = query.get('user_id');
  const [from, to] = [query.get('updated_start_date'), query.get('updated_end_date')];
  return (world.orders ?? []).filter(
    (order) =>
      (user === null || order.user_id === user) &&
      (from === null || Date.parse(String(order.updated_at)) >= Date.parse(from)) &&
      (to === null || Date.parse(String(order.updated_at)) <= Date.parse(to)),
  );
}
