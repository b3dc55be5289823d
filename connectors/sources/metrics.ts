import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { source } = sharedLabels;

/** Metrics shared by several sources. Ingestion also updates those of the redelivery window. */
export const sourceMetrics = {
  aorta_redelivery_window_restores_total: {
    type: 'counter',
    unit: 'none',
    help: 'Times that the window of a partition was read again, after a rewind or for a partition that had been set aside.',
    labels: { source },
  },
  aorta_redelivery_window_restore_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Time that reading the window of a partition again took.',
    labels: { source },
  },
  aorta_source_held_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Bodies of deliveries that the source was sent and has not handed on yet.',
    labels: { source },
  },
  aorta_source_incidents_total: {
    type: 'counter',
    unit: 'none',
    help: 'What happened to partitions of the source, in partitions or in events.',
    labels: {
      source,
      incident:
        '`reopened`: a partition was opened anew; `repeated`: events came twice and were taken once; `missing`: the hub left sequence numbers out; `expired`: events that it dropped before they were read; `blind`: sequence numbers of a redelivery window that it no longer has; `beginning_lost`: a Kafka cluster has lost where the group began in a partition.',
    },
  },
} as const satisfies MetricCatalogue;

export type SourceMetrics = typeof sourceMetrics;
