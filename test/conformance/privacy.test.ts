import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { bigQueryOptions } from '@aorta/connectors/bigquery';
import { openBigQueryReader, openBigQueryWarehouse } from '@aorta/connectors/bigquery/module';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbReader, openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { tables as declared } from '@aorta/schemas';
import { afterAll, beforeAll, describe } from 'vitest';
import { privacySwitches, tablesOfSwitches } from './privacy-switches.ts';

const tables = declared.filter(({ name }) => tablesOfSwitches.includes(name));
const runs = Number(process.env.SOAK ?? 1);

describe('privacy switches in DuckDB', () => {
  privacySwitches(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aorta-'));
    const path = join(folder, 'warehouse.duckdb');
    const settings = duckDbOptions.parse({ type: 'duckdb', path });
    return {
      open: (privacy) => openDuckDbWarehouse({ ...settings, privacy }),
      read: () => openDuckDbReader({ path }),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }, 8 * runs);
});

const problem = await whyNoBigQuery();

describe.skipIf(problem !== undefined)(
  `privacy switches in BigQuery${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    let provided: ProvidedBigQuery;
    let made = 0;
    beforeAll(async () => {
      provided = await provideBigQuery();
    });
    afterAll(() => provided?.stop());

    privacySwitches(async () => {
      const { project, apiEndpoint, location } = provided;
      const dataset = `privacy_${process.pid}_${++made}`;
      await provided.client().createDataset(dataset, location === undefined ? {} : { location });
      const place = {
        type: 'bigquery',
        project,
        dataset,
        location,
        api_endpoint: apiEndpoint,
      };
      const settings = { ...bigQueryOptions.parse(place), tables, declared: tables };
      return {
        open: (privacy) => openBigQueryWarehouse({ ...settings, privacy }),
        read: () => openBigQueryReader(settings),
        remove: async () => {
          await provided.client().dataset(dataset).delete({ force: true });
        },
      };
    }, 3 * runs);
  },
);
