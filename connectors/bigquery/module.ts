// A separate entry point, because loading the official client takes time and most commands do not need it.

import { bytes, count, counted } from '@aorta/runtime/quantity';
import type { Finding } from '../adapter.ts';
import type { WarehouseModule, WarehouseReader } from '../warehouse.ts';
import { openBigQueryWarehouse } from './bigquery-warehouse.ts';
import { applyBigQuery, planBigQuery } from './dataset-plan.ts';
import { BigQueryError } from './errors.ts';
import { addressOf, type BigQuerySettings } from './options.ts';
import { openBigQueryReader } from './reading/bigquery-reader.ts';

const SHOWN_NAMES = 5;

/** Returns findings for `doctor`: whether the dataset answers, what was billed today, and what merges waited for. */
async function probeBigQuery(reader: WarehouseReader, settings: BigQuerySettings): Promise<Finding[]> {
  const rows = Object.values(await reader.rows()).reduce((sum, one) => sum + one, 0);
  const { days, waits } = await reader.costs!(1);
  const found = `${addressOf(settings)} answers, ${count(rows)} rows; ${bytes(days[0]?.billedBytes ?? 0)} billed today`;
  const waited = waits.map(({ reason, times }) => `${reason} (${counted(times, 'time')})`).join('; ');
  const quotas: Finding =
    waits.length === 0
      ? { check: 'quotas', state: 'ok', found: 'no waits in the last hour' }
      : {
          check: 'quotas',
          state: 'warn',
          found: `waits in the last hour: ${waited}`,
          remedy: 'If this persists, the lag of the tables grows. docs/guides/bigquery.md explains each limit.',
        };
  return [{ check: 'warehouse', state: 'ok', found }, quotas];
}

export const bigQuery: WarehouseModule<BigQuerySettings> = {
  open: ({ settings, ...opening }) => openBigQueryWarehouse({ ...settings, ...opening }),
  openReader: (settings) => openBigQueryReader(settings),
  probe: probeBigQuery,
  plan: (settings, choices) => planBigQuery({ ...settings, ...choices }),
  apply: (settings, choices, onProgress) => applyBigQuery({ ...settings, ...choices }, onProgress),
  unmade: ({ dataset }, names) => {
    const more = names.length > SHOWN_NAMES ? [`${names.length - SHOWN_NAMES} more`] : [];
    return new BigQueryError('AORTA-BIGQUERY-UNMADE', {
      dataset,
      count: names.length,
      names: [...names.slice(0, SHOWN_NAMES), ...more].join(', '),
    });
  },
};

export { openBigQueryWarehouse } from './bigquery-warehouse.ts';
export { applyBigQuery } from './dataset-plan.ts';
export type { BigQueryWarehouseOptions } from './options.ts';
export { openBigQueryReader } from './reading/bigquery-reader.ts';
