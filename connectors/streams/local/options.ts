import { z } from 'zod';

export const localStreamsOptions = z.strictObject({
  type: z.literal('local').describe('Avro files in a folder of this machine.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the streams of one warehouse. Default: the path of the warehouse with `.streams` appended; in a data folder with a `warehouse.duckdb`, the folder `streams` next to it.',
    ),
});

export type LocalStreamsSettings = z.output<typeof localStreamsOptions>;
