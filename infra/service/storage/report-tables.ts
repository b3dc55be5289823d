/** The tables of lab reports. The service does not store an uploaded file, because a report names a person. */
export const reportTables = `
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
