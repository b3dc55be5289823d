/** Where a historical pull can stand. `unknown` is a status of the service that this version does not know: it is kept as told. */
export const pullStates = ['expected', 'scheduled', 'in_progress', 'retrying', 'success', 'failure', 'unknown'] as const;
export type PullState = (typeof pullStates)[number];

/** A state that the introspection of the service can tell. */
export type ToldState = Exclude<PullState, 'expected'>;

/** Statuses of the service (its enum is open: whatever else it tells is `unknown`). */
const told: ReadonlyMap<string, ToldState> = new Map(
  (['scheduled', 'in_progress', 'retrying', 'success', 'failure'] as const).map((status) => [status, status]),
);

/** The state that a status of the service names; `unknown` where it names none of ours. */
export function stateTold(status: string): ToldState {
  return told.get(status) ?? told.get(status.toLowerCase()) ?? 'unknown';
}

/** Whether the service will try again by itself after such an error. */
export type ErrorClass = 'retriable' | 'final';

const finalErrors: ReadonlySet<string> = new Set(['non_retriable_error', 'unexpected_error', 'retry_quota_exhausted']);
const retriableErrors: ReadonlySet<string> = new Set([
  'provider_rate_limit_exceeded',
  'provider_unavailable',
  'transport_failure',
  'resource_contention',
]);

/**
 * Class of an error's details; null where there are none. Details that this version does not know are retriable until
 * the service itself says `failure`. The class never changes a state: the status does.
 */
export function errorClass(details: string | null, state: PullState): ErrorClass | null {
  if (details === null) return null;
  if (finalErrors.has(details)) return 'final';
  if (retriableErrors.has(details)) return 'retriable';
  return state === 'failure' ? 'final' : 'retriable';
}
