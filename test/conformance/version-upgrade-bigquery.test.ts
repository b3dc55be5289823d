import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { privacyOptions } from '@aorta/connectors';
import { bigQueryOptions } from '@aorta/connectors/warehouses/bigquery';
import { openBigQueryReader, openBigQueryWarehouse } from '@aorta/connectors/warehouses/bigquery/module';
import { silentLogger } from '@aorta/runtime';
import { afterAll, beforeAll, describe } from 'vitest';
import { type UpgradedWarehouse, versionUpgrade } from './version-upgrade.ts';
import { tablesOfSuite } from './warehouse-cases.ts';

const problem = await whyNoBigQuery();

describe.skipIf(problem !== undefined)(`a BigQuery dataset${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let made = 0;
  beforeAll(async () => {
    provided = await provideBigQuery();
  });
  afterAll(() => provided?.stop());

  const create = async (): Promise<UpgradedWarehouse> => {
    const { project, apiEndpoint, location } = provided;
    const dataset = `upgrade_${process.pid}_${++made}`;
    await provided.client().createDataset(dataset, location === undefined ? {} : { location });
    const settings = {
      ...bigQueryOptions.parse({
        type: 'bigquery',
        project,
        dataset,
        ...(location === undefined ? {} : { location }),
        ...(apiEndpoint === undefined ? {} : { api_endpoint: apiEndpoint }),
      }),
      privacy: privacyOptions.parse({}),
      tables: tablesOfSuite,
      declared: tablesOfSuite,
    };
    return {
      open: ({ order, onStep, onWarning } = {}) =>
        openBigQueryWarehouse({
          ...settings,
          ...(order === undefined ? {} : { summary_order: order }),
          ...(onStep === undefined ? {} : { onStep }),
          logger: { ...silentLogger, warn: (event, fields = {}) => onWarning?.(event, fields) },
        }),
      read: () => openBigQueryReader(settings),
      setBack: async () => {
        const facts = `\`${project}.${dataset}.aorta_meta\``;
        await provided.client().query(`UPDATE ${facts} SET value = '1' WHERE name = 'format'`);
        await provided.client().query(`DELETE FROM ${facts} WHERE name NOT IN ('format', 'suppression_key')`);
      },
      remove: async () => {
        await provided.client().dataset(dataset).delete({ force: true });
      },
    };
  };

  versionUpgrade('BigQuery', create, { runs: Number(process.env.SOAK ?? 1), records: 5 });
});
