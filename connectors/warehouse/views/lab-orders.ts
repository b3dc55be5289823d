/** The parts of a lab order's status, which has dots between them: high level, modality, low level. */
const parts = (status: string): string => `nullif(split_part(${status}, '.', 1), '') as high_level,
  nullif(split_part(${status}, '.', 2), '') as modality,
  nullif(split_part(${status}, '.', 3), '') as low_level`;

/** Where each lab order stands. Orders of old that have no last event have at least their high level. */
export const labOrderProgressView = `create or replace view lab_order_progress as
select
  user_id, id as order_id, lab_name, lab_test_name, sample_id,
  last_event_status as status,
  ${parts('coalesce(last_event_status, o.status)')},
  last_event_status_detail as status_detail, last_event_at as since,
  interpretation, has_missing_results, expected_result_by_date, worst_case_result_by_date, created_at, updated_at
from lab_orders o`;

/** Every status that each lab order came into, and when it left it: `ended_at` is NULL for the present one. */
export const labOrderHistoryView = `create or replace view lab_order_history as
select
  user_id, id as order_id, event_id, status,
  ${parts('status')},
  status_detail, created_at as began_at, lead(created_at) over (partition by id order by created_at, ordinal) as ended_at
from lab_orders_events`;
