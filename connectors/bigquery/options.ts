import type { Logger, Metrics, StepObserver } from '@aorta/runtime';
import type { TableDeclaration } from '@aorta/schemas';
import * as z from 'zod';
import type { Privacy } from '../privacy.ts';
import type { Patience, Surroundings } from './errors/retries.ts';
import type { BigQueryMetrics } from './metrics.ts';

export const bigQueryOptions = z.strictObject({
  type: z.literal('bigquery').describe('A BigQuery dataset.'),
  project: z
    .string()
    .regex(/^([a-z0-9.-]{1,253}:)?[a-z0-9][a-z0-9-]{0,62}$/, {
      error: 'not a project id (lower-case letters, digits and hyphens, such as my-project-123)',
    })
    .describe('Id of the project that contains the dataset and pays for the jobs.'),
  dataset: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,1024}$/, {
      error: 'not a dataset name (letters, digits and underscores, without the project)',
    })
    .describe('Dataset for the tables. It may also contain other tables, which Aorta does not change.'),
  location: z.string().min(1).default('US').describe('Location of the dataset: a region or multi-region, such as EU.'),
  key_file: z
    .string()
    .min(1)
    .optional()
    .describe('Key file of a service account. Default: the application default credentials of the machine.'),
  api_endpoint: z
    .url()
    .optional()
    .describe(
      'Custom endpoint of BigQuery. If it begins with http://, Aorta treats it as a local server and calls it without credentials.',
    ),
  team: z
    .enum(['none', 'column'])
    .default('none')
    .describe('`column` clusters tables by team first. To separate teams, use one configuration and one dataset for each team.'),
  workers: z
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('Number of processes that load into this dataset. Each process uses its share of the quotas and of the budget.'),
  load_jobs_share: z
    .number()
    .min(0.01)
    .max(1)
    .default(0.5)
    .describe(
      'Fraction of the project’s daily load jobs (BigQuery allows 100,000) that Aorta may use. The rest is for other users of the project.',
    ),
  land_every_s: z
    .number()
    .min(0)
    .default(60)
    .describe('Minimum seconds between two landings of a partition. The interval grows if the quota of load jobs requires it.'),
  merge_every_s: z.number().min(0).default(300).describe('Minimum seconds between two merges into a table.'),
  merge_rows: z
    .int()
    .min(1)
    .default(1_000_000)
    .describe('When this many rows have been landed, Aorta merges them even if `merge_every_s` has not passed yet.'),
  recent_days: z
    .int()
    .min(0)
    .max(31)
    .default(2)
    .describe(
      'Samples dated within this many days of their receipt are recent. Aorta merges them separately from other samples.',
    ),
  old_rows: z.int().min(1).default(2_000_000).describe('When this many rows with old dates have been landed, Aorta merges them.'),
  old_after_s: z
    .number()
    .min(0)
    .default(3600)
    .describe('Seconds after which Aorta merges rows with old dates even if there are few.'),
  summary_order: z
    .enum(['updated_at', 'received'])
    .default('updated_at')
    .describe('Which version of a summary counts as newer: the one with the later `updated_at`, or the one received later.'),
  add_columns: z
    .boolean()
    .default(true)
    .describe(
      'Whether a new version of Aorta adds declared columns that are missing from the tables. If false, merges wait until `aorta apply` adds the columns.',
    ),
  gzip: z.boolean().default(false).describe('Whether to compress uploads, which sends fewer bytes but takes more CPU time.'),
  price_per_tib: z.number().min(0).default(6.25).describe('Price per TiB of processed bytes, in the currency of your bill.'),
  price_per_slot_hour: z
    .number()
    .min(0)
    .default(0.06)
    .describe(
      'Price per slot hour, in the same currency. It applies if jobs run in a reservation (BigQuery Editions), where BigQuery bills no bytes.',
    ),
  budget_per_day: z
    .number()
    .positive()
    .optional()
    .describe('Daily budget for merges into all unpartitioned tables together. As a table grows, Aorta merges it less often.'),
  most_per_day: z
    .number()
    .positive()
    .optional()
    .describe(
      'Cap for the cost of all merges per day (UTC). When it is reached, merges wait for the next day and landing continues.',
    ),
  call_s: z.number().positive().max(600).default(60).describe('Seconds after which a call without an answer is retried.'),
  patience_s: z
    .number()
    .positive()
    .max(86_400)
    .default(900)
    .describe('If the retries of a step fail for this many seconds, the process exits.'),
});

export type BigQuerySettings = z.output<typeof bigQueryOptions>;

export interface BigQueryWarehouseOptions extends Omit<BigQuerySettings, 'type'> {
  /** Decides which classes of columns are landed. */
  readonly privacy: Privacy;
  /** Whether this worker merges into a table. Default: all tables. */
  readonly owns?: (target: string) => boolean;
  readonly logger?: Logger;
  readonly metrics?: Metrics<BigQueryMetrics>;
  readonly onStep?: StepObserver;
  /** Default: the declarations of this version. Tests pass those of an earlier or later version. */
  readonly tables?: readonly TableDeclaration[];
  /** Returns the current time. The age of batches depends on it. Default: `steadyNow`. */
  readonly clock?: () => number;
  /** Clock, timer and random numbers for pauses. Tests replace them. */
  readonly surroundings?: Surroundings;
  readonly patience?: Partial<Patience>;
  /** The worker's name in its activity records. Default: host and process id. */
  readonly worker?: string;
}

/** The options with their defaults. The tables have only the columns that are landed. */
export type ResolvedOptions = BigQueryWarehouseOptions &
  Required<Pick<BigQueryWarehouseOptions, 'owns' | 'logger' | 'metrics' | 'onStep' | 'tables' | 'clock'>>;

/** Names a dataset in messages. */
export const addressOf = ({ project, dataset }: Pick<BigQuerySettings, 'project' | 'dataset'>): string =>
  `bigquery:${project}.${dataset}`;
