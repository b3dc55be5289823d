import { resolve } from 'node:path';
import type { SourceAdapter } from '../source.ts';
import { fileErrors } from './errors.ts';
import { type FilesSettings, filesSourceOptions } from './options.ts';

export const files: SourceAdapter<FilesSettings> = {
  type: 'files',
  errors: fileErrors,
  options: filesSourceOptions,
  placesName: 'paths',
  places: ({ paths }) => paths,
  resolvePaths: (settings, folder) => ({ ...settings, paths: settings.paths.map((path) => resolve(folder, path)) }),
  partitioned: false,
  restMs: ({ poll_s }) => poll_s * 1000,
  check: 'sources',
  load: () => import('./module.ts'),
};
