import type { StreamLogAdapter } from '../../stream-log-adapter.ts';
import { segmentErrors } from './errors.ts';
import { localMetrics } from './metrics.ts';
import { type LocalStreamsSettings, localStreamsOptions } from './options.ts';

/** Streams in a folder of this machine, written by one process at a time. */
export const streamLog: StreamLogAdapter<LocalStreamsSettings> = {
  type: 'local',
  errors: segmentErrors,
  metrics: localMetrics,
  options: localStreamsOptions,
  address: import.meta.url,
  load: async () => (await import('./module.ts')).localStreams,
  folderOf: ({ folder }) => folder,
  describe: (_, folder) => ({ text: folder, folder, facts: { folder } }),
};
