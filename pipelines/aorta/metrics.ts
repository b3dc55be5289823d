import type { generalMetrics, MetricCatalogue } from '@aorta/runtime';

export const programMetrics = {
  aorta_build_info: {
    type: 'gauge',
    unit: 'none',
    help: 'Always 1; the label is the version of the program.',
    labels: { version: 'Version of the program.' },
  },
  aorta_restarts_total: {
    type: 'counter',
    unit: 'none',
    help: 'Restarts of the worker process after a crash, since the supervisor started.',
    labels: {},
  },
} as const satisfies MetricCatalogue;

export type ProgramMetrics = typeof programMetrics & typeof generalMetrics;
