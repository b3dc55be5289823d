import { appointmentTables } from './appointment-tables.ts';
import { dataTables } from './data-tables.ts';
import { deliveryTables } from './delivery-tables.ts';
import { orderTables } from './order-tables.ts';
import { preferenceTables } from './preference-tables.ts';
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

-- Every id and key is drawn from the seed, so equal calls give equal answers. It is encrypted: see storage/draws.ts.
create table seed (
  sealed text not null
) strict;

create table draws (
  -- What was drawn, such as the id of a user.
  purpose text primary key,
  drawn integer not null
) strict, without rowid;

-- Sign what clients give back: cursors, and the addresses of requisition forms.
create table signing_secrets (
  purpose text primary key,
  sealed text not null
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

-- A customer. One plan covers all teams of an organization.
create table organizations (
  org_id text primary key,
  name text not null,
  -- See teams/organizations.ts.
  plan text not null,
  created_at integer not null,
  -- Date of the interface, like 2025-05-08. Null: the present. See versions/versions.ts.
  as_of text
) strict;

create table teams (
  -- The order of creation. Several teams can have the same time.
  number integer primary key autoincrement,
  team_id text not null unique,
  org_id text not null references organizations,
  name text not null,
  -- us or eu. It never changes.
  region text not null,
  -- The organization's own id of the team.
  integration_team_id text,
  created_at integer not null,
  -- Form of the source object in events and answers: old, both or current.
  generation text not null,
  -- Largest body of an event, in bytes. Larger batches of samples are split.
  payload_limit integer not null,
  -- JSON: the settings of the management API, see teams/environment.ts.
  environment text not null,
  -- Date of the interface, like 2025-05-08. Null: the present. See versions/versions.ts.
  as_of text,
  unique (org_id, integration_team_id)
) strict;

-- The operations in closed beta that a team may call.
create table team_betas (
  team_id text not null references teams (team_id) on delete cascade,
  operation text not null,
  primary key (team_id, operation)
) strict, without rowid;

-- Keys of the data and lab API. Keys are random, so a hash without a salt is enough.
create table team_api_keys (
  number integer primary key autoincrement,
  key_id text not null unique,
  -- The first characters of key_hash, by which a key is found. See teams/key-hash.ts.
  lookup text not null,
  key_hash text not null unique,
  team_id text not null references teams (team_id) on delete cascade,
  label text not null,
  -- The key with its middle hidden, for people.
  hint text not null,
  created_at integer not null
) strict;
create index team_api_keys_by_lookup on team_api_keys (lookup);
create index team_api_keys_by_team on team_api_keys (team_id);

create table management_keys (
  number integer primary key autoincrement,
  key_id text not null unique,
  lookup text not null,
  key_hash text not null unique,
  org_id text not null references organizations,
  label text not null,
  -- org_admin or team_admin.
  role text not null,
  -- management_key for a key that the operation Create Management Key made, vital_staff for one of the control port.
  creator text not null,
  created_at integer not null
) strict;
create index management_keys_by_lookup on management_keys (lookup);

-- The teams that a team_admin key controls.
create table management_key_teams (
  key_id text not null references management_keys (key_id) on delete cascade,
  team_id text not null references teams (team_id) on delete cascade,
  primary key (key_id, team_id)
) strict, without rowid;
create index management_key_teams_by_team on management_key_teams (team_id);

-- A constant that is encrypted with the secret key. It shows whether a given key is the right one. One row.
create table secret_check (
  sealed text not null
) strict;

create table users (
  -- The order of creation. Several users can have the same time.
  number integer primary key autoincrement,
  user_id text not null unique,
  team_id text not null references teams (team_id) on delete cascade,
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
  preferenceTables,
  pullTables,
  deliveryTables,
  orderTables,
  appointmentTables,
  reviewTables,
  reportTables,
].join('\n');
