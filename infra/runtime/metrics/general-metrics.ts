import { type MetricCatalogue, MOST_SERIES, OVERFLOW, sharedLabels } from './metrics.ts';

const { source, partition, stream, group, part, reason, code } = sharedLabels;

/** Metrics that every part of the program may use: errors, waits, and the progress of each partition and stream. */
export const generalMetrics = {
  aorta_ready: {
    type: 'gauge',
    unit: 'none',
    help: '1 if `/readyz` reports ready, otherwise 0.',
    labels: {},
  },
  aorta_errors_total: {
    type: 'counter',
    unit: 'none',
    help: 'Logged errors and warnings, by code.',
    labels: { code },
  },
  aorta_waiting_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'How long a part of the program has been waiting. No series while it is not waiting.',
    labels: { part, reason },
  },
  aorta_wait_seconds_total: {
    type: 'counter',
    unit: 'seconds',
    help: 'Total duration of the completed waits of a part of the program.',
    labels: { part, reason },
  },
  aorta_source_position: {
    type: 'gauge',
    unit: 'none',
    help: 'Offset of the next delivery to take from the partition.',
    labels: { source, partition },
  },
  aorta_source_end: {
    type: 'gauge',
    unit: 'none',
    help: 'One past the last known offset of the partition.',
    labels: { source, partition },
  },
  aorta_source_lag: {
    type: 'gauge',
    unit: 'none',
    help: 'Deliveries of the partition that Aorta knows of and has not taken yet.',
    labels: { source, partition },
  },
  aorta_source_lag_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Time since receipt of the last delivery that Aorta took; 0 if no delivery is waiting. No series if this time is unknown.',
    labels: { source, partition },
  },
  aorta_source_state: {
    type: 'gauge',
    unit: 'none',
    help: 'Always 1. The label `state` says what the source is doing with the partition.',
    labels: { source, partition, state: 'Activity of the source in the partition, such as `reading`.' },
  },
  aorta_stream_position: {
    type: 'gauge',
    unit: 'none',
    help: 'Stream position up to which the group has processed the stream.',
    labels: { group, stream },
  },
  aorta_stream_lag: {
    type: 'gauge',
    unit: 'none',
    help: 'Records of the stream that the group has not processed yet.',
    labels: { group, stream },
  },
  aorta_stream_lag_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Time since receipt of the last record that the group processed; 0 if no record is waiting. No series before the first record.',
    labels: { group, stream },
  },
  aorta_metrics_overflow_total: {
    type: 'counter',
    unit: 'none',
    help: `Measurements recorded under \`${OVERFLOW}\` because their metric already had ${MOST_SERIES} series.`,
    labels: { metric: 'Name of a metric on this page.' },
  },
} as const satisfies MetricCatalogue;
