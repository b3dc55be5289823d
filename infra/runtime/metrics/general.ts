import { type MetricCatalogue, MOST_SERIES, OVERFLOW, sharedLabels } from './catalogue.ts';

const { source, partition, stream, group, part, reason, code } = sharedLabels;

/** Metrics that every folder may count: errors, waits, and how far each partition and stream is. */
export const generalMetrics = {
  aorta_ready: {
    type: 'gauge',
    unit: 'none',
    help: '1 where /readyz says ready, else 0.',
    labels: {},
  },
  aorta_errors_total: {
    type: 'counter',
    unit: 'none',
    help: 'Errors and warnings that were logged, by code.',
    labels: { code },
  },
  aorta_waiting_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'For how long a part has been waiting now; no series where it does not wait.',
    labels: { part, reason },
  },
  aorta_wait_seconds_total: {
    type: 'counter',
    unit: 'seconds',
    help: 'Time that a part has spent waiting, over all waits that have ended.',
    labels: { part, reason },
  },
  aorta_source_position: {
    type: 'gauge',
    unit: 'none',
    help: 'Offset of the partition that is taken next.',
    labels: { source, partition },
  },
  aorta_source_end: {
    type: 'gauge',
    unit: 'none',
    help: 'Offset after the last one that the partition is known to hold.',
    labels: { source, partition },
  },
  aorta_source_lag: {
    type: 'gauge',
    unit: 'none',
    help: 'Deliveries that the partition is known to hold and that are not taken.',
    labels: { source, partition },
  },
  aorta_source_lag_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Since the receipt of the last delivery taken, where more wait; 0 where none does. No series where the source does not know.',
    labels: { source, partition },
  },
  aorta_source_state: {
    type: 'gauge',
    unit: 'none',
    help: 'Always 1; what is done with the partition is its label.',
    labels: { source, partition, state: 'What a source does with the partition, in a word.' },
  },
  aorta_job_position: {
    type: 'gauge',
    unit: 'none',
    help: 'Position up to which the group has carried the stream.',
    labels: { group, stream },
  },
  aorta_job_lag: {
    type: 'gauge',
    unit: 'none',
    help: 'Records of the stream that the group has not carried yet.',
    labels: { group, stream },
  },
  aorta_job_lag_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Since the receipt of the oldest record that is known to wait; 0 where none waits.',
    labels: { group, stream },
  },
  aorta_metrics_overflow_total: {
    type: 'counter',
    unit: 'none',
    help: `Measurements counted under \`${OVERFLOW}\`, because their metric had ${MOST_SERIES} series already.`,
    labels: { metric: 'A metric of this page.' },
  },
} as const satisfies MetricCatalogue;
