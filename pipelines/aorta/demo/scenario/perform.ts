import type { Service, User } from '@aorta/service';
import { DAY_MS, type Days, dayOf, HOUR_MS, MINUTE_MS, type Period, periodOf } from '../period.ts';

export interface Performance extends Days {
  readonly service: Service;
  readonly team: string;
  readonly people: number;
}

/** Faults end this long before the end, so that every event arrives in time. In a short demonstration, they end later. */
const CALM_MS = 8 * HOUR_MS;

/** The service and the people of a demonstration. The index of a user is the person's number. */
interface Cast {
  readonly service: Service;
  readonly team: string;
  readonly users: readonly User[];
}

/** Something that happens at a virtual time, in milliseconds since 1970. */
interface Step {
  readonly at: number;
  readonly happen: (cast: Cast) => void;
}

type Rule = Parameters<Parameters<Step['happen']>[0]['service']['faults']['add']>[0];

const daily = 'daily.data.';

/** Rules that apply from the beginning: repeated, late and lost deliveries. A lost one is sent again. */
const rules: readonly Rule[] = [
  { on: 'delivery', match: { via: 'pipeline', event_type_prefix: daily }, probability: 0.02, effect: { kind: 'duplicate' } },
  {
    ...{ on: 'delivery', match: { via: 'pipeline', event_type_prefix: daily }, probability: 0.01 },
    effect: { kind: 'reorder', behind: 6, within_seconds: 6 * 3600 },
  } as Rule,
  { on: 'delivery', match: { via: 'webhook' }, probability: 0.05, effect: { kind: 'duplicate' } },
  { on: 'delivery', match: { via: 'webhook' }, probability: 0.1, effect: { kind: 'lose', status: 503 } },
];

/** Holds back all events of the pipeline for five hours. */
const outage: Rule = { on: 'delivery', match: { via: 'pipeline' }, times: 1, delay_seconds: 5 * 3600 };

/** Returns the steps in which deliveries begin and cease to go wrong. */
function deliveryFaults({ from, end }: Period): Step[] {
  const middle = from + Math.floor((end - from) / (2 * DAY_MS)) * DAY_MS + 13 * HOUR_MS;
  const steps: Step[] = [
    { at: from, happen: ({ service }) => void rules.map((rule) => service.faults.add(rule)) },
    { at: middle, happen: ({ service }) => void service.faults.add(outage) },
    { at: Math.max(middle + 6 * HOUR_MS, end - CALM_MS), happen: ({ service }) => void service.faults.clear() },
  ];
  return steps.filter(({ at }) => at < end);
}

/** Outcomes of the next attempts of a historical pull, as `POST /pulls/script` takes them. */
type Outcomes = Parameters<Cast['service']['pulls']['scripts']['set']>[0]['outcomes'];

interface Script {
  readonly person: number;
  readonly provider: string;
  /** Null: all resources of the provider. */
  readonly resource: string | null;
  readonly outcomes: Outcomes;
}

function set({ service, users }: Cast, { person, ...script }: Script): void {
  service.pulls.scripts.set({ ...script, user_id: users[person]!.user_id });
}

/** Pulls of the first connections that fail, each for another reason. */
const failing: readonly Script[] = [
  { person: 1, provider: 'withings', resource: 'weight', outcomes: [{ kind: 'transport_failure', attempts: 2 }] },
  { person: 3, provider: 'oura', resource: 'hrv', outcomes: [{ kind: 'unexpected_error', attempts: 1 }] },
  { person: 4, provider: 'freestyle_libre', resource: 'glucose', outcomes: [{ kind: 'revoked_scope', attempts: 1 }] },
  { person: 5, provider: 'fitbit', resource: 'sleep', outcomes: [{ kind: 'rate_limit', attempts: 9 }] },
];

/** Returns the scripts of the pulls that follow the first connections. They are set before anybody connects. */
function scripts(people: number, { from }: Period): Step[] {
  return failing
    .filter(({ person }) => person < people)
    .map((script, number) => ({ at: from + number, happen: (cast) => set(cast, script) }));
}

/**
 * Devices that people add at the end, so that their pulls are still open. `before`: milliseconds before the end of the
 * demonstration.
 */
const additions: readonly (Omit<Script, 'resource'> & { readonly before: number; readonly unavailable?: readonly string[] })[] = [
  { person: 11, before: 50 * MINUTE_MS, provider: 'fitbit', outcomes: [{ kind: 'rate_limit', attempts: 9 }] },
  { person: 12, before: 25 * MINUTE_MS, provider: 'oura', outcomes: [{ kind: 'slow', attempts: 1, seconds_per_chunk: 3_600 }] },
  { person: 13, before: 500, provider: 'fitbit', outcomes: [] },
  { person: 2, before: 3 * HOUR_MS, provider: 'oura', outcomes: [], unavailable: ['heartrate', 'hrv'] },
  { person: 16, before: 2 * HOUR_MS, provider: 'omron', outcomes: [{ kind: 'slow', attempts: 1, seconds_per_chunk: 86_400 }] },
];

/** Share of the period after which each person of a block of ten connects. So the people belong to several cohorts. */
const shares = [0, 0, 0.07, 0.14, 0.21, 0.36, 0.5, 0.57, 0.64, 0.8] as const;
/** Days before the connection for which the service imports data. */
const HISTORY_DAYS = 3;

/** Returns when a person connects the first device, in milliseconds since 1970. */
function signUpOf(person: number, { from, end }: Period): number {
  const days = Math.floor(shares[person % shares.length]! * ((end - from) / DAY_MS));
  return from + days * DAY_MS + (5 + (person % 97) * 7) * MINUTE_MS;
}

