import { type Answered, type Row, rowOf, time } from './row.ts';
import type { Subject } from './wearables.ts';

/** The rows about the historical pulls of a user, by table. `providers` is the service's own account of the pulls. */
export function pullRows(subject: Subject, providers: Answered): [table: string, rows: readonly Row[]][] {
  const { user_id } = subject;
  const pulls = Object.entries<Answered>(providers).flatMap(([provider, { pulled }]) =>
    Object.entries<Answered>(pulled).map(([resource, pull]) => pullOf({ user_id, provider, resource }, pull)),
  );
  const not_pulled = Object.entries<Answered>(providers).flatMap(([provider, { not_pulled: resources }]) =>
    resources.map((resource: string) => ({ provider, resource })),
  );
  const reported = pulls.map(({ user_id: _, ...pull }) => ({ ...pull, extra: null }));
  const completed = pulls.filter(({ status }) => status === 'success');
  return [
    ['introspection_polls', [{ user_id, gone: false, pulls: reported, not_pulled }]],
    ['historical_pulls', pulls.map(trackRow)],
    ['historical_pull_board', pulls.map(boardRow)],
    ['historical_completions', completed.map((pull) => completionRow(subject, pull))],
  ];
}

function pullOf(of: Row, { timeline, range_start, range_end, ...pull }: Answered): Row {
  const { scheduled_at, started_at, ended_at } = timeline;
  return {
    ...of,
    ...pull,
    range_start: time(range_start),
    range_end: time(range_end),
    scheduled_at: time(scheduled_at),
    started_at: time(started_at),
    ended_at: time(ended_at),
  };
}

/** The columns that the table and the board share for a pull that has ended. */
function endedRow({ release: _, ...pull }: Row): Row {
  const { status } = pull;
  const ofFailure = status === 'success' ? { error_class: null, trace_id: null } : { error_class: 'final' };
  return { ...pull, state: status, provisional: false, contradicted_at: null, knows_retrying: true, ...ofFailure };
}

function trackRow(pull: Row): Row {
  return { ...endedRow(pull), ordinal: 1, is_present: true, reports: true, not_pulled_at: null, perhaps_completed_at: null };
}

function boardRow({ started_at: _, ended_at: __, ...pull }: Row): Row {
  const { status, days_with_data, error_details } = pull;
  const [standing, reason, what_to_do] =
    status === 'success'
      ? ['complete', days_with_data === 0 ? 'done, and no day of the range had data' : 'done', null]
      : ['failed', error_details, 'ask the user to connect again, or the service for the reason, by its trace id'];
  return { ...endedRow(pull), standing, reason, what_to_do, stale: false };
}

function completionRow(subject: Subject, { provider, resource, range_start, range_end }: Row): Row {
  const data = { user_id: subject.user_id, is_final: true, provider };
  const body = { event_type: `historical.data.${resource}.created`, ...subject, data };
  return rowOf('historical_completions', body, { resource, range_start, range_end });
}
