import type { sourceMetrics } from '@aorta/connectors/sources';
import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { source, reason, outcome } = sharedLabels;

export const ingestionMetrics = {
  aorta_deliveries_total: {
    type: 'counter',
    unit: 'none',
    help: 'Deliveries taken from the source, by what became of them; one that is read again counts again.',
    labels: { source, outcome },
  },
  aorta_delivery_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    help: 'Bodies of the deliveries taken, as they came.',
    labels: { source },
  },
  aorta_dead_letters_total: {
    type: 'counter',
    unit: 'none',
    help: 'Dead letters made: whole deliveries, and parts of kept ones.',
    labels: { source, reason },
  },
  aorta_delivery_conflicts_total: {
    type: 'counter',
    unit: 'none',
    help: 'Deliveries whose id the redelivery window held with another body; they are taken.',
    labels: { source },
  },
  aorta_flush_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'From the beginning of a flush until the source is committed behind it.',
    labels: { source },
  },
  aorta_redelivery_window_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Memory that the entries of the redelivery window take.',
    labels: {},
  },
} as const satisfies MetricCatalogue;

export type IngestionMetrics = typeof ingestionMetrics & typeof sourceMetrics;
