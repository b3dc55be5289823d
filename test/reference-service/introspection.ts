import { answer, type Json, type Rule } from './control.ts';

/** Rules that answer with planned states, which the pulls of the service would leave at once, or never have. */

/** A historical pull of 90 days. */
export interface PlannedPull {
  readonly status: string;
  readonly scheduledAt: string;
  readonly startedAt?: string | null;
  readonly endedAt?: string | null;
  readonly errorDetails?: string | null;
  readonly daysWithData?: number;
  readonly rangeEnd?: string;
}

function pullAnswer({ status, scheduledAt, startedAt, endedAt, errorDetails, daysWithData, rangeEnd }: PlannedPull): Json {
  const end = rangeEnd ?? `${scheduledAt.slice(0, 10)}T00:00:00+00:00`;
  return {
    status,
    range_start: new Date(Date.parse(end) - 90 * 86_400_000).toISOString(),
    range_end: end,
    timeline: { scheduled_at: scheduledAt, started_at: startedAt ?? null, ended_at: endedAt ?? null },
    days_with_data: daysWithData ?? 0,
    release: '0.0.0',
    trace_id: null,
    error_details: errorDetails,
  };
}

type UserAnswer = Json & { readonly user_id: string };

/** Returns the introspection answer for a user with one provider. The keys of `pulls` are the pulled resources. */
export function userAnswer(userId: string, provider: string, pulls: Readonly<Record<string, PlannedPull>>): UserAnswer {
  const pulled = Object.fromEntries(Object.entries(pulls).map(([resource, pull]) => [resource, pullAnswer(pull)]));
  return { user_id: userId, provider: { [provider]: { pulled, not_pulled: [] } } };
}

const operation = 'introspect_historical_pulls';

/**
 * Answers with these users: all of them on pages of `pageSize`, and each one on request. The cursor of the last page is the
 * string `None`, as in the service's own example.
 */
export function pullsOf(users: readonly UserAnswer[], pageSize = users.length): Rule[] {
  const page = (data: readonly Json[], next = 'None'): Json => ({ data, next_cursor: next, next });
  const single = users.map((user) => answer({ operation, query: { user_id: user.user_id } }, page([user])));
  const pages = Array.from({ length: Math.ceil(users.length / pageSize) }, (_, index) => {
    const [from, to] = [index * pageSize, (index + 1) * pageSize];
    const query = index === 0 ? {} : { query: { next_cursor: String(from) } };
    return answer({ operation, ...query }, page(users.slice(from, to), to < users.length ? String(to) : undefined));
  });
  // The first page also fits a request for any other page, so its rule is the last one.
  return [...single, ...pages.toReversed()];
}
