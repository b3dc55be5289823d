import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { bigQueryOptions, privacyOptions } from '@aorta/warehouse';
import { openBigQueryReader, openBigQueryWarehouse } from '@aorta/warehouse/bigquery';
import { afterAll, beforeAll, describe } from 'vitest';
import { warehouseConformance } from './warehouse.ts';
import { tablesOfSuite } from './warehouse-cases.ts';

const problem = await whyNoBigQuery();

describe.skipIf(problem !== undefined)(`a dataset of BigQuery${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let made = 0;
  const now = Date.now();
  beforeAll(async () => {
    provided = await provideBigQuery();
  });
  afterAll(() => provided?.stop());

  warehouseConformance(
    'BigQuery',
    async () => {
      const { project, apiEndpoint, location } = provided;
      const dataset = `conformance_${process.pid}_${++made}`;
      await provided.client().createDataset(dataset, location === undefined ? {} : { location });
      // A clock that stands still: nothing comes due by waiting.
      const settings = {
        ...bigQueryOptions.parse({
          type: 'bigquery',
          project,
          dataset,
          ...(location === undefined ? {} : { location }),
          ...(apiEndpoint === undefined ? {} : { api_endpoint: apiEndpoint }),
          old_rows: 6,
        }),
        privacy: privacyOptions.parse({}),
        clock: () => now,
        tables: tablesOfSuite,
        declared: tablesOfSuite,
      };
      return {
        open: () => openBigQueryWarehouse(settings),
        read: () => openBigQueryReader(settings),
        remove: async () => {
          await provided.client().dataset(dataset).delete({ force: true });
        },
      };
    },
    Number(process.env.SOAK ?? 1),
  );
});
