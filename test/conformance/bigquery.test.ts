import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { landedTable, privacyOptions } from '@aorta/connectors';
import { bigQueryOptions } from '@aorta/connectors/bigquery';
import { openBigQueryReader, openBigQueryWarehouse } from '@aorta/connectors/bigquery/module';
import { tables as declared } from '@aorta/schemas';
import { afterAll, beforeAll, describe } from 'vitest';
import { createView } from '../../connectors/bigquery/tables/plan.ts';
import { bigQueryViews } from '../../connectors/bigquery/views-dialect.ts';
import { isShown } from '../../connectors/warehouses/views/dialect.ts';
import { views } from '../../connectors/warehouses/views/views.ts';
import { warehouseConformance } from './warehouse.ts';
import { tablesOfSuite } from './warehouse-cases.ts';
import type { WarehouseUnderTest } from './warehouse-under-test.ts';

const problem = await whyNoBigQuery();

describe.skipIf(problem !== undefined)(`a BigQuery dataset${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let made = 0;
  beforeAll(async () => {
    provided = await provideBigQuery();
  });
  afterAll(() => provided?.stop());

  /** Creates a dataset with some tables, or with all tables and some views. Creating all views takes too long. */
  const create = async (only: { tables: typeof declared } | { views: readonly string[] }): Promise<WarehouseUnderTest> => {
    const { project, apiEndpoint, location } = provided;
    const dataset = `conformance_${process.pid}_${++made}`;
    await provided.client().createDataset(dataset, location === undefined ? {} : { location });
    // The clock stands still, so that no merge becomes due merely because time passes. It is ahead of BigQuery's own clock, so that
    // BigQuery does not expire a table during the test.
    const settings = {
      ...bigQueryOptions.parse({
        type: 'bigquery',
        project,
        dataset,
        location,
        api_endpoint: apiEndpoint,
        old_rows: 6,
      }),
      privacy: privacyOptions.parse({}),
      clock: () => Date.UTC(2100, 0, 1),
      ...('tables' in only ? { tables: only.tables, declared: only.tables } : {}),
    };
    return {
      open: async () => {
        const warehouse = await openBigQueryWarehouse(settings);
        if (!('views' in only)) return warehouse;
        const tables = declared.map((table) => landedTable(table, settings.privacy));
        for (const view of views(bigQueryViews({ project, dataset }), tables, declared, {}).filter(isShown))
          if (only.views.some((one) => view.name.startsWith(one)))
            await provided.client().query(createView({ project, dataset }, view));
        return warehouse;
      },
      read: () => openBigQueryReader(settings),
      remove: async () => {
        await provided.client().dataset(dataset).delete({ force: true });
      },
    };
  };

  const withTables = () => create({ tables: tablesOfSuite });
  warehouseConformance('BigQuery', {
    create: withTables,
    runs: Number(process.env.SOAK ?? 1),
    landsApart: true,
    gathersOldDates: { create: withTables, afterMs: 3_600_000 },
    showsPulls: { create: () => create({ views: ['historical_pull', 'introspection_polls_not_pulled'] }) },
  });
});
