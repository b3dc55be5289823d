import type { Service, User } from '@aorta/service';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS, type Period, periodOf } from './period.ts';

/** Holds back all events of the pipeline for five hours. */
const outage: Rule = { on: 'delivery', match: { via: 'pipeline' }, times: 1, delay_seconds: 5 * 3600 };

/** Days before the connection for which the service imports data. */
const HISTORY_DAYS = 3;

/** The person who is deleted, an hour before the end of the first days. */
const LEAVING = 11;

/** Determines the first days of a demonstration. Later runs add days. */
export interface Course {
  readonly people: number;
  /** Number of the first days, in UTC. */
  readonly days: number;
  /** Last of the first days, such as `2026-01-31`. */
  readonly first: string;
}

/**
 * Milliseconds before the end during which no delivery fails, so that every event arrives. A short demonstration has fewer.
 */
const CALM_MS = 8 * HOUR_MS;

type ServiceLibrary = Pick<typeof import('@aorta/service'), 'inventedPatient' | 'labTests'>;

/** The service and the people of a demonstration. */
class Cast {
  readonly service: Service;
  readonly team: string;
  readonly library: ServiceLibrary;

  constructor(service: Service, team: string, library: ServiceLibrary) {
    this.service = service;
    this.team = team;
    this.library = library;
  }

  /** Returns a person, whose number starts at 0; undefined if the person was deleted. */
  user(person: number): User | undefined {
    return this.service.users.resolve(this.team, nameOf(person));
  }
}

const nameOf = (person: number): string => `demo-${String(person + 1).padStart(3, '0')}`;

/** Something that happens at a virtual time, in milliseconds since 1970. */
interface Step {
  readonly at: number;
  readonly happen: (cast: Cast) => void;
}

type Rule = Parameters<Parameters<Step['happen']>[0]['service']['faults']['add']>[0];

const daily = 'daily.data.';

/**
 * Events with `updated_at`. Only these are reordered. A late old sample would replace its correction, because samples have
 * no version.
 */
const versioned = ['activity', 'body', 'sleep', 'workouts'].map((resource) => `${daily}${resource}.`);

/** Rules that apply from the beginning: repeated, late and lost deliveries. A lost one is sent again. */
const rules: readonly Rule[] = [
  { on: 'delivery', match: { via: 'pipeline', event_type_prefix: daily }, probability: 0.02, effect: { kind: 'duplicate' } },
  ...versioned.map(
    (event_type_prefix): Rule => ({
      on: 'delivery',
      match: { via: 'pipeline', event_type_prefix },
      probability: 0.1,
      effect: { kind: 'reorder', behind: 6, within_seconds: 6 * 3600 },
    }),
  ),
  { on: 'delivery', match: { via: 'webhook' }, probability: 0.05, effect: { kind: 'duplicate' } },
  { on: 'delivery', match: { via: 'webhook' }, probability: 0.1, effect: { kind: 'lose', status: 503 } },
];

/** Lets deliveries fail from now on. */
function disturb({ service }: Cast): void {
  for (const rule of rules) service.faults.add(rule);
}

/** Returns the steps in which deliveries start and stop failing. */
function deliveryFaults({ from, end }: Period): Step[] {
  const middle = from + Math.floor((end - from) / (2 * DAY_MS)) * DAY_MS + 13 * HOUR_MS;
  const steps: Step[] = [
    { at: from + 1, happen: disturb },
    { at: middle, happen: ({ service }) => void service.faults.add(outage) },
    { at: Math.max(middle + 6 * HOUR_MS, end - CALM_MS), happen: calm },
  ];
  return steps.filter(({ at }) => at < end);
}

/** Lets no delivery fail from now on. Rules for calls of the API stay. */
function calm({ service }: Cast): void {
  for (const { rule_id, rule } of service.faults.list()) if (rule.on === 'delivery') service.faults.remove(rule_id);
}

/** Returns the steps in which deliveries start and stop failing on each day after the first days. */
function laterFaults({ from, end }: Period): Step[] {
  return daysBetween({ from, end })
    .flatMap((day): Step[] => [
      { at: day + MINUTE_MS, happen: disturb },
      { at: day + DAY_MS - CALM_MS, happen: calm },
    ])
    .filter(({ at }) => at < end);
}

