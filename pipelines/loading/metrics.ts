import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { stream, table } = sharedLabels;
const range = '`recent` or `old`: the range of dates that the merge covers.';

export const loadingMetrics = {
  aorta_loading_batches_total: {
    type: 'counter',
    unit: 'none',
    help: 'Batches landed in the warehouse.',
    labels: { stream },
  },
  aorta_loading_records_total: {
    type: 'counter',
    unit: 'none',
    help: 'Records landed in the warehouse.',
    labels: { stream },
  },
  aorta_loading_land_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Time to land one batch.',
    labels: { stream },
  },
  aorta_merge_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Time to merge landed batches into one table.',
    labels: { table, range },
  },
  aorta_merge_rows_total: {
    type: 'counter',
    unit: 'none',
    help: 'Landed rows merged into the table.',
    labels: { table, range },
  },
  aorta_merge_waiting_rows: {
    type: 'gauge',
    unit: 'none',
    help: 'Landed rows that wait for a merge into the table; no series if there are none.',
    labels: { table, range },
  },
  aorta_merge_due_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Time until the merge of the waiting rows is due; negative if it is overdue.',
    labels: { table, range },
  },
  aorta_warehouse_backlog_batches: {
    type: 'gauge',
    unit: 'none',
    help: 'Landed batches that are not merged yet.',
    labels: {},
  },
  aorta_warehouse_backlog_records: {
    type: 'gauge',
    unit: 'none',
    help: 'Records in landed batches that are not merged yet.',
    labels: {},
  },
  aorta_publish_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Time to write the published copy.',
    labels: {},
  },
} as const satisfies MetricCatalogue;

export type LoadingMetrics = typeof loadingMetrics;
