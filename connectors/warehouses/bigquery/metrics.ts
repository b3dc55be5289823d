import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { stream, table, reason, code } = sharedLabels;

/** Metrics of BigQuery: bytes, cost, quotas. */
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
    help: 'Bytes that BigQuery billed merges into the table for.',
    labels: { table },
  },
  aorta_warehouse_day_billed_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Bytes billed since midnight UTC: those of this process, and of all as it began.',
    labels: {},
  },
  aorta_warehouse_day_cost: {
    type: 'gauge',
    unit: 'none',
    help: 'What was spent since then, by bytes or by slot time, in the currency of `price_per_tib`.',
    labels: {},
  },
  aorta_warehouse_slot_seconds_total: {
    type: 'counter',
    unit: 'seconds',
    help: 'Slot time of merges that is paid for: of jobs in a reservation (BigQuery Editions).',
    labels: { table },
  },
  aorta_warehouse_table_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Size of the table when it was last merged into.',
    labels: { table },
  },
  aorta_warehouse_quota_wait_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'For how long a quota of BigQuery has been waited for now; no series where none is.',
    labels: { reason },
  },
  aorta_warehouse_retries_total: {
    type: 'counter',
    unit: 'none',
    help: 'Pauses after BigQuery did not do something, by its reason.',
    labels: { reason },
  },
  aorta_warehouse_merges_held: {
    type: 'gauge',
    unit: 'none',
    help: 'Always 1; why merges of the table wait is its label.',
    labels: { table, code },
  },
  aorta_warehouse_batches_set_aside: {
    type: 'gauge',
    unit: 'none',
    help: 'Landed batches that BigQuery cannot merge into the table, even alone; no series where there are none.',
    labels: { table },
  },
} as const satisfies MetricCatalogue;

export type BigQueryMetrics = typeof bigQueryMetrics;
