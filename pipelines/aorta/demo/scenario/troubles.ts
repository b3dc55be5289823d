import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS, type Period } from '../period.ts';
import { connect } from './sign-ups.ts';
import type { Cast, Step } from './step.ts';

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
export function troubles(people: number, period: Period): Step[] {
  return [...scripts(people, period), ...breaks(people, period), ...late(people, period)];
}
