import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { source } = sharedLabels;

export const lineFilesMetrics = {
  line_files_lines_total: {
    type: 'counter',
    unit: 'none',
    help: 'Lines read from the files of the folder.',
    labels: { source },
  },
} as const satisfies MetricCatalogue;

export type LineFilesMetrics = typeof lineFilesMetrics;
