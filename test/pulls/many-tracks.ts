import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { DuckDBInstance } from '@duckdb/node-api';

const providers = ['fitbit', 'oura', 'withings'];
const resources = [
  'activity',
  'blood_oxygen',
  'body',
  'calories_active',
  'distance',
  'heartrate',
  'hrv',
  'respiratory_rate',
  'sleep',
  'steps',
  'weight',
  'workouts',
];
/** Number of pulls that {@link writeManyTracks} writes for each user: one for every provider and resource. */
export const PULLS_PER_USER = providers.length * resources.length;

/** Number of users per SQL statement. */
const SLICE = 3_000;

const list = (texts: readonly string[]): string => `[${texts.map((one) => `'${one}'`).join(', ')}]`;

/** Returns SQL for the UUID that {@link writeManyTracks} gives to the user with this number. */
const userSql = (number: string): string => `md5('user ' || ${number})::uuid::varchar`;

/**
 * Returns SQL that derives each pull from its number: 2 % have failed, 1 % are retrying, 1 % are in progress, and 96 % are
 * complete. The service answered for every user half an hour ago. Each pull ended a different number of seconds ago. The
 * retrying pulls made progress an hour before the answer.
 */
const numbered = (from: number, to: number): string => `
  select
    n, n // ${PULLS_PER_USER} as u,
    ${list(providers)}[1 + (n // ${resources.length}) % ${providers.length}] as provider,
    ${list(resources)}[1 + n % ${resources.length}] as resource,
    hash(n) % 1000 as kind,
    case when kind < 20 then 'failure' when kind < 30 then 'retrying' when kind < 40 then 'in_progress' else 'success' end as state,
    case when kind < 20 then 'retry_quota_exhausted' when kind < 30 then 'provider_unavailable' end as error,
    date_trunc('second', now()) - interval 30 minute as polled,
    polled - to_seconds(7200 + hash(n) % 2000000) as planned,
    planned + interval 1 hour as ended
  from range(${from * PULLS_PER_USER}, ${to * PULLS_PER_USER}) as numbers(n)`;

const track = `
  select
    ${userSql('u')}, provider, resource, 86400,
    [{is_present: true, scheduled_at: planned, range_start: planned - interval 90 day, range_end: planned, state: state,
      since: polled, progressed_at: case state when 'in_progress' then planned when 'retrying' then polled - interval 1 hour else ended end,
      retrying_since: case when state = 'retrying' then polled end, status: state, error_details: error,
      error_class: case state when 'failure' then 'final' when 'retrying' then 'retriable' end,
      expected_at: planned - interval 5 second, started_at: planned + interval 3 second,
      ended_at: case when state <> 'in_progress' then ended end, days_with_data: 70, provisional: false,
      perhaps_completed_at: null, announced_at: null, broken_at: null, not_pulled_at: null, contradicted_at: null,
      knows_retrying: true, reports: true, service_since: case state when 'in_progress' then planned + interval 3 second else ended end,
      service_retrying_since: case when state = 'retrying' then ended end,
      trace_id: case when state <> 'success' then md5('trace ' || n) end}],
    list_transform(['expected', 'in_progress', state], lambda one: {scheduled_at: planned, range_start: planned - interval 90 day,
      range_end: planned, changed_at: polled, from_state: null, to_state: one, event: 'told_' || one, status: one,
      error_details: null}),
    list_transform(['scheduled', 'in_progress', state], lambda one: {evidence_at: polled, kind: 'told', scheduled_at: planned,
      range_start: planned - interval 90 day, range_end: planned, status: one, started_at: planned + interval 3 second,
      ended_at: ended, days_with_data: 70, error_details: null}),
    polled, 1, 4, 1, polled
  from numbered`;

const poll = `
  select
    ${userSql('u')}, false, any_value(polled) + interval 12 hour, 86400,
    list({provider: provider, resource: resource, status: state, range_start: planned - interval 90 day, range_end: planned,
      scheduled_at: planned, started_at: planned + interval 3 second, ended_at: case when state <> 'in_progress' then ended end,
      days_with_data: 70, error_details: error, release: '0.0.0', trace_id: md5('trace ' || n), extra: null} order by n),
    [], any_value(polled), 1, epoch_ms(any_value(polled)), 1, any_value(polled)
  from numbered
  group by u`;

/** Creates a DuckDB warehouse with the pulls of this many users. Writes the rows in bulk, just as merges would leave them. */
export async function writeManyTracks(path: string, users: number): Promise<void> {
  const options = duckDbOptions.parse({ type: 'duckdb', path });
  await (await openDuckDbWarehouse({ ...options, privacy: privacyOptions.parse({}) })).close();
  const instance = await DuckDBInstance.create(path, { memory_limit: '2GB', preserve_insertion_order: 'false' });
  const connection = await instance.connect();
  try {
    for (let from = 0; from < users; from += SLICE) {
      const some = numbered(from, Math.min(users, from + SLICE));
      await connection.run(`insert into historical_pull_tracks with numbered as (${some}) ${track}`);
      await connection.run(`insert into introspection_polls with numbered as (${some}) ${poll}`);
    }
    await connection.run('checkpoint');
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
