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

/** Current state of each lab order. For old orders without a last event, only the high-level part of the status is known. */
export function labOrderProgressView(dialect: ViewDialect): View {
  return {
    name: 'lab_order_progress',
    doc: 'The current status of one lab order, split into its parts.',
    columns: [
      ...columnsOf('lab_orders', ['user_id', ['id', 'order_id'], 'lab_name', 'lab_test_name', 'sample_id']),
      ...columnsOf('lab_orders', [['last_event_status', 'status']]),
      ...partColumns,
      ...columnsOf('lab_orders', [
        ...([
          ['last_event_status_detail', 'status_detail'],
          ['last_event_at', 'since'],
        ] as const),
        ...['interpretation', 'has_missing_results', 'expected_result_by_date', 'worst_case_result_by_date'],
        ...['created_at', 'updated_at'],
      ]),
    ],
    query: `select
  user_id, id as order_id, lab_name, lab_test_name, sample_id,
  last_event_status as status,
  ${parts(dialect, 'coalesce(last_event_status, o.status)')},
  last_event_status_detail as status_detail, last_event_at as since,
  interpretation, has_missing_results, expected_result_by_date, worst_case_result_by_date, created_at, updated_at
from ${dialect.table('lab_orders')} o`,
  };
}

/** Every status of each lab order, with its start and end. `ended_at` is NULL for the current status. */
export function labOrderHistoryView(dialect: ViewDialect): View {
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
  status_detail, created_at as began_at, lead(created_at) over (partition by id order by created_at, ordinal) as ended_at
from ${dialect.table('lab_orders_events')}`,
  };
}
