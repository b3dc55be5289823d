import { z } from 'zod';
import type { StreamLogAdapter } from '../../stream-log.ts';
import { segmentErrors } from './errors.ts';
import { localMetrics } from './metrics.ts';

const localStreamsOptions = z.strictObject({
  type: z.literal('local').describe('Avro files in a folder of this machine.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for the streams of one warehouse. Default: the path of the warehouse with `.streams` appended. In a data folder that contains `warehouse.duckdb`, the default is the folder `streams` next to that file.',
    ),
});

export type LocalStreamsSettings = z.output<typeof localStreamsOptions>;

/** The adapter for streams in a folder on this machine. One process at a time can write to the folder. */
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
