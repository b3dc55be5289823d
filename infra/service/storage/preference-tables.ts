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
`;
