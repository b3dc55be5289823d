/** The tables of events and of their deliveries, and of the faults. */
export const deliveryTables = `
-- What the service tells. An event is written in the transaction of the change that it tells about.
create table events (
  event_id integer primary key,
  team_id text not null references teams,
  user_id text not null,
  event_type text not null,
  created_at integer not null,
  -- Whether the event carries data that a historical pull found.
  is_historical integer not null,
  -- The JSON that is delivered.
  body text not null
) strict;
create index events_by_team on events (team_id, event_id);

create table etl_pipelines (
  team_id text primary key references teams,
  -- JSON: see etl/pipeline.ts.
  configuration text not null,
  -- The last event that the hubs have, or that the pipeline does not carry.
  position integer not null,
  -- Attempts in a row that failed.
  failures integer not null,
  -- No attempt is made before this time.
  paused_until integer not null,
  -- JSON: the event that a fault rule delays; null for none. See etl/sending-plan.ts.
  delayed text
) strict;

-- Events that a fault rule holds back from a pipeline. Its position has passed them.
create table held_events (
  event_id integer primary key references events on delete cascade,
  team_id text not null references etl_pipelines on delete cascade,
  behind integer not null,
  until integer not null
) strict;

-- Events that a hub does not accept. Its pipeline leaves them out.
create table undeliverable_events (
  event_id integer primary key references events on delete cascade,
  team_id text not null references teams,
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
  rule text not null,
  seen integer not null,
  used integer not null
) strict;

create table webhook_endpoints (
  endpoint_id text primary key,
  team_id text not null references teams,
  url text not null,
  -- JSON: the keys, the newest first, each with the time until which it signs (null: no end).
  secrets text not null,
  -- JSON: event types. An empty list means all.
  filter_types text not null,
  -- JSON: headers that every attempt carries.
  headers text not null,
  is_disabled integer not null,
  -- JSON: the failures since the last success, see webhooks/failing.ts. Null if the last attempt succeeded.
  failing text,
  description text not null,
  created_at integer not null,
  updated_at integer not null
) strict;

create table webhook_messages (
  message_id text primary key,
  event_id integer not null references events on delete cascade
) strict;
create index webhook_messages_by_event on webhook_messages (event_id);

create table webhook_deliveries (
  message_id text not null references webhook_messages on delete cascade,
  endpoint_id text not null references webhook_endpoints on delete cascade,
  -- pending, succeeded or failed.
  state text not null,
  attempts integer not null,
  last_status integer,
  last_attempt_at integer,
  primary key (message_id, endpoint_id)
) strict, without rowid;
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, state);

-- Messages that a fault rule holds back until later events of the same user have arrived.
create table held_messages (
  message_id text not null,
  endpoint_id text not null,
  behind integer not null,
  primary key (endpoint_id, message_id),
  foreign key (message_id, endpoint_id) references webhook_deliveries on delete cascade
) strict, without rowid;
`;
