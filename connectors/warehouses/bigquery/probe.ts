import { bytes, count, counted } from '@aorta/runtime/quantity';
import type { Finding } from '../../adapter.ts';
import type { WarehouseReader } from '../../warehouse.ts';
import { warehouse } from './adapter.ts';
import type { BigQuerySettings } from './options.ts';

/** Returns findings for `doctor`: whether the dataset answers, what was billed today, and what merges waited for. */
export async function probeBigQuery(reader: WarehouseReader, settings: BigQuerySettings): Promise<Finding[]> {
  const rows = Object.values(await reader.rows()).reduce((sum, one) => sum + one, 0);
  const { days, waits } = await reader.costs!(1);
  const { text } = warehouse.describe(settings);
  const found = `${text} answers, ${count(rows)} rows; ${bytes(days[0]?.billedBytes ?? 0)} billed today`;
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
