import { appointmentTables } from './appointment-tables.ts';
import { dataTables } from './data-tables.ts';
import { deliveryTables } from './delivery-tables.ts';
import { orderTables } from './order-tables.ts';
import { pullTables } from './pull-tables.ts';
import { reportTables } from './report-tables.ts';
import { reviewTables } from './review-tables.ts';

const ownTables = `
create table clock (
  -- Virtual time at \`real_time\`. A running clock continues from there, a stopped one stays.
  virtual_time integer not null,
  real_time integer not null,
  runs integer not null,
  -- The first \`virtual_time\` and the first \`runs\`, which stay.
  first_time integer not null,
  first_runs integer not null
) strict;

-- Every id and key is drawn from the seed, so equal calls give equal answers.
create table seed (
  seed text not null
) strict;

create table draws (
  -- What was drawn, such as the id of a user.
  purpose text primary key,
  drawn integer not null
) strict, without rowid;

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
  created_at integer not null,
  -- Form of the source object in events and answers: old, both or current.
  generation text not null,
  -- Largest body of an event, in bytes. Larger batches of samples are split.
  payload_limit integer not null,
  -- Whether the team gets events about partial results of orders.
  partial_webhooks_enabled integer not null
) strict;

create table team_api_keys (
  key_hash text primary key,
  team_id text not null references teams
) strict;

create table users (
  -- The order of creation. Several users can have the same time.
  number integer primary key autoincrement,
  user_id text not null unique,
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
create index users_by_age on users (team_id, number);

create table connections (
  -- The order of creation. Several connections can have the same time.
  number integer primary key autoincrement,
  user_id text not null references users (user_id) on delete cascade,
  provider text not null,
  created_on integer not null,
  -- When the provider was last connected: the same as created_on, or later after a break.
  since integer not null,
  external_user_id text,
  -- Why the connection broke. Null while it works.
  error_type text,
  error_message text,
  errored_at integer,
  is_demo integer not null,
  -- Whether the provider has generated data. Otherwise, data comes only through the control port.
  is_generated integer not null,
  -- JSON: resources that the user's permission does not cover.
  unavailable text not null,
  unique (user_id, provider)
) strict;
`;

/** The tables of the service. Times are in milliseconds since 1970, dates are texts like 2026-01-31. */
export const tables = [
  ownTables,
  dataTables,
  pullTables,
  deliveryTables,
  orderTables,
  appointmentTables,
  reviewTables,
  reportTables,
].join('\n');
