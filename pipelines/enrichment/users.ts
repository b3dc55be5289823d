import type { ServiceClient } from '@aorta/connectors/service';
import { ServiceError } from '@aorta/connectors/service';
import { isAortaError, steadyNow } from '@aorta/runtime';
import { z } from 'zod';
import { type Known, openPolling, type PollingJobOptions } from './polled-data.ts';
import type { FetchedEvent } from './workers/emitter.ts';
import type { OpenJob } from './workers/job.ts';

/** Time, in milliseconds, during which the service can restore a deleted user. */
const GRACE_MS = 7 * 86_400_000;

const PAGE = 500;
/** Maximum number of unchanged users whose connections are polled in one cycle. The least recently polled users come first. */
const CONNECTIONS_A_CYCLE = 500;
/** Maximum number of missing users that one cycle checks. If the list is incomplete, many users may be missing from it. */
const MISSING_A_CYCLE = 500;

const factsShape = z.object({
  users: z.record(
    z.string(),
    z.object({ state: z.enum(['present', 'missing']), askedAt: z.number(), providers: z.array(z.string()) }),
  ),
});
const USER = 'service.user.polled';
const CONNECTION = 'service.connection.polled';
type Facts = z.output<typeof factsShape>;

/**
 * Opens a job that polls all users and their connections. The service sends no event when a user is deleted. Therefore a user
 * counts as deleted when the list does not contain the user and the service confirms the deletion. The service can restore a
 * user for seven days. After that, the data must be erased. The job also reports a deleted user who reappears.
 */
export function openUsers({ client, ...surrounding }: PollingJobOptions): Promise<OpenJob> {
  return openPolling<Facts>({
    ...surrounding,
    name: 'service-users',
    facts: { shape: factsShape, empty: () => ({ users: {} }) },
    cycle: (known, signal) => cycle(client, known, signal),
  });
}

async function* cycle(client: ServiceClient, known: Known<Facts>, signal: AbortSignal): AsyncGenerator<FetchedEvent[]> {
  const seen = new Set<string>();
  const changed = new Set<string>();
  let listedAt = 0;
  let page = 0;
  for await (const { value, servedAt } of pages(client, signal)) {
    const events: FetchedEvent[] = [];
    const before = seen.size;
    listedAt = servedAt;
    for (const user of value.items) {
      if (seen.has(user.user_id)) continue;
      seen.add(user.user_id);
      if (known.isNews(user.user_id, user)) {
        changed.add(user.user_id);
        events.push({ eventType: USER, userId: user.user_id, teamId: user.team_id, data: user, servedAt });
      }
      events.push(...found(known.facts, user.user_id, servedAt));
    }
    if (value.items.length > 0 && seen.size === before)
      throw new ServiceError('AORTA-SERVICE-CURSOR', { operation: 'GET /v2/user', pages: Math.ceil(seen.size / PAGE) + 1 });
    yield [...events, ...known.unidentified(USER, String(++page), value.unidentified, servedAt)];
  }
  yield* vanished(client, known, { listed: seen, listedAt }, signal);
  const present = Object.entries(known.facts.users).filter(([, { state }]) => state === 'present');
  const waiting = present.filter(([userId]) => !changed.has(userId)).sort(([, a], [, b]) => a.askedAt - b.askedAt);
  for (const userId of [...changed, ...waiting.slice(0, CONNECTIONS_A_CYCLE).map(([id]) => id)])
    yield await ofOne(known, [], () => connectionsOf(client, known, userId, signal));
}

/** Errors that may affect a single user only. All other errors affect the service or our access to it. */
const ofOneUser: ReadonlySet<string> = new Set(['AORTA-SERVICE-REFUSED', 'AORTA-SERVICE-ANSWER', 'AORTA-SERVICE-TOO-LARGE']);

/** Makes a call for one user. If an error affects only this user, records it and returns `otherwise`. */
async function ofOne<T>({ skip, succeeded }: Known<Facts>, otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask();
    succeeded();
    return answer;
  } catch (error) {
    if (!isAortaError(error)) throw error;
    const { code, details } = error;
    if (!ofOneUser.has(code) && !(code === 'AORTA-SERVICE-BUSY' && details.status === 500)) throw error;
    skip(error);
    return otherwise;
  }
}

