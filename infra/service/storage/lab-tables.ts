/** The tables of laboratory orders. */
export const orderTables = `
create table orders (
  -- The order of creation. Several orders can have the same time.
  number integer primary key autoincrement,
  order_id text not null unique,
  transaction_id text not null unique,
  -- Id of what differs by method, such as the shipment of a kit.
  details_id text not null,
  team_id text not null references teams (team_id) on delete cascade,
  user_id text not null references users (user_id) on delete cascade,
  lab_test_id text not null,
  method text not null,
  -- JSON: what the team asked for, with the patient. See orders/order-request.ts.
  request text not null,
  -- Whether the customer registers the kit. Until then, nobody knows the patient.
  is_registrable integer not null,
  sample_id text,
  has_requisition integer not null,
  activate_by text,
  created_at integer not null,
  updated_at integer not null,
  -- The low level of the last status.
  status text not null,
  interpretation text,
  -- JSON: what the results shall be. See labs/results.ts.
  wanted text not null
) strict;
create index orders_by_team on orders (team_id, number);
create index orders_by_user on orders (user_id);
create index orders_by_sample on orders (sample_id);

create table order_events (
  event_id integer primary key autoincrement,
  order_id text not null references orders (order_id) on delete cascade,
  created_at integer not null,
  -- A low level.
  status text not null,
  status_detail text
) strict;
create index order_events_by_order on order_events (order_id, event_id);

create table order_results (
  order_id text primary key references orders (order_id) on delete cascade,
  -- partial or final.
  status text not null,
  collected_at integer not null,
  received_at integer not null,
  reported_at integer not null,
  -- JSON: see labs/results.ts.
  results text not null,
  missing text not null
) strict, without rowid;

-- Lab tests that the service made of an order set.
create table order_set_tests (
  team_id text not null references teams (team_id) on delete cascade,
  lab_test_id text not null,
  created_at integer not null,
  -- JSON: see orders/order-sets.ts.
  parts text not null,
  primary key (team_id, lab_test_id)
) strict, without rowid;

-- Answers to requests with an idempotency key. They name a user, and go with the user.
create table idempotent_answers (
  team_id text not null references teams (team_id) on delete cascade,
  operation text not null,
  key text not null,
  user_id text references users (user_id) on delete cascade,
  created_at integer not null,
  request_hash text not null,
  status integer not null,
  body text not null,
  primary key (team_id, operation, key)
) strict, without rowid;
create index idempotent_answers_by_time on idempotent_answers (created_at);
create index idempotent_answers_by_user on idempotent_answers (user_id);
`;

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
  -- JSON: the patient, as the laboratory names them. See reviews/cases.ts.
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
