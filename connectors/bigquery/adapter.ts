import { resolve } from 'node:path';
import type { WarehouseAdapter } from '../warehouse.ts';
import { bigQueryErrors } from './errors.ts';
import { bigQueryMetrics } from './metrics.ts';
import { addressOf, type BigQuerySettings, bigQueryOptions } from './options.ts';

export const warehouse: WarehouseAdapter<BigQuerySettings> = {
  type: 'bigquery',
  errors: bigQueryErrors,
  metrics: bigQueryMetrics,
  product: 'BigQuery',
  noun: 'a BigQuery dataset',
  options: bigQueryOptions,
  address: import.meta.url,
  load: async () => (await import('./module.ts')).bigQuery,
  describe: ({ project, dataset }) => {
    const text = addressOf({ project, dataset });
    return { text, facts: { project, dataset }, empty: `no tables yet in ${text}: the first run creates them` };
  },
  resolvePaths: (settings, folder) =>
    settings.key_file === undefined ? settings : { ...settings, key_file: resolve(folder, settings.key_file) },
  hurried: (settings, seconds) => ({
    ...settings,
    call_s: Math.min(settings.call_s, seconds),
    patience_s: Math.min(settings.patience_s, seconds),
  }),
  isShared: ({ workers }) => workers > 1,
  isPlanned: true,
  reportsCosts: true,
  // Each refresh runs a query, which is billed.
  watchEveryMs: 30_000,
  afterErasure:
    'BigQuery keeps deleted rows after an erasure: two to seven days of time travel, depending on the dataset, and seven more days of fail-safe.',
};
