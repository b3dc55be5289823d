/** The tables of the settings of teams in the management API, apart from their environment. */
export const preferenceTables = `
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
  -- Encrypted JSON: see teams/credential-details.ts.
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
  -- JSON: see teams/scope-requirements.ts.
  requirement text not null,
  primary key (team_id, provider)
) strict, without rowid;
`;
