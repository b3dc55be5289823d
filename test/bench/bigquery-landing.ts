import type { TableDeclaration } from '@aorta/schemas';
import { openJobs } from '../../connectors/bigquery/client/official-client.ts';
import * as landing from '../../connectors/bigquery/landing/land-batch.ts';
import type { BigQuerySettings } from '../../connectors/bigquery/options.ts';
import { landingSchema } from '../../connectors/bigquery/sql/landing.ts';
import type { LandingBatch } from '../../connectors/warehouse.ts';

/** Stages of landing, which benchmarks measure separately. */

const RECENT_DAYS = 2;

export function serialiseBatch(batch: LandingBatch, table: TableDeclaration): landing.SerialisedBatch {
  const schema = landingSchema(batch.stream, table, 'updated_at');
  return landing.serialiseBatch(batch, schema, { table, recentDays: RECENT_DAYS, begins: true });
}

/** Lands batches concurrently. Ignores batches that still fail when the time for retries is over. */
export async function landBatches(
  settings: BigQuerySettings,
  batches: readonly LandingBatch[],
  table: TableDeclaration,
): Promise<void> {
  const jobs = openJobs(settings);
  await Promise.allSettled(
    batches.map(async (batch) => {
      const schema = landingSchema(batch.stream, table, 'updated_at');
      const serialised = landing.serialiseBatch(batch, schema, { table, recentDays: RECENT_DAYS, begins: true });
      const options = { jobs, ready: async () => {}, onUploaded: () => {}, now: Date.now };
      return landing.loadBatch(serialised, schema, options);
    }),
  );
}
