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
`;
