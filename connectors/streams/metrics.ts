import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { stream } = sharedLabels;

/** Metrics that every stream log reports. */
export const streamMetrics = {
  aorta_stream_records_total: {
    type: 'counter',
    unit: 'none',
    help: 'Records appended to the stream and made durable. A delivery that is appended again counts again.',
    labels: { stream },
  },
  aorta_stream_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    help: 'Encoded bytes made durable in the stream. For local streams, this includes the block framing.',
    labels: { stream },
  },
  aorta_stream_flush_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Duration of a flush, which makes the buffered records of all streams durable.',
    labels: {},
  },
  aorta_stream_pending_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Encoded bytes held in memory until they are durable, over all streams.',
    labels: {},
  },
} as const satisfies MetricCatalogue;

export type StreamMetrics = typeof streamMetrics;
