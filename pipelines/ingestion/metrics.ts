import type { sourceMetrics } from '@aorta/connectors/sources';
import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { source, reason, outcome } = sharedLabels;

export const ingestionMetrics = {
  aorta_deliveries_total: {
    type: 'counter',
    unit: 'none',
    help: 'Deliveries taken from the source, by outcome. A delivery that is read again counts again.',
    labels: { source, outcome },
  },
  aorta_delivery_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    help: 'Bytes of delivery bodies as received, before decompression.',
    labels: { source },
  },
  aorta_dead_letters_total: {
    type: 'counter',
    unit: 'none',
    help: 'Dead letters written, for whole deliveries and for refused parts of kept deliveries.',
    labels: { source, reason },
  },
  aorta_refused_parts_total: {
    type: 'counter',
    unit: 'none',
    help: 'Refused parts of kept deliveries, such as samples without a time. A part that is still in the record, such as a sample with a repeated key, causes no dead letter.',
    labels: { source, reason },
  },
  aorta_delivery_conflicts_total: {
    type: 'counter',
    unit: 'none',
    help: 'Deliveries that have the same delivery id as an earlier one in the redelivery window, but a different body. Aorta processes them as new.',
    labels: { source },
  },
  aorta_receipts_ahead_total: {
    type: 'counter',
    unit: 'none',
    help: 'Deliveries that state a time of receipt more than 5 minutes ahead of the clock of this computer. Aorta keeps them, but events that arrive before that time cannot replace their rows.',
    labels: { source },
  },
  aorta_flush_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Time from the start of a flush until the offsets of its deliveries are committed.',
    labels: { source },
  },
  aorta_redelivery_window_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Memory that the redelivery window uses.',
    labels: {},
  },
} as const satisfies MetricCatalogue;

export type IngestionMetrics = typeof ingestionMetrics & typeof sourceMetrics;