function daysBetween({ from, end }: Period): number[] {
  return Array.from({ length: Math.ceil((end - from) / DAY_MS) }, (_, day) => from + day * DAY_MS);
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

function set(cast: Cast, { person, ...script }: Script): void {
  const user = cast.user(person);
  if (user !== undefined) cast.service.pulls.scripts.set({ ...script, user_id: user.user_id });
}

/** The historical pulls that fail for the first connections, each for a different reason. */
const failing: readonly Script[] = [
  { person: 1, provider: 'withings', resource: 'weight', outcomes: [{ kind: 'transport_failure', attempts: 2 }] },
  { person: 3, provider: 'oura', resource: 'hrv', outcomes: [{ kind: 'unexpected_error', attempts: 1 }] },
  { person: 4, provider: 'freestyle_libre', resource: 'glucose', outcomes: [{ kind: 'revoked_scope', attempts: 1 }] },
  { person: 5, provider: 'fitbit', resource: 'sleep', outcomes: [{ kind: 'rate_limit', attempts: 9 }] },
];

/** Returns the scripts of the pulls that follow the first connections. They are set before the first person connects. */
function scripts(people: number, { from }: Period): Step[] {
  return failing
    .filter(({ person }) => person < people)
    .map((script, number) => ({ at: from + 1 + number, happen: (cast) => set(cast, script) }));
}

/**
 * Devices that people add at the end, so that their pulls are still open. `before`: milliseconds before the end of the
 * demonstration.
 */
const additions: readonly (Omit<Script, 'resource'> & { readonly before: number; readonly unavailable?: readonly string[] })[] = [
  { person: 8, before: 50 * MINUTE_MS, provider: 'fitbit', outcomes: [{ kind: 'rate_limit', attempts: 9 }] },
  { person: 6, before: 25 * MINUTE_MS, provider: 'oura', outcomes: [{ kind: 'slow', attempts: 1, seconds_per_chunk: 3_600 }] },
  { person: 9, before: 500, provider: 'fitbit', outcomes: [] },
  { person: 2, before: 3 * HOUR_MS, provider: 'oura', outcomes: [], unavailable: ['heartrate', 'hrv'] },
  { person: 11, before: 2 * HOUR_MS, provider: 'omron', outcomes: [{ kind: 'slow', attempts: 1, seconds_per_chunk: 86_400 }] },
];

/** When each person in a block of ten connects, as a share of the period. So the people belong to several cohorts. */
const shares = [0, 0, 0.07, 0.14, 0.21, 0.36, 0.5, 0.57, 0.64, 0.8] as const;

/** Returns when a person connects the first device, in milliseconds since 1970. */
function signUpOf(person: number, { from, end }: Period): number {
  const days = Math.floor(shares[person % shares.length]! * ((end - from) / DAY_MS));
  return from + days * DAY_MS + (5 + (person % 97) * 7) * MINUTE_MS;
}

/**
 * Sets of providers: two devices and a phone, which is `apple_health_kit`. Each person connects the providers of one set, and
 * each block of ten people uses every set. Several of a person's devices count the same steps and record the same workouts.
 */
const sets: readonly (readonly string[])[] = [
  ['fitbit', 'oura', 'apple_health_kit'],
  ['apple_health_kit', 'withings', 'garmin'],
  ['garmin', 'omron', 'apple_health_kit'],
  ['oura', 'withings', 'apple_health_kit'],
  ['apple_health_kit', 'freestyle_libre', 'fitbit'],
  ['fitbit', 'withings', 'apple_health_kit'],
  ['garmin', 'dexcom_v3', 'apple_health_kit'],
  ['freestyle_libre', 'garmin', 'apple_health_kit'],
  ['whoop_v2', 'omron', 'apple_health_kit'],
  ['polar', 'strava', 'apple_health_kit'],
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

function limitHistory(cast: Cast, person: number, from: string): void {
  cast.service.users.change(cast.team, cast.user(person)!.user_id, { ingestion_start: from });
}

/** Connects a provider. The user has not permitted the `unavailable` resources. */
function connect(cast: Cast, person: number, provider: string, unavailable: readonly string[] = []): void {
  const user = cast.user(person);
  if (user !== undefined) cast.service.connections.connect(user, { provider, isDemo: false, unavailable });
}

/** Returns the steps in which people add devices before `end`. `shift` is added to the numbers of these people. */
function late(people: number, { from, end }: Period, shift = 0): Step[] {
  return additions
    .filter(({ person, before }) => person < people && end - before > from)
    .map(({ person: first, before, provider, outcomes, unavailable = [] }) => ({
      at: end - before,
      happen: (cast) => {
        const person = (first + shift) % people;
        const user = cast.user(person);
        if (user === undefined || cast.service.connections.find(user.user_id, provider) !== undefined) return;
        if (outcomes.length > 0) set(cast, { person, provider, resource: null, outcomes });
        connect(cast, person, provider, unavailable);
      },
    }));
}

/** Deletes a user whose pull is still open. From then on, introspection of the user's pulls answers with status 404. */
function leave(cast: Cast): void {
  const { user_id } = cast.user(LEAVING)!;
  cast.service.users.delete(cast.team, user_id);
  cast.service.faults.add({
    on: 'operation',
    match: { operation: 'introspect_historical_pulls', query: { user_id } },
    effect: { kind: 'status', status: 404, body: { detail: 'User not found' } },
  });
}

function breakOff(cast: Cast, person: number, provider: string, [error_type, error_message]: readonly [string, string]): void {
  cast.service.connections.break(cast.user(person)!, provider, { error_type, error_message });
}

/** Returns the steps in which connections break, one of them for good, and people pause ingestion, one of them for good. */
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
    { person: 7, at: at(0.6), happen: (cast) => breakOff(cast, 7, 'garmin', withdrawn) },
    { person: 10, at: at(0.35), happen: (cast) => pause(cast, 10, dayOf(at(0.35) - DAY_MS)) },
    { person: 10, at: at(0.6), happen: (cast) => pause(cast, 10, null) },
    { person: 3, at: at(0.6), happen: (cast) => pause(cast, 3, dayOf(at(0.6) - DAY_MS)) },
  ];
  return steps.filter(({ person }) => person < people);
}

