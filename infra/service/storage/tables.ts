import { dataTables } from './data-tables.ts';
import { deliveryTables } from './delivery-tables.ts';
import { orderTables, reviewTables } from './lab-tables.ts';

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
  -- The first characters of key_hash, by which a key is found. See teams/team-keys.ts.
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

/** The tables of lab reports. The service does not store an uploaded file, because a report names a person. */
const reportTables = `
create table report_jobs (
  job_id text primary key,
  user_id text not null references users (user_id) on delete cascade,
  -- started, completed or failed.
  status text not null,
  needs_human_review integer not null,
  is_reviewed integer not null,
  -- JSON: what the parsing finds when it ends. See reports/outcome.ts.
  outcome text not null
) strict;
create index report_jobs_by_user on report_jobs (user_id);

-- What the next job of a user finds.
create table report_scripts (
  user_id text primary key references users (user_id) on delete cascade,
  -- JSON: see reports/outcome.ts.
  outcome text not null
) strict, without rowid;
`;

/** The tables of appointments of orders. */
const appointmentTables = `
create table appointments (
  -- The order of creation. Several appointments can have the same time.
  number integer primary key autoincrement,
  appointment_id text not null unique,
  order_id text not null references orders (order_id) on delete cascade,
  -- phlebotomy or patient_service_center.
  type text not null,
  provider text not null,
  -- pending, confirmed, completed or cancelled.
  status text not null,
  -- JSON: the address and the coordinates.
  address text not null,
  location text not null,
  zone text not null,
  -- Null: the provider has not confirmed the appointment.
  start_at integer,
  end_at integer,
  notes text
) strict;
-- An order has one appointment that is neither completed nor cancelled.
create unique index appointments_active on appointments (order_id) where status in ('pending', 'confirmed');
create index appointments_by_order on appointments (order_id, number);

create table appointment_events (
  number integer primary key autoincrement,
  appointment_id text not null references appointments (appointment_id) on delete cascade,
  created_at integer not null,
  status text not null,
  -- JSON, or null.
  data text
) strict;
create index appointment_events_by_appointment on appointment_events (appointment_id, number);
`;

/** The tables of the settings of teams in the management API, apart from their environment. */
const preferenceTables = `
-- The credentials of a team, one at each provider and lab. The service sends nothing to them.
create table team_credentials (
  number integer primary key autoincrement,
  credential_id text not null unique,
  team_id text not null references teams (team_id) on delete cascade,
  -- A provider, a lab or a partner of labs.
  source text not null,
  client_id text,
  -- Encrypted.
  client_secret text,
  -- Encrypted JSON: see teams/team-credentials.ts.
  details text,
  redirect_url_override text,
  created_at integer not null,
  updated_at integer not null,
  unique (team_id, source)
) strict;

-- How many past days historical pulls cover. No row: the days that are usual for the provider.
create table team_pull_preferences (
  team_id text not null references teams (team_id) on delete cascade,
  provider text not null,
  days integer not null,
  -- JSON: the days of some resources.
  overrides text not null,
  primary key (team_id, provider)
) strict, without rowid;

-- The lab accounts for which an organization chooses its teams in a region. No row: all of its teams can use the account.
create table lab_account_lists (
  org_id text not null references organizations,
  region text not null,
  account_id text not null,
  primary key (org_id, region, account_id)
) strict, without rowid;

-- The chosen teams.
create table lab_account_teams (
  account_id text not null,
  team_id text not null references teams (team_id) on delete cascade,
  primary key (account_id, team_id)
) strict, without rowid;
create index lab_account_teams_by_team on lab_account_teams (team_id);

-- The permissions that users must or may grant to a team at a provider.
create table scope_requirements (
  team_id text not null references teams (team_id) on delete cascade,
  provider text not null,
  -- JSON: see teams/team-preferences.ts.
  requirement text not null,
  primary key (team_id, provider)
) strict, without rowid;
`;

/** The tables of historical pulls. */
const pullTables = `
-- The last historical pull of each resource. See pulls/pull.ts.
create table historical_pulls (
  pull_id integer primary key autoincrement,
  user_id text not null,
  provider text not null,
  resource text not null,
  status text not null,
  range_start integer not null,
  range_end integer not null,
  scheduled_at integer not null,
  -- Begin and end of the last attempt.
  started_at integer,
  ended_at integer,
  -- JSON: dates that had data.
  days text not null,
  chunks_done integer not null,
  attempts integer not null,
  error_details text,
  -- Whether the connection is from the time before \`retrying\` and \`error_details\` existed.
  is_legacy integer not null,
  -- When the next attempt begins. Null during an attempt, and after the last.
  next_attempt_at integer,
  -- JSON: the course of the attempt that runs. See pulls/outcomes.ts.
  course text,
  unique (user_id, provider, resource),
  foreign key (user_id, provider) references connections (user_id, provider) on delete cascade
) strict;

create table pull_attempts (
  pull_id integer not null references historical_pulls on delete cascade,
  attempt integer not null,
  started_at integer not null,
  -- Null while the attempt runs.
  ended_at integer,
  -- success, or why the attempt failed, even if the service does not report it.
  result text,
  -- Chunks that this attempt delivered.
  chunks integer not null,
  primary key (pull_id, attempt)
) strict, without rowid;

-- What the next attempts of pulls do: of a provider, of one of its users, or of a resource.
create table pull_scripts (
  script_id integer primary key autoincrement,
  provider text not null,
  user_id text references users (user_id) on delete cascade,
  resource text,
  -- JSON: see pulls/outcomes.ts.
  outcomes text not null
) strict;
create index pull_scripts_by_provider on pull_scripts (provider);

-- The outcomes of a script that are left for a resource of a user. No row: all.
create table pull_script_progress (
  script_id integer not null references pull_scripts on delete cascade,
  user_id text not null references users (user_id) on delete cascade,
  resource text not null,
  outcomes text not null,
  primary key (script_id, user_id, resource)
) strict, without rowid;
create index pull_script_progress_by_user on pull_script_progress (user_id);
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
