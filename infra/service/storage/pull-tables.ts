/** The tables of historical pulls. */
export const pullTables = `
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
