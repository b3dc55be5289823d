import * as z from 'zod';

/** The configuration of a BigQuery warehouse. */
export const bigQueryOptions = z.strictObject({
  type: z.literal('bigquery').describe('A dataset of BigQuery.'),
  project: z
    .string()
    .regex(/^([a-z0-9.-]{1,253}:)?[a-z0-9][a-z0-9-]{0,62}$/, {
      error: 'not the id of a project (small letters, digits and hyphens, such as my-project-123)',
    })
    .describe('Id of the project that holds the dataset, and pays for the jobs.'),
  dataset: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,1024}$/, {
      error: 'not the name of a dataset (letters, digits and underscores, without the project)',
    })
    .describe('Dataset of the tables. Others may use it too: what Aorta has not made stays as it is.'),
  location: z.string().min(1).default('US').describe('Where the dataset is: a region or multi-region, such as EU.'),
  key_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Key file of a service account. Where left out, the credentials that the machine has (application default credentials).',
    ),
  api_endpoint: z
    .url()
    .optional()
    .describe('Another address of the service. One that begins with http:// is asked without credentials: a local server.'),
  team: z
    .enum(['none', 'column'])
    .default('none')
    .describe(
      '`column`: tables have a leading column with the team. A dataset per team: a configuration and a dataset for each.',
    ),
  workers: z
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('How many processes load into this dataset. Each keeps to its share of the quotas and of the costs.'),
  load_jobs_share: z
    .number()
    .min(0.01)
    .max(1)
    .default(0.5)
    .describe(
      'The part of the load jobs which BigQuery allows a project in a day (100,000) that Aorta may use; the rest is for others in the project.',
    ),
  land_every_s: z
    .number()
    .min(0)
    .default(60)
    .describe('A partition of a stream is landed at most so often; less often where the quota of load jobs asks for it.'),
  merge_every_s: z.number().min(0).default(300).describe('Landed batches are merged into a table at most so often.'),
  merge_rows: z.int().min(1).default(1_000_000).describe('So many landed rows are merged at once, though the time has not come.'),
  recent_days: z
    .int()
    .min(0)
    .max(31)
    .default(2)
    .describe('Samples up to so many days older than their receipt merge apart from older ones.'),
  old_rows: z.int().min(1).default(2_000_000).describe('Samples of old dates that gather before they are merged.'),
  old_after_s: z
    .number()
    .min(0)
    .default(3600)
    .describe('Samples of old dates are merged after this time even when few have gathered.'),
  summary_order: z
    .enum(['updated_at', 'received'])
    .default('updated_at')
    .describe('What makes a summary newer: its updated_at, or the order of receipt.'),
  add_columns: z
    .boolean()
    .default(true)
    .describe(
      'Columns that a new version declares are added where they are missing; if not, merges wait until `aorta apply` has added them.',
    ),
  gzip: z.boolean().default(false).describe('Uploads are compressed: less to send, more work for the processor.'),
  price_per_tib: z
    .number()
    .min(0)
    .default(6.25)
    .describe('What a TiB of processed bytes costs, in the currency of your bill: for the numbers of `aorta status --cost`.'),
  price_per_slot_hour: z
    .number()
    .min(0)
    .default(0.06)
    .describe(
      'What an hour of a slot costs, in the same currency. It counts where jobs run in a reservation (BigQuery Editions): no bytes are billed there.',
    ),
  budget_per_day: z
    .number()
    .positive()
    .optional()
    .describe(
      'What the merges of all tables without partitions may cost in a day, together: each is merged less often as it grows.',
    ),
  most_per_day: z
    .number()
    .positive()
    .optional()
    .describe(
      'What merges of all tables may cost in a day (UTC). Where that is reached they wait for the next day; landing goes on.',
    ),
  call_s: z.number().positive().max(600).default(60).describe('A call that is not answered by then is made again.'),
  patience_s: z
    .number()
    .positive()
    .max(86_400)
    .default(900)
    .describe('A step that did not succeed by then, though it was tried again and again, ends the process.'),
});

export type BigQuerySettings = z.output<typeof bigQueryOptions>;
