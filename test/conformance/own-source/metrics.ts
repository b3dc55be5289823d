import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { source, partition } = sharedLabels;

export const lineFilesMetrics = {
  line_files_lines_total: {
    type: 'counter',
    unit: 'none',
    help: 'Lines read from the file of the partition.',
    labels: { source, partition },
  },
} as const satisfies MetricCatalogue;

export type LineFilesMetrics = typeof lineFilesMetrics;