/**
 * Sets of providers. Each person connects the providers of one set, and each block of ten people uses every set. Apple
 * HealthKit has the data of a phone. The first person has a watch, a ring and a phone, which all count the same steps.
 */
const sets: readonly (readonly string[])[] = [
  ['fitbit', 'oura', 'apple_health_kit'],
  ['apple_health_kit', 'withings'],
  ['garmin'],
  ['oura', 'omron'],
  ['apple_health_kit', 'freestyle_libre'],
  ['fitbit', 'withings'],
  ['garmin', 'apple_health_kit'],
  ['freestyle_libre', 'fitbit'],
  ['whoop_v2'],
  ['polar', 'strava'],
];

/** Returns the providers of a person, whose numbers start at 0. */
function devicesOf(person: number): readonly string[] {
  return sets[person % sets.length]!;
}

/** Returns the steps in which people connect their devices. */
function signUps(people: number, period: Period): Step[] {
  return Array.from({ length: people }, (_, person) => {
    const at = signUpOf(person, period);
    return devicesOf(person).map(
      (provider, number): Step => ({
        at: at + number * MINUTE_MS,
        happen: (cast) => {
          if (number === 0) limitHistory(cast, person, dayOf(at - HISTORY_DAYS * DAY_MS));
          connect(cast, person, provider);
        },
      }),
    );
  }).flat();
}

function limitHistory({ service, team, users }: Cast, person: number, from: string): void {
  service.users.change(team, users[person]!.user_id, { ingestion_start: from });
}

/** Connects a provider. The user has not permitted the `unavailable` resources. */
function connect({ service, users }: Cast, person: number, provider: string, unavailable: readonly string[] = []): void {
  const user = service.users.any(users[person]!.user_id);
  if (user !== undefined) service.connections.connect(user, { provider, isDemo: false, unavailable });
}

function late(people: number, { from, end }: Period): Step[] {
  const added = additions
    .filter(({ person, before }) => person < people && end - before > from)
    .map(({ person, before, provider, outcomes, unavailable = [] }) => ({
      at: end - before,
      happen: (cast: Cast) => {
        if (outcomes.length > 0) set(cast, { person, provider, resource: null, outcomes });
        connect(cast, person, provider, unavailable);
      },
    }));
  const leaves = { at: end - HOUR_MS, happen: (cast: Cast) => leave(cast, 16) };
  return people > 16 ? [...added, leaves] : added;
}

/** Deletes a user whose pull is still open. From then on, introspection of the user's pulls answers with status 404. */
function leave({ service, team, users }: Cast, person: number): void {
  const { user_id } = users[person]!;
  service.users.delete(team, user_id);
  service.faults.add({
    ...{ on: 'operation', match: { operation: 'introspect_historical_pulls', query: { user_id } } },
    effect: { kind: 'status', status: 404, body: { detail: 'User not found' } },
  });
}

function breakOff(
  { service, users }: Cast,
  person: number,
  provider: string,
  [error_type, error_message]: readonly [string, string],
): void {
  service.connections.break(users[person]!, provider, { error_type, error_message });
}

/** Returns the steps in which connections break, one of them for good, and a person pauses and then resumes ingestion. */
function breaks(people: number, { from, end }: Period): Step[] {
  const at = (share: number): number => from + Math.floor(share * ((end - from) / DAY_MS)) * DAY_MS + 11 * HOUR_MS;
  const expired = ['token_refresh_failed', 'The provider no longer accepts our token.'] as const;
  const withdrawn = ['deregistered_per_provider', 'The user has removed the access at the provider.'] as const;
  const steps: (Step & { readonly person: number })[] = [
    { person: 1, at: at(0.3), happen: (cast) => breakOff(cast, 1, 'apple_health_kit', expired) },
    { person: 1, at: at(0.45), happen: (cast) => connect(cast, 1, 'apple_health_kit') },
    // Garmin's history is pulled only once, so after this break the board waits for a pull that never comes.
    { person: 2, at: at(0.3), happen: (cast) => breakOff(cast, 2, 'garmin', expired) },
    { person: 2, at: at(0.45), happen: (cast) => connect(cast, 2, 'garmin') },
    { person: 12, at: at(0.6), happen: (cast) => breakOff(cast, 12, 'garmin', withdrawn) },
    { person: 10, at: at(0.35), happen: (cast) => pause(cast, 10, dayOf(at(0.35) - DAY_MS)) },
    { person: 10, at: at(0.6), happen: (cast) => pause(cast, 10, null) },
  ];
  return steps.filter(({ person }) => person < people);
}

/** Ends the ingestion of a person's data after a day, or continues it. The data of the days between is lost, as without a device. */
function pause({ service, team, users }: Cast, person: number, after: string | null): void {
  service.users.change(team, users[person]!.user_id, { ingestion_end: after });
}

/** Returns the steps in which something goes wrong with pulls and connections. */
function troubles(people: number, period: Period): Step[] {
  return [...scripts(people, period), ...breaks(people, period), ...late(people, period)];
}

/** Lets the people of a demonstration live through its days. Resolves at the end of the last day. */
export async function perform({ service, team, people, ...days }: Performance): Promise<void> {
  const period = periodOf(days);
  const users = service.atomically(() =>
    Array.from({ length: people }, (_, person) => {
      const name = `demo-${String(person + 1).padStart(3, '0')}`;
      return service.users.create(team, name, {}) as User;
    }),
  );
  const steps = [...deliveryFaults(period), ...troubles(people, period), ...signUps(people, period)];
  for (const { at, happen } of steps.toSorted(byTime)) {
    await service.jobs.advanceTo(at);
    service.atomically(() => happen({ service, team, users }));
  }
  await service.jobs.advanceTo(period.end);
}

const byTime = (a: Step, b: Step): number => a.at - b.at;
