import { resolve } from 'node:path';
import type { SourceAdapter } from '@aorta/connectors';
import { z } from 'zod';
import { lineFilesErrors } from './errors.ts';
import { lineFilesMetrics } from './metrics.ts';

/** Example of a custom source: a folder with one file per partition, to which producers append lines. */
const lineFilesOptions = z.strictObject({
  type: z.literal('line-files').describe('A folder with one file of deliveries per partition, one delivery per line.'),
  name: z.string().min(1).default('line-files').describe('Name of the source in receipts.'),
  folder: z.string().min(1).describe('The folder.'),
});

export type LineFilesSettings = z.output<typeof lineFilesOptions>;

export const lineFiles: SourceAdapter<LineFilesSettings> = {
  type: 'line-files',
  errors: lineFilesErrors,
  metrics: lineFilesMetrics,
  options: lineFilesOptions,
  placesName: 'folder',
  places: ({ folder }) => [folder],
  resolvePaths: (settings, base) => ({ ...settings, folder: resolve(base, settings.folder) }),
  partitioned: false,
  restMs: () => 1000,
  check: 'line files',
  load: () => import('./module.ts'),
};
