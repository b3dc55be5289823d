import { z } from 'zod';
import { isAhead, parseReceivedAt } from '../sources/delivery.ts';

export const filesSourceOptions = z.strictObject({
  type: z
    .literal('files')
    .describe('Event files and delivery files: JSON, arrays or NDJSON, plain or compressed with gzip or zstd.'),
  name: z
    .string()
    .min(1)
    .default('files')
    .describe('Source name for plain event files. In a delivery file, each line names its own source.'),
  paths: z
    .array(z.string().min(1))
    .min(1)
    .describe('Files and folders, which Aorta reads in this order. It reads folders recursively.'),
  received_at: z
    .string()
    .refine((text) => !Number.isNaN(parseReceivedAt(text)), {
      error: 'not an RFC 3339 date-time, such as 2026-01-31T08:00:00Z',
    })
    .refine((text) => !isAhead(parseReceivedAt(text), Date.now()), {
      error: 'more than 5 minutes ahead of the clock of this computer: events cannot have been received in the future',
    })
    .optional()
    .describe('Time when the events in plain event files were received (RFC 3339). Default: the modification time of the file.'),
  follow_links: z
    .boolean()
    .default(false)
    .describe(
      'Whether to follow links in a folder that lead to files or folders outside of `paths`. If false, Aorta skips and reports them.',
    ),
  poll_s: z
    .number()
    .positive()
    .max(86_400)
    .default(5)
    .describe('Seconds between two scans for new and changed files in `aorta run`.'),
});

export type FilesSettings = z.output<typeof filesSourceOptions>;
