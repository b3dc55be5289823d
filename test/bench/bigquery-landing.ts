import type { TableDeclaration } from '@aorta/schemas';
import type { LandingBatch } from '../../connectors/warehouse.ts';
import { openJobs } from '../../connectors/warehouses/bigquery/client/official-client.ts';
import * as landing from '../../connectors/warehouses/bigquery/landing/land-batch.ts';
import type { BigQuerySettings } from '../../connectors/warehouses/bigquery/options.ts';
import { landingSchema } from '../../connectors/warehouses/bigquery/sql/landing.ts';

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
