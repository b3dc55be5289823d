import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';
import type { streamMetrics } from '../streams/metrics.ts';

const { stream } = sharedLabels;

/** Metrics that only local streams report. */
export const localMetrics = {
  aorta_stream_segment_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Size of the segment to which the stream currently appends.',
    labels: { stream },
  },
  aorta_stream_end: {
    type: 'gauge',
    unit: 'none',
    help: 'Position after the last record of the stream.',
    labels: { stream },
  },
} as const satisfies MetricCatalogue;

export type LocalMetrics = typeof localMetrics & typeof streamMetrics;
