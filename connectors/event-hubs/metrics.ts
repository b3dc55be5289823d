import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';
import type { sourceMetrics } from '../sources/metrics.ts';

const { source } = sharedLabels;

export const hubMetrics = {
  aorta_source_refusals_total: {
    type: 'counter',
    unit: 'none',
    help: 'Number of times that a hub refused the source or did not answer, by condition.',
    labels: {
      source,
      condition:
        'Name of the error condition in the protocol or the operating system, such as `amqp:unauthorized-access` or `ECONNREFUSED`.',
    },
  },
} as const satisfies MetricCatalogue;

export type HubMetrics = typeof hubMetrics & typeof sourceMetrics;
