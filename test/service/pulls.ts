import type { Json } from './world.ts';

/** A historical pull of 90 days that a scripted service reports at its introspection endpoint. */
export interface ScriptedPull {
  readonly status: string;
  readonly scheduledAt: string;
  readonly startedAt?: string | null;
  readonly endedAt?: string | null;
  readonly errorDetails?: string | null;
  readonly daysWithData?: number;
  readonly rangeEnd?: string;
}

function pullAnswer({ status, scheduledAt, startedAt, endedAt, errorDetails, daysWithData, rangeEnd }: ScriptedPull): Json {
  const end = rangeEnd ?? `${scheduledAt.slice(0, 10)}T00:00:00+00:00`;
  return {
    status,
    range_start: new Date(Date.parse(end) - 90 * 86_400_000).toISOString(),
    range_end: end,
    timeline: { scheduled_at: scheduledAt, started_at: startedAt ?? null, ended_at: endedAt ?? null },
    days_with_data: daysWithData ?? 0,
    release: '0.0.0',
    trace_id: null,
    ...(errorDetails === undefined ? {} : { error_details: errorDetails }),
  };
}

/** Returns the introspection answer for a user with one provider. The keys of `pulls` are the pulled resources. */
export function userAnswer(
  userId: string,
  provider: string,
  pulls: Readonly<Record<string, ScriptedPull>>,
  notPulled: readonly string[] = [],
): Json & { readonly user_id: string } {
  const pulled = Object.fromEntries(Object.entries(pulls).map(([resource, pull]) => [resource, pullAnswer(pull)]));
  return { user_id: userId, provider: { [provider]: { pulled, not_pulled: notPulled } } };
}
