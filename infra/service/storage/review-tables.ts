/** The tables of results that the service cannot match to an order with certainty. */
export const reviewTables = `
create table match_reviews (
  -- The order of creation. Several reviews can have the same time.
  number integer primary key autoincrement,
  raw_result_id text not null unique,
  team_id text not null references teams (team_id) on delete cascade,
  status text not null,
  decision_code text not null,
  lab_id integer not null,
  -- What the laboratory measured.
  lab_test_id text not null,
  -- JSON: the patient, as the laboratory names them. See reviews/patient.ts.
  patient text not null,
  interpretation text not null,
  result_status text not null,
  note text,
  resolution_action text,
  -- An accepted result belongs to its user, and goes with the user.
  resolved_user_id text references users (user_id) on delete cascade,
  resolved_order_id text references orders (order_id) on delete cascade,
  created_at integer not null,
  updated_at integer not null,
  reviewed_at integer
) strict;
create index match_reviews_by_team on match_reviews (team_id, number);
create index match_reviews_by_user on match_reviews (resolved_user_id);
create index match_reviews_by_order on match_reviews (resolved_order_id);

-- Orders to which a result may belong. They go with their users.
create table match_candidates (
  number integer primary key autoincrement,
  raw_result_id text not null references match_reviews (raw_result_id) on delete cascade,
  order_id text not null references orders (order_id) on delete cascade,
  candidate_type text not null,
  confidence_level text not null,
  -- JSON: see reviews/candidates.ts.
  reasons text not null,
  marker_overlap text not null,
  unique (raw_result_id, order_id)
) strict;
create index match_candidates_by_order on match_candidates (order_id);

-- Runs of the sandbox's test tool, which make results that need a review.
create table review_runs (
  run_id text primary key,
  team_id text not null references teams (team_id) on delete cascade,
  status text not null,
  stage text not null,
  test_case text not null,
  order_source text not null,
  result_status text not null,
  interpretation text not null,
  -- Lab test of the orders, and of the result.
  lab_test_id text not null,
  result_test_id text not null,
  raw_result_id text references match_reviews (raw_result_id) on delete set null,
  error_code text,
  error_message text,
  created_at integer not null,
  updated_at integer not null,
  started_at integer,
  completed_at integer
) strict, without rowid;
create index review_runs_by_result on review_runs (raw_result_id);

create table review_run_orders (
  run_id text not null references review_runs on delete cascade,
  -- What the order is for, such as target.
  role text not null,
  order_id text not null references orders (order_id) on delete cascade,
  primary key (run_id, role)
) strict, without rowid;
create index review_run_orders_by_order on review_run_orders (order_id);
`;
