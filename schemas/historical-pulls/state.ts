/** The states of a historical pull. `unknown` stands for any status that this version of Aorta does not know. */
export const pullStates = ['expected', 'scheduled', 'in_progress', 'retrying', 'success', 'failure', 'unknown'] as const;
export type PullState = (typeof pullStates)[number];

/** A state that introspection can report. */
export type ReportedState = Exclude<PullState, 'expected'>;

/** The known statuses of the service. The service may add other statuses. */
const told: ReadonlyMap<string, ReportedState> = new Map(
  (['scheduled', 'in_progress', 'retrying', 'success', 'failure'] as const).map((status) => [status, status]),
);

/** Returns the state for a status of the service, or `unknown`. Ignores case. */
export function stateTold(status: string): ReportedState {
  return told.get(status) ?? told.get(status.toLowerCase()) ?? 'unknown';
}

/** Whether the service retries by itself after an error. */
export type ErrorClass = 'retriable' | 'final';

const finalErrors: ReadonlySet<string> = new Set(['non_retriable_error', 'unexpected_error', 'retry_quota_exhausted']);
const retriableErrors: ReadonlySet<string> = new Set([
  'provider_rate_limit_exceeded',
  'provider_unavailable',
  'transport_failure',
  'resource_contention',
]);

/**
 * Returns the class of error details, or null if there are none. Unknown details are final if the state is `failure`, else
 * retriable. The class never changes the state.
 */
export function errorClass(details: string | null, state: PullState): ErrorClass | null {
  if (details === null) return null;
  if (finalErrors.has(details)) return 'final';
  if (retriableErrors.has(details)) return 'retriable';
  return state === 'failure' ? 'final' : 'retriable';
}