/**
 * Ends the ingestion of a person's data after a day, or continues it. The data of the days in between is lost, as if the
 * person wore no device.
 */
function pause(cast: Cast, person: number, after: string | null): void {
  cast.service.users.change(cast.team, cast.user(person)!.user_id, { ingestion_end: after });
}

/** Orders of lab tests: who orders which test at which share of the first days, and how the results turn out. */
const orders = [
  { person: 0, share: 0.1, test: 'Metabolic Baseline', interpretation: 'normal' },
  { person: 4, share: 0.2, test: 'Metabolic Baseline', interpretation: 'abnormal' },
  { person: 6, share: 0.5, test: 'Thyroid Check', interpretation: 'normal' },
  { person: 7, share: 0.6, test: 'Metabolic Baseline', interpretation: 'critical' },
  { person: 0, share: 0.95, test: 'Blood Count', interpretation: 'normal' },
] as const;

/** Returns the steps in which people order lab tests. The orders then take their course by themselves. */
function labOrders(people: number, { from, end }: Period): Step[] {
  return orders
    .filter(({ person }) => person < people)
    .map(({ person, share, ...order }) => ({
      at: from + Math.floor(share * (end - from)) + person,
      happen: (cast) => orderTest(cast, person, order),
    }));
}

function orderTest(
  cast: Cast,
  person: number,
  { test, interpretation }: { readonly test: string; readonly interpretation: string },
): void {
  const user = cast.user(person);
  if (user === undefined) return;
  const { orders } = cast.service.labs;
  const { inventedPatient, labTests } = cast.library;
  const { id, method } = labTests.find(({ name }) => name === test)!;
  const order = orders.create(user, {
    lab_test_id: id,
    method,
    request: { ...inventedPatient(nameOf(person)), priority: false, billing_type: 'client_bill' },
  });
  orders.want(order.order_id, { interpretation });
}

/** Returns everything that happens by itself until the end, which may be later than the first days. */
function stepsOf({ people, days, first }: Course, end: number): Step[] {
  const period = periodOf({ days, until: first });
  const later = { from: period.end, end };
  const leaving = people > LEAVING ? [{ at: period.end - HOUR_MS, happen: leave }] : [];
  return [
    ...deliveryFaults(period),
    ...scripts(people, period),
    ...breaks(people, period),
    ...late(people, period),
    ...leaving,
    ...signUps(people, period),
    ...labOrders(people, period),
    ...laterFaults(later),
    ...late(people, later, Math.ceil((end - period.end) / DAY_MS)),
  ];
}

/** Creates the team of a demonstration and its people, and sets each person's home time zone. */
export function createTeam(service: Service, people: number, homeZoneOf: (user: User) => string): string {
  const { team_id } = service.teams.add('demonstration');
  for (let person = 0; person < people; person += 1) {
    const user = service.users.create(team_id, nameOf(person), {}) as User;
    service.users.change(team_id, user.user_id, { fallback_time_zone: homeZoneOf(user) });
  }
  return team_id;
}

/**
 * Lets the people of a demonstration live until `end`, in milliseconds since the epoch. An interrupted service continues where it
 * stopped. A step and the move of the clock to its time are one transaction, so no step is lost or repeated.
 */
export async function perform(service: Service, course: Course, end: number): Promise<void> {
  // Imported only here, because the published package does not contain the local servers.
  const cast = new Cast(service, service.teams.list()[0]!.team_id, await import('@aorta/service'));
  const steps = Map.groupBy(stepsOf(course, end), ({ at }) => at);
  for (const at of [...steps.keys()].toSorted((a, b) => a - b)) {
    if (at <= service.clock.now()) continue;
    await service.jobs.advanceTo(at - 1);
    service.atomically(() => {
      service.clock.moveTo(at);
      for (const { happen } of steps.get(at)!) happen(cast);
    });
  }
  // An earlier run may have stopped at a later time, with deliveries that were due.
  await service.jobs.advanceTo(Math.max(end, service.clock.now()));
}
