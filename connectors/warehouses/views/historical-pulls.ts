import type { HistoricalPullTrack, TableDeclaration } from '@aorta/schemas';
import { columnsOf, listColumns } from './columns.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

/** Seconds after which an open pull counts as stalled if its track names no limit: one day. */
const STALLED_AFTER_S = 86_400;

const NOT_PULLED_REASON = "'the service does not pull this resource of the connection'";
const NOT_PULLED_REMEDY = "'ask the user for the permissions that the resource needs'";

/** The views of the lists in a track: name of the view, name of the list, and description of a row. */
const lists: readonly (readonly [name: string, list: string, doc: string])[] = [
  [
    'historical_pulls',
    'pulls',
    'One historical pull, with the state derived from all the evidence. `is_present` marks the latest pull of a user, provider and resource.',
  ],
  ['historical_pull_changes', 'changes', 'One change of a historical pull to another state or another kind of problem.'],
  [
    'historical_pull_evidence',
    'evidence',
    'One fact about the historical pulls of a user, provider and resource. The facts may come from several pulls.',
  ],
];

function listView({ table }: ViewDialect, tracks: TableDeclaration, [name, list, doc]: (typeof lists)[number]): View {
  const columns = listColumns(tracks, tracks.columns.find((column) => column.name === list)!);
  return { name, doc, columns, query: `select * from ${table(`${tracks.name}_${list}`)}` };
}

/** Columns that the board takes from the latest pull. */
const present = [
  'scheduled_at',
  'range_start',
  'range_end',
  'state',
  'since',
  'retrying_since',
  'status',
  'error_details',
  'error_class',
  'days_with_data',
  'provisional',
  'perhaps_completed_at',
  'broken_at',
  'contradicted_at',
  'knows_retrying',
  'service_since',
  'service_retrying_since',
  'trace_id',
] as const satisfies readonly (keyof HistoricalPullTrack['pulls'][number])[];

const ofPull = (...names: readonly (typeof present)[number][]): ViewColumn[] => columnsOf('historical_pull_tracks_pulls', names);

const boardColumns: readonly ViewColumn[] = [
  ...columnsOf('historical_pull_tracks', ['user_id', 'provider', 'resource']),
  {
    name: 'standing',
    type: 'string',
    doc: '`complete`, `in_motion`, `retrying`, `stalled`, `failed`, `unknown`, `announced`, `not_pulled`, `not_reported` or `gone`.',
  },
  {
    name: 'since',
    type: 'timestamp',
    doc: 'When the pull entered its state, or had its first temporary problem. For a stalled pull: when it last made progress. If there is no pull: when the service reported that.',
  },
  { name: 'reason', type: 'string', doc: 'Why the pull has this standing, in words.' },
  { name: 'what_to_do', type: 'string', doc: 'Next step of the operator, in words; NULL if there is none.' },
  ...ofPull('state', 'status', 'error_details', 'error_class', 'scheduled_at', 'range_start', 'range_end', 'days_with_data'),
  ...ofPull('provisional', 'knows_retrying', 'broken_at', 'contradicted_at'),
  { name: 'as_of', type: 'timestamp', doc: 'When the service last answered about the user; NULL if it has not answered.' },
  {
    name: 'stale',
    type: 'bool',
    doc: 'Whether the last answer is too old, or there is none. False if the service no longer has the user.',
  },
  ...ofPull('trace_id'),
  ...columnsOf('historical_pull_tracks', ['_loaded_at']),
  { name: 'answer_loaded_at', type: 'timestamp', doc: 'When the last answer was loaded; NULL if there is none.' },
];

/**
 * Current state of the latest pull of each user, provider and resource. The view also lists resources about which the service
 * has only ever reported that it does not pull them.
 *
 * `as_of` is the time of the service's last answer about the user, or NULL if there is no answer. A pull is `stalled` if the
 * service reports no progress for too long, whatever its open state. A change between open states does not count as
 * progress. If the last answer itself is too old, the row is also `stale`. `_loaded_at` and `answer_loaded_at` are the times
 * when the track and the answer were loaded. Use them to query only changed rows.
 */
