/** The tables of the service. Times are in milliseconds since 1970, dates are texts like 2026-01-31. */
export const tables = `
create table clock (
  -- Virtual time at \`real_time\`. A running clock continues from there, a stopped one stays.
  virtual_time integer not null,
  real_time integer not null,
  runs integer not null
) strict;

create table jobs (
  id integer primary key,
  due_at integer not null,
  kind text not null,
  -- What the job is about, such as a user. All jobs of a subject can be cancelled together.
  subject text not null,
  payload text not null
) strict;
create index jobs_by_time on jobs (due_at, id);
create index jobs_by_subject on jobs (subject);

create table teams (
  team_id text primary key,
  name text not null,
  created_at integer not null
) strict;

create table team_api_keys (
  key_hash text primary key,
  team_id text not null references teams
) strict;

create table users (
  user_id text primary key,
  team_id text not null references teams,
  client_user_id text not null,
  created_on integer not null,
  fallback_time_zone text,
  fallback_time_zone_at integer,
  fallback_birth_date text,
  fallback_birth_date_at integer,
  ingestion_start text,
  ingestion_end text,
  -- Set while the deletion can be undone.
  deleted_at integer
) strict;
create unique index users_by_client on users (team_id, client_user_id) where deleted_at is null;
create index users_by_age on users (team_id, created_on, user_id);

create table connections (
  user_id text not null references users on delete cascade,
  provider text not null,
  created_on integer not null,
  external_user_id text,
  -- Why the connection broke. Null while it works.
  error_type text,
  error_message text,
  errored_at integer,
  is_demo integer not null,
  primary key (user_id, provider)
) strict, without rowid;

-- What the service tells. An event is written in the transaction of the change that it tells about.
create table events (
  event_id integer primary key,
  team_id text not null references teams,
  user_id text not null,
  event_type text not null,
  created_at integer not null,
  -- Whether the event carries data that a historical pull found.
  is_historical integer not null,
  -- The JSON that is delivered.
  body text not null
) strict;
create index events_by_team on events (team_id, event_id);

create table etl_pipelines (
  team_id text primary key references teams,
  -- JSON: see etl/pipeline.ts.
  configuration text not null,
  -- The last event that the hubs have, or that the pipeline does not carry.
  position integer not null,
  -- Attempts in a row that failed.
  failures integer not null
) strict;

create table webhook_endpoints (
  endpoint_id text primary key,
  team_id text not null references teams,
  url text not null,
  -- JSON: the keys, the newest first, each with the time until which it signs (null: no end).
  secrets text not null,
  -- JSON: event types. An empty list means all.
  filter_types text not null,
  -- JSON: headers that every attempt carries.
  headers text not null,
  is_disabled integer not null,
  -- When the attempts began to fail without a success in between.
  failing_since integer
) strict;

create table webhook_messages (
  message_id text primary key,
  event_id integer not null references events on delete cascade
) strict;
create index webhook_messages_by_event on webhook_messages (event_id);

create table webhook_deliveries (
  message_id text not null references webhook_messages on delete cascade,
  endpoint_id text not null references webhook_endpoints on delete cascade,
  -- pending, succeeded or failed.
  state text not null,
  attempts integer not null,
  last_status integer,
  last_attempt_at integer,
  primary key (message_id, endpoint_id)
) strict, without rowid;
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, state);
`;
