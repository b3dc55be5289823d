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
  -- JSON: what the team asked for, with the patient. See orders/order.ts.
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
