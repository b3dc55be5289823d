import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';
import type { sourceMetrics } from '../metrics.ts';

const { source } = sharedLabels;

export const hubMetrics = {
  aorta_source_refusals_total: {
    type: 'counter',
    unit: 'none',
    help: 'Times that a hub refused the source or did not answer it, by condition.',
    labels: {
      source,
      condition:
        'What a broker or the network answered, by the name that the protocol or the system has for it: `amqp:unauthorized-access`, `ECONNREFUSED`.',
    },
  },
} as const satisfies MetricCatalogue;

export type HubMetrics = typeof hubMetrics & typeof sourceMetrics;
