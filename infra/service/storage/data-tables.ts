/** The tables of the users' data. */
export const dataTables = `
-- Where data comes from: a device or an app at a provider. JSON: see data/arrival.ts.
create table sources (
  source_id integer primary key,
  source text not null unique
) strict;

create table summaries (
  user_id text not null references users (user_id) on delete cascade,
  resource text not null,
  summary_id text not null,
  provider text not null,
  -- Midnight UTC of the date by which requests select the summary. Null for a profile.
  dated_at integer,
  created_at integer not null,
  updated_at integer not null,
  source_id integer not null references sources,
  -- JSON without \`source\`, \`created_at\` and \`updated_at\`.
  body text not null,
  primary key (user_id, resource, summary_id)
) strict, without rowid;
create index summaries_by_date on summaries (user_id, resource, dated_at, summary_id);

-- Samples of one resource and one kind of source. A sample refers to its series by number, because there are millions of samples.
create table series (
  series_id integer primary key,
  user_id text not null references users (user_id) on delete cascade,
  resource text not null,
  provider text not null,
  source_type text not null,
  -- What else tells apart samples of one time: the type of the sample, or the workout. Mostly empty.
  variant text not null,
  unique (user_id, resource, provider, source_type, variant)
) strict;

create table shapes (
  shape_id integer primary key,
  -- JSON: see data/samples.ts.
  shape text not null unique
) strict;

-- Shapes and sources are never deleted, so they need no references, which would slow down each insert.
create table samples (
  series_id integer not null references series on delete cascade,
  -- \`timestamp\`, or \`start\` of an interval.
  sampled_at integer not null,
  shape_id integer not null,
  source_id integer not null,
  value real,
  primary key (series_id, sampled_at)
) strict, without rowid;

create table workout_streams (
  workout_id text not null,
  user_id text not null references users (user_id) on delete cascade,
  body text not null,
  primary key (workout_id, user_id)
) strict, without rowid;
create index workout_streams_by_user on workout_streams (user_id);

create table devices (
  id text not null,
  user_id text not null references users (user_id) on delete cascade,
  provider text not null,
  source_type text not null,
  app_id text,
  device_manufacturer text,
  device_model text,
  device_version text,
  device_id text,
  primary key (id, user_id)
) strict, without rowid;
create index devices_by_user on devices (user_id);

create table data_counts (
  user_id text not null references users (user_id) on delete cascade,
  provider text not null,
  resource text not null,
  -- Objects in created events that were delivered: a summary is one, a batch counts its samples.
  sent_count integer not null,
  oldest_data integer,
  newest_data integer,
  last_attempt_at integer not null,
  -- success or failure.
  last_attempt_status text not null,
  primary key (user_id, provider, resource)
) strict, without rowid;

create table refreshes (
  user_id text not null references users (user_id) on delete cascade,
  requested_at integer not null
) strict;
create index refreshes_by_user on refreshes (user_id, requested_at);
`;