const historicalPullBoardView = ({ table, secondsBetween, element, length }: ViewDialect): View => ({
  name: 'historical_pull_board',
  doc: 'The current state of the latest historical pull of one user, provider and resource, and what to do about it.',
  columns: boardColumns,
  query: `select
  user_id, provider, resource, standing,
  case standing
    when 'retrying' then coalesce(service_retrying_since, retrying_since)
    when 'gone' then since
    when 'stalled' then case
      when broken_at is null and progressed_at > since then progressed_at
      when broken_at is null then least(progressed_at, coalesce(service_since, since))
      else coalesce(service_since, since)
    end
    else coalesce(service_since, since)
  end as since,
  case
    when standing = 'gone' then 'the service no longer has this user'
    when standing = 'complete' and provisional then 'the service announced the end; its introspection does not report it yet'
    when standing = 'complete' and days_with_data = 0 then 'done, and no day of the range had data'
    when standing = 'complete' then 'done'
    when standing = 'failed' and knows_retrying = false
      then coalesce(error_details, 'no reason given') || '; perhaps temporary: the service does not say so for connections made before 9 May 2025'
    when standing = 'failed' then coalesce(error_details, 'no reason given')
    when standing = 'retrying' then coalesce(error_details, 'no reason given')
    when standing = 'stalled' and broken_at is not null then 'the connection broke'
    when standing = 'stalled' and state = 'expected' and as_of is null then 'connected, but no event or answer mentions a pull'
    when standing = 'stalled' and state = 'expected' then 'connected, but the service has planned no pull'
    when standing = 'stalled' and state = 'retrying'
      then 'no progress, although the service tries again: ' || coalesce(error_details, 'no reason given')
    when standing = 'stalled' then 'no progress: no further day has data'
    when standing = 'unknown' then 'unknown status from the service: ' || coalesce(nullif(status, ''), 'none')
    when standing = 'not_pulled' then ${NOT_PULLED_REASON}
    when standing = 'announced' then 'this provider announces the end before any data arrives'
    when standing = 'not_reported' then 'the service never reports on this resource of this provider'
    when perhaps_completed_at is not null then 'one of several pulls has ended; the service does not say yet which one'
    when retrying_since is not null then 'trying again'
    when state = 'expected' then 'connected'
    else state
  end as reason,
  case
    when standing = 'failed' and error_class = 'retriable' then 'trigger the pull again'
    when standing = 'failed' then 'ask the user to connect again, or the service for the reason, by its trace id'
    when standing = 'retrying' and error_class = 'final' then 'wait: the service tries again, although the error says that it does not'
    when standing = 'retrying' then 'wait: the service tries again by itself'
    when standing = 'stalled' and broken_at is not null then 'ask the user to connect again'
    when standing = 'stalled' then 'trigger the pull again, or ask the service'
    when standing = 'not_pulled' then ${NOT_PULLED_REMEDY}
    when standing = 'announced' then 'expect the data as daily events'
    when standing = 'not_reported' then 'judge by the data that has arrived'
    when standing = 'unknown' then 'look up the status; a newer version of Aorta may know it'
    when standing = 'gone' then 'nothing, or erase the user: aorta status says what is due'
  end as what_to_do,
  state, status, error_details, error_class, scheduled_at, range_start, range_end, days_with_data, provisional,
  knows_retrying, broken_at, contradicted_at, as_of, case when gone then false else coalesce(stale_at < current_timestamp, true) end as stale,
  trace_id, _loaded_at, answer_loaded_at
from (
  select
    ${present.map((name) => `t.b.${name}`).join(', ')}, coalesce(t.b.progressed_at, t.b.since) as progressed_at,
    t.user_id, t.provider, t.resource, t._loaded_at, p._loaded_at as answer_loaded_at, p._received_at as as_of, p.stale_at, p.gone,
    case
      when t.b.state = 'success' then 'complete'
      when p.gone then 'gone'
      when t.b.state = 'failure' then 'failed'
      when t.b.state = 'unknown' then 'unknown'
      when t.b.state = 'expected' and t.b.announced_at is not null then 'announced'
      when t.b.state = 'expected' and t.b.not_pulled_at is not null then 'not_pulled'
      when t.b.state = 'expected' and not t.b.reports then 'not_reported'
      when t.b.broken_at is not null then 'stalled'
      when ${secondsBetween('coalesce(t.b.progressed_at, t.b.since)', 'coalesce(p._received_at, current_timestamp)')} > coalesce(p.stalled_after_s, t.stalled_after_s, ${STALLED_AFTER_S}) then 'stalled'
      when t.b.state = 'retrying' then 'retrying'
      else 'in_motion'
    end as standing
  from (
    select user_id, provider, resource, stalled_after_s, _loaded_at, ${element('pulls', length('pulls'))} as b
    from ${table('historical_pull_tracks')}
  ) t
  left join ${table('introspection_polls')} p on p.user_id = t.user_id
) standings
union all
-- The service pulls no such resource, and nothing else was ever heard of one.
select
  user_id, provider, resource, 'not_pulled', told_at, ${NOT_PULLED_REASON}, ${NOT_PULLED_REMEDY},
  'expected', null, null, null, null, null, null, null, false,
  null, null, null, told_at, coalesce(stale_at < current_timestamp, true),
  null, null, answer_loaded_at
from (
  select distinct n.user_id, n.provider, n.resource, p._received_at as told_at, p.stale_at, p._loaded_at as answer_loaded_at
  from ${table('introspection_polls_not_pulled')} n
  join ${table('introspection_polls')} p on p.user_id = n.user_id
  left join ${table('historical_pull_tracks')} t
    on t.user_id = n.user_id and t.provider = n.provider and t.resource = n.resource
  where t.user_id is null
) never_pulled`,
});

/** Returns the views of historical pulls, in the order in which they can be created. `tracks` is the landed table. */
export function historicalPullViews(dialect: ViewDialect, tracks: TableDeclaration): readonly View[] {
  return [...lists.map((list) => listView(dialect, tracks, list)), historicalPullBoardView(dialect)];
}
