// A separate entry point, because loading the official client takes time and most commands do not need it.
import type { WarehouseModule } from '../../warehouse.ts';
import { openBigQueryWarehouse } from './bigquery-warehouse.ts';
import { BigQueryError } from './errors.ts';
import type { BigQuerySettings } from './options.ts';
import { applyBigQuery, planBigQuery } from './planning.ts';
import { probeBigQuery } from './probe.ts';
import { openBigQueryReader } from './reading/bigquery-reader.ts';

const SHOWN_NAMES = 5;

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

export { type BigQueryWarehouseOptions, openBigQueryWarehouse } from './bigquery-warehouse.ts';
export { applyBigQuery } from './planning.ts';
export { openBigQueryReader } from './reading/bigquery-reader.ts';
