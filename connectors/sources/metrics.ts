import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { source } = sharedLabels;

/** Metrics shared by several sources. Ingestion also updates the metrics of the redelivery window. */
export const sourceMetrics = {
  aorta_redelivery_window_restores_total: {
    type: 'counter',
    unit: 'none',
    help: 'Number of times that the redelivery window of a partition was reread, after a rewind or because it had been evicted from memory.',
    labels: { source },
  },
  aorta_redelivery_window_restore_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Time taken to reread the redelivery window of a partition.',
    labels: { source },
  },
  aorta_source_held_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Bytes of deliveries that the source has received but not yet passed on to ingestion.',
    labels: { source },
  },
  aorta_source_incidents_total: {
    type: 'counter',
    unit: 'none',
    help: 'Incidents in partitions of the source. The label `incident` says what happened, and what is counted.',
    labels: {
      source,
      incident:
        '`reopened`: a partition was reopened. `repeated`: events that arrived twice and were emitted once. `missing`: sequence numbers that the hub skipped. `expired`: events that retention removed before they were read. `blind`: sequence numbers in a redelivery window that the log no longer has. `beginning_lost`: a Kafka cluster has lost the offset at which the group started to read a partition. `rebalance`: Kafka reassigned partitions. `crash` and `silence`: the Kafka client failed or stopped responding, and was recreated. `commit`: a commit to Kafka failed. `transaction`: open transactions of Kafka producers that were reported.',
    },
  },
} as const satisfies MetricCatalogue;

export type SourceMetrics = typeof sourceMetrics;
