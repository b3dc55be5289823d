import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { stream, table } = sharedLabels;
const range = '`recent` or `old`: merges of recent and of old dates are apart.';

export const loadingMetrics = {
  aorta_job_batches_total: {
    type: 'counter',
    unit: 'none',
    help: 'Batches landed in the warehouse.',
    labels: { stream },
  },
  aorta_job_records_total: {
    type: 'counter',
    unit: 'none',
    help: 'Records landed in the warehouse.',
    labels: { stream },
  },
  aorta_job_land_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Landing one batch.',
    labels: { stream },
  },
  aorta_merge_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Merging landed batches into one table.',
    labels: { table, range },
  },
  aorta_merge_rows_total: {
    type: 'counter',
    unit: 'none',
    help: 'Landed rows folded into the table.',
    labels: { table, range },
  },
  aorta_merge_waiting_rows: {
    type: 'gauge',
    unit: 'none',
    help: 'Landed rows that wait for their merge into the table; no series where none do.',
    labels: { table, range },
  },
  aorta_merge_due_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Until that merge is due at the latest; negative where it is overdue.',
    labels: { table, range },
  },
  aorta_warehouse_backlog_batches: {
    type: 'gauge',
    unit: 'none',
    help: 'Batches that are landed and not merged.',
    labels: {},
  },
  aorta_warehouse_backlog_records: {
    type: 'gauge',
    unit: 'none',
    help: 'Records of the batches that are landed and not merged.',
    labels: {},
  },
  aorta_publish_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Publishing the copy that readers see.',
    labels: {},
  },
} as const satisfies MetricCatalogue;

export type LoadingMetrics = typeof loadingMetrics;
