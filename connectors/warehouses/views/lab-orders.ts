import { columnsOf } from './columns.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

/** Columns for the parts of a lab order's status, which are separated by dots. */
const partColumns: readonly ViewColumn[] = [
  { name: 'high_level', type: 'string', doc: 'First part of the status, such as `collecting_sample`.' },
  { name: 'modality', type: 'string', doc: 'Second part of the status, such as `testkit`; NULL if the status has no such part.' },
  {
    name: 'low_level',
    type: 'string',
    doc: 'Third part of the status, such as `with_customer`; NULL if the status has no such part.',
  },
];

const parts = ({ part }: ViewDialect, status: string): string =>
  partColumns.map(({ name }, index) => `${part(status, index + 1)} as ${name}`).join(',\n  ');

/**
 * Every status of each lab order, with its start and end. `ended_at` is NULL for the current status.
 *
 * The view combines the statuses in `events` with the status in `last_event`, which may be newer than the list. If several
 * events have the same id, the view keeps one of them. It orders events with the same time by their ids, and puts an event
 * without a time before all others. It leaves out an event that has neither a time nor a known end, unless it is the last.
 */
export function labOrderHistoryView(dialect: ViewDialect): View {
  const { table } = dialect;
  const order = 'user_id, id';
  const latestFirst = 'created_at desc nulls last, event_id desc nulls last, ordinal desc';
  return {
    name: 'lab_order_history',
    doc: 'One status that a lab order has had, with its start and end.',
    columns: [
      ...columnsOf('lab_orders_events', ['user_id', ['id', 'order_id'], 'event_id', 'status']),
      ...partColumns,
      ...columnsOf('lab_orders_events', ['status_detail', ['created_at', 'began_at']]),
      { name: 'ended_at', type: 'timestamp', doc: 'When the order entered the next status; NULL for the current status.' },
    ],
    query: `select
  user_id, id as order_id, event_id, status,
  ${parts(dialect, 'status')},
  status_detail, created_at as began_at, ended_at
from (
  select
    *, lag(created_at) over (partition by ${order} order by ${latestFirst}) as ended_at,
    row_number() over (partition by ${order} order by ${latestFirst}) as from_last
  from (
    select *, row_number() over (partition by ${order}, event_id order by ${latestFirst}) as nth
    from (
      select user_id, id, ordinal, event_id, created_at, status, status_detail
      from ${table('lab_orders_events')}
      union all
      select user_id, id, 0, last_event_id, last_event_at, last_event_status, last_event_status_detail
      from ${table('lab_orders')}
      where last_event_id is not null or ${dialect.length('events')} = 0
    ) sent
    where status is not null
  ) numbered
  where nth = 1 or event_id is null
) statuses
where ended_at is not null or from_last = 1`,
  };
}

/**
 * Current state of each lab order: the last row of its history. For old orders without events, only the high-level part of the
 * status is known.
 */
export function labOrderProgressView(dialect: ViewDialect): View {
  const { table, secondsBetween } = dialect;
  return {
    name: 'lab_order_progress',
    doc: 'The current status of one lab order, split into its parts.',
    columns: [
      ...columnsOf('lab_orders', ['user_id', ['id', 'order_id'], 'lab_name', 'lab_test_name', 'sample_id']),
      ...columnsOf('lab_orders_events', ['status']),
      ...partColumns,
      ...columnsOf('lab_orders_events', ['status_detail', ['created_at', 'since']]),
      ...columnsOf('lab_orders', [
        'interpretation',
        'has_missing_results',
        'expected_result_by_date',
        'worst_case_result_by_date',
      ]),
      ...columnsOf('lab_orders', ['created_at', 'updated_at']),
      {
        name: 'turnaround_s',
        type: 'float64',
        unit: 's',
        doc: 'Time from `created_at` until the order was `completed` for the first time; NULL if it was not.',
      },
    ],
    query: `select
  o.user_id, o.id as order_id, o.lab_name, o.lab_test_name, o.sample_id,
  h.status,
  ${parts(dialect, 'coalesce(h.status, o.status)')},
  h.status_detail, h.began_at as since,
  o.interpretation, o.has_missing_results, o.expected_result_by_date, o.worst_case_result_by_date, o.created_at, o.updated_at,
  ${secondsBetween('o.created_at', 'h.completed_at')} as turnaround_s
from ${table('lab_orders')} o
left join (
  select *, min(case when high_level = 'completed' then began_at end) over (partition by user_id, order_id) as completed_at
  from ${table('lab_order_history')}
) h on h.user_id = o.user_id and h.order_id = o.id and h.ended_at is null`,
  };
}
