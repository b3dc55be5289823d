import type { StreamLogAdapter } from '../stream-log.ts';
import { segmentErrors } from './errors.ts';
import { localMetrics } from './metrics.ts';
import { type LocalStreamsSettings, localStreamsOptions } from './options.ts';

/** The adapter for streams in a folder on this machine. One process at a time can write to the folder. */
export const streamLog: StreamLogAdapter<LocalStreamsSettings> = {
  type: 'local',
  errors: segmentErrors,
  metrics: localMetrics,
  options: localStreamsOptions,
  address: import.meta.url,
  load: async () => (await import('./module.ts')).localStreams,
  folderField: 'folder',
  describe: (_, folder) => ({ text: folder, folder, facts: { folder } }),
};
