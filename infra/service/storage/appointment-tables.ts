/** The tables of appointments of orders. */
export const appointmentTables = `
create table appointments (
  -- The order of creation. Several appointments can have the same time.
  number integer primary key autoincrement,
  appointment_id text not null unique,
  order_id text not null references orders (order_id) on delete cascade,
  -- phlebotomy or patient_service_center.
  type text not null,
  provider text not null,
  -- pending, confirmed, completed or cancelled.
  status text not null,
  -- JSON: the address and the coordinates.
  address text not null,
  location text not null,
  zone text not null,
  -- Null: the provider has not confirmed the appointment.
  start_at integer,
  end_at integer,
  notes text
) strict;
-- An order has one appointment that is neither completed nor cancelled.
create unique index appointments_active on appointments (order_id) where status in ('pending', 'confirmed');
create index appointments_by_order on appointments (order_id, number);

create table appointment_events (
  number integer primary key autoincrement,
  appointment_id text not null references appointments (appointment_id) on delete cascade,
  created_at integer not null,
  status text not null,
  -- JSON, or null.
  data text
) strict;
create index appointment_events_by_appointment on appointment_events (appointment_id, number);
`;
