/** The tables of events and of their deliveries, and of the faults. */
export const deliveryTables = `
-- What the service tells. An event is written in the transaction of the change that it tells about.
create table events (
  -- Never used again: a reader that remembers an id asks for the events after it.
  event_id integer primary key autoincrement,
  -- Names the event in ids of messages. It does not depend on the speed of destinations, unlike event_id.
  event_name text not null,
  team_id text not null references teams (team_id) on delete cascade,
  -- Null for an event about no known user.
  user_id text references users (user_id) on delete cascade,
  event_type text not null,
  created_at integer not null,
  -- Whether the event carries data that a historical pull found.
  is_historical integer not null,
  -- The JSON that is delivered.
  body text not null
) strict;
create index events_by_team on events (team_id, event_id);
create index events_by_user on events (user_id);
create index events_by_time on events (created_at);

-- The number of events that each team has had. It outlives the team, so that a later team with its id repeats no name.
create table event_counts (
  team_id text primary key,
  events integer not null
) strict, without rowid;

-- Older events may be gone. One row.
create table retention (
  kept_since integer not null
) strict;

-- One event to one destination. An endpoint keeps what it has got, for as long as the event is kept. A hub does not.
create table deliveries (
  delivery_id integer primary key,
  -- The id of an endpoint, or the name of a hub: see etl/hubs.ts.
  destination text not null,
  event_id integer not null references events on delete cascade,
  -- The user of the event, or an empty text.
  of_user text not null,
  -- Id of the message at an endpoint. Null for a hub.
  message_id text,
  -- pending, succeeded or failed.
  state text not null,
  -- When the next attempt is due. Null if there is none.
  due_at integer,
  attempts integer not null default 0,
  last_status integer,
  last_attempt_at integer,
  -- JSON and number: what a fault rule has decided. See delivery/queue.ts.
  decided text,
  behind integer,
  restarts integer not null default 0,
  unique (destination, event_id)
) strict;
create index deliveries_by_time on deliveries (destination, due_at, delivery_id) where due_at is not null;
create index deliveries_first on deliveries (destination, of_user, event_id) where attempts = 0 and due_at is not null;
create index deliveries_again on deliveries (destination, due_at, delivery_id) where attempts > 0 and due_at is not null;
create index deliveries_held on deliveries (destination) where behind is not null;
create index deliveries_by_event on deliveries (event_id);
create unique index deliveries_by_message on deliveries (destination, message_id) where message_id is not null;

create table etl_pipelines (
  team_id text primary key references teams (team_id) on delete cascade,
  -- JSON, encrypted: see etl/pipeline.ts.
  configuration text not null
) strict;

-- Attempts to deliver events, counted in steps of five minutes. See delivery/counts.ts.
create table delivery_counts (
  team_id text not null references teams (team_id) on delete cascade,
  -- The beginning of the step.
  step_at integer not null,
  -- svix or azure_amqp.
  destination text not null,
  -- succeeded or failed.
  outcome text not null,
  attempts integer not null,
  primary key (team_id, step_at, destination, outcome)
) strict, without rowid;
create index delivery_counts_by_time on delivery_counts (step_at);

-- The hubs for which a pipeline has had events.
create table hubs (
  team_id text not null references etl_pipelines on delete cascade,
  event_hub text not null,
  -- Attempts in a row that failed.
  failures integer not null,
  -- No attempt is made before this time.
  paused_until integer not null,
  -- Why the last failed attempt failed.
  last_error text,
  last_error_at integer,
  primary key (team_id, event_hub)
) strict, without rowid;

-- Events that a hub does not accept. Its pipeline leaves them out.
create table undeliverable_events (
  event_id integer primary key references events on delete cascade,
  team_id text not null references teams (team_id) on delete cascade,
  hub text not null,
  reason text not null,
  bytes integer not null,
  noted_at integer not null
) strict;

create table fault_rules (
  position integer primary key,
  rule_id text not null unique,
  -- operation or delivery.
  applies_to text not null,
  -- JSON: see faults/fault-rule.ts.
  rule text not null
) strict;

-- How often a rule has selected something and has applied, at each destination of deliveries; '' for requests.
create table fault_uses (
  rule_id text not null references fault_rules (rule_id) on delete cascade,
  destination text not null,
  seen integer not null,
  used integer not null,
  primary key (rule_id, destination)
) strict, without rowid;

create table webhook_endpoints (
  -- The order of creation. Several endpoints can have the same time.
  number integer primary key autoincrement,
  endpoint_id text not null unique,
  team_id text not null references teams (team_id) on delete cascade,
  url text not null,
  -- Encrypted JSON: the keys, the newest first, each with the time until which it signs (null: no end).
  secrets text not null,
  -- JSON: event types. An empty list means all.
  filter_types text not null,
  -- Encrypted JSON: headers that every attempt carries.
  headers text not null,
  -- Most attempts in a second. Null for no limit.
  rate_limit integer,
  is_disabled integer not null,
  -- JSON: the failures since the last success, see webhooks/endpoints.ts. Null if the last attempt succeeded.
  failing text,
  description text not null,
  created_at integer not null,
  updated_at integer not null
) strict;
create index webhook_endpoints_by_team on webhook_endpoints (team_id, number);

-- The attempts of the last second at endpoints with a rate limit, see webhooks/attempts.ts.
create table recent_attempts (
  endpoint_id text not null references webhook_endpoints (endpoint_id) on delete cascade,
  at integer not null,
  attempts integer not null,
  primary key (endpoint_id, at)
) strict, without rowid;
`;