/** The user ids in the list, and the time that the service reported with it, in microseconds since 1970. */
interface UserListing {
  readonly listed: ReadonlySet<string>;
  readonly listedAt: number;
}

/** Yields the events for users who are no longer in the list. */
async function* vanished(
  client: ServiceClient,
  known: Known<Facts>,
  { listed, listedAt }: UserListing,
  signal: AbortSignal,
): AsyncGenerator<FetchedEvent[]> {
  const { users } = known.facts;
  const suspected = Object.entries(users)
    .filter(([userId, { state }]) => state === 'present' && !listed.has(userId))
    .sort(([, a], [, b]) => a.askedAt - b.askedAt);
  for (const [userId, one] of suspected.slice(0, MISSING_A_CYCLE)) {
    // The list may shift between two pages, so a user who is missing from the list is not necessarily deleted.
    if (!(await ofOne(known, false, () => isGone(client, userId, signal)))) continue;
    users[userId] = { ...one, state: 'missing' };
    known.forget(userId);
    // Uses the service's clock, like all earlier events of the user. Our clock may be behind.
    yield [stateOf(userId, listedAt, { state: 'missing', erase_after: instant(listedAt + GRACE_MS * 1000) })];
  }
}

async function* pages(client: ServiceClient, signal: AbortSignal): AsyncGenerator<Awaited<ReturnType<ServiceClient['users']>>> {
  for (let offset = 0; ; ) {
    const page = await client.users({ offset, limit: PAGE }, signal);
    yield page;
    const got = page.value.items.length + page.value.misshapen;
    offset += got;
    // The service may return fewer users per page than requested, so only the total or an empty page marks the end.
    if (got === 0 || (page.value.total !== undefined && offset >= page.value.total)) return;
  }
}

/** Returns the events for a user in the list. */
function found({ users }: Facts, userId: string, servedAt: number): FetchedEvent[] {
  const before = users[userId];
  if (before?.state === 'present') return [];
  users[userId] = { state: 'present', askedAt: 0, providers: before?.providers ?? [] };
  return [stateOf(userId, servedAt, { state: 'present', returned: before !== undefined })];
}

function stateOf(userId: string, servedAt: number, facts: Readonly<Record<string, unknown>>): FetchedEvent {
  return { eventType: `service.user_state.${facts.state}`, userId, data: { ...facts, since: instant(servedAt) }, servedAt };
}

/** Returns whether the service no longer has the user. */
async function isGone(client: ServiceClient, userId: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.user(userId, signal);
    return false;
  } catch (error) {
    if (isAortaError(error) && error.code === 'AORTA-SERVICE-GONE') return true;
    throw error;
  }
}

async function connectionsOf(
  client: ServiceClient,
  known: Known<Facts>,
  userId: string,
  signal: AbortSignal,
): Promise<FetchedEvent[]> {
  let answer: Awaited<ReturnType<ServiceClient['connections']>>;
  // Sets the time before the call, so that other users come first in the next cycle even if the call fails.
  const asked = known.facts.users[userId];
  if (asked !== undefined) known.facts.users[userId] = { ...asked, askedAt: steadyNow() };
  try {
    answer = await client.connections(userId, signal);
  } catch (error) {
    // The user was deleted after the list was read. The next cycle reports the deletion.
    if (isAortaError(error) && error.code === 'AORTA-SERVICE-GONE') return [];
    throw error;
  }
  const { value, servedAt } = answer;
  const { users } = known.facts;
  const providers = value.items.map(({ slug }) => slug);
  const polled = (data: unknown): FetchedEvent => ({ eventType: CONNECTION, userId, data, servedAt });
  const gone = (users[userId]?.providers ?? []).filter((slug) => !providers.includes(slug));
  for (const slug of gone) known.forget(`${userId} ${slug}`);
  users[userId] = { state: 'present', askedAt: servedAt / 1000, providers };
  return [
    ...value.items.filter((one) => known.isNews(`${userId} ${one.slug}`, one)).map(polled),
    ...gone.map((slug) => polled({ slug, status: 'gone' })),
    ...known.unidentified(CONNECTION, userId, value.unidentified, servedAt).map((event) => ({ ...event, userId })),
  ];
}

const instant = (micros: number): string => new Date(micros / 1000).toISOString();
