import type { generalMetrics, MetricCatalogue } from '@aorta/runtime';

/** Metrics of the process. */
export const programMetrics = {
  aorta_build_info: {
    type: 'gauge',
    unit: 'none',
    help: 'Always 1; the version of the program is its label.',
    labels: { version: 'Version of the program.' },
  },
  aorta_restarts_total: {
    type: 'counter',
    unit: 'none',
    help: 'Crashes of earlier working processes after which the supervisor started another one, since the supervisor was started.',
    labels: {},
  },
} as const satisfies MetricCatalogue;

export type ProgramMetrics = typeof programMetrics & typeof generalMetrics;
