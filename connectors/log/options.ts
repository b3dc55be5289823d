import { z } from 'zod';

export const localStreamsOptions = z.strictObject({
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
