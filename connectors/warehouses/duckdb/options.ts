import * as z from 'zod';
import { memory } from './memory.ts';

export const duckDbOptions = z.strictObject({
  type: z.literal('duckdb'),
  path: z.string().min(1).describe('File of the warehouse. The published copy is next to it.'),
  memory,
  threads: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Number of DuckDB’s threads. Default: one per core. Merges of summaries and events use one thread while landing continues.',
    ),
  publish_every_s: z
    .number()
    .min(0)
    .default(30)
    .describe(
      'Minimum seconds between two published copies. The interval grows so that publishing takes at most 1 % of the time.',
    ),
  recent_days: z
    .int()
    .min(0)
    .max(31)
    .default(2)
    .describe('Samples within this many days of their receipt are merged at once. Older ones are collected first.'),
  old_rows: z.int().min(1).default(500_000).describe('Number of rows with old dates that starts a merge of them.'),
  old_after_s: z
    .number()
    .min(0)
    .default(600)
    .describe('Seconds after which rows with old dates are merged even if there are few.'),
  summary_order: z
    .enum(['updated_at', 'received'])
    .default('updated_at')
    .describe('Which version of a summary is newer: the one with the later `updated_at`, or the one received later.'),
});

export type DuckDbSettings = z.output<typeof duckDbOptions>;

export type OldDatesPace = Pick<DuckDbSettings, 'old_rows' | 'old_after_s'>;
