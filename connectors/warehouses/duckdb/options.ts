import * as z from 'zod';
import { memory } from './memory.ts';

/** The configuration of a DuckDB warehouse. */
export const duckDbOptions = z.strictObject({
  type: z.literal('duckdb'),
  path: z.string().min(1).describe('File of the warehouse. The copy for readers stands beside it.'),
  memory,
  threads: z
    .int()
    .min(1)
    .optional()
    .describe('Threads of DuckDB; one a core where left out. Merges of summaries and events take one while more is landed.'),
  publish_every_s: z
    .number()
    .min(0)
    .default(30)
    .describe('The read-only copy is published after merges, at most this often and never for more than 1 % of the time.'),
  recent_days: z
    .int()
    .min(0)
    .max(31)
    .default(2)
    .describe('Samples up to so many days older than their receipt merge at once; older ones gather first.'),
  old_rows: z.int().min(1).default(500_000).describe('Samples of old dates that gather before they are merged.'),
  old_after_s: z
    .number()
    .min(0)
    .default(600)
    .describe('Samples of old dates are merged after this time even when few have gathered.'),
  summary_order: z
    .enum(['updated_at', 'received'])
    .default('updated_at')
    .describe('What makes a summary newer: its updated_at, or the order of receipt.'),
});

export type DuckDbSettings = z.output<typeof duckDbOptions>;

/** When samples of old dates are merged. */
export type OldDatesPace = Pick<DuckDbSettings, 'old_rows' | 'old_after_s'>;
