import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { stream, table, reason, code } = sharedLabels;

export const bigQueryMetrics = {
  aorta_warehouse_uploaded_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    help: 'Rows uploaded to BigQuery, before compression.',
    labels: { stream },
  },
  aorta_warehouse_billed_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    help: 'Bytes that BigQuery billed for merges into the table.',
    labels: { table },
  },
  aorta_warehouse_day_billed_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Bytes billed since midnight UTC: to all workers before this process started, and only to this process since then.',
    labels: {},
  },
  aorta_warehouse_day_cost: {
    type: 'gauge',
    unit: 'none',
    help: 'Cost since midnight UTC, calculated from bytes or slot time, in the currency of `price_per_tib`.',
    labels: {},
  },
  aorta_warehouse_slot_seconds_total: {
    type: 'counter',
    unit: 'seconds',
    help: 'Billed slot time of merges that ran in a reservation (BigQuery Editions).',
    labels: { table },
  },
  aorta_warehouse_table_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Size of the table at its last merge.',
    labels: { table },
  },
  aorta_warehouse_quota_wait_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Duration of the current wait for a BigQuery quota; no series if there is no wait.',
    labels: { reason },
  },
  aorta_warehouse_retries_total: {
    type: 'counter',
    unit: 'none',
    help: 'Retries of calls to BigQuery, by the reason for the failure.',
    labels: { reason },
  },
  aorta_warehouse_merges_held: {
    type: 'gauge',
    unit: 'none',
    help: 'Always 1 while merges of the table are blocked; the label `code` is the error.',
    labels: { table, code },
  },
  aorta_warehouse_batches_set_aside: {
    type: 'gauge',
    unit: 'none',
    help: 'Landed batches that BigQuery cannot merge into the table, even on their own; no series if there are none.',
    labels: { table },
  },
} as const satisfies MetricCatalogue;

export type BigQueryMetrics = typeof bigQueryMetrics;
