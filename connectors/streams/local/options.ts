import { z } from 'zod';

export const localStreamsOptions = z.strictObject({
  type: z.literal('local').describe('Avro files in a folder of this machine.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the streams, which belong to one warehouse. Where left out, the path of the warehouse with `.streams` after it; in a data folder with a `warehouse.duckdb`, `streams` beside that.',
    ),
});

export type LocalStreamsSettings = z.output<typeof localStreamsOptions>;
