import { notLanded, type TableDifference, type WarehouseReader } from '@aorta/warehouse';
import type { Setting } from '../configuration/configuration.ts';
import { warehousePlace } from '../configuration/warehouse-place.ts';
import { bytes, count, counted, duration } from '../printing/quantity.ts';
import { isUnpublished, openReader } from '../reading.ts';
import { type Finding, failure } from './finding.ts';

/** The dataset and its tables: reached, and what merges wait for. */
async function bigQuery(setting: Setting): Promise<Finding[]> {
  const check = 'warehouse';
  try {
    const reader = await openReader(setting);
    try {
      const rows = Object.values(await reader.rows()).reduce((sum, one) => sum + one, 0);
      const { days, waits } = await reader.costs!(1);
      const found = `${warehousePlace(setting)} answers, ${count(rows)} rows; ${bytes(days[0]?.billedBytes ?? 0)} billed today`;
      const waited = waits.map(({ reason, times }) => `${reason} (${counted(times, 'time')})`).join('; ');
      const limits: Finding =
        waits.length === 0
          ? { check: 'quotas', state: 'ok', found: 'nothing was waited for in the last hour' }
          : {
              check: 'quotas',
              state: 'warn',
              found: `waited for in the last hour: ${waited}`,
              remedy: 'Where that lasts, tables fall behind. docs/guides/bigquery.md says what each limit is about.',
            };
      return [{ check, state: 'ok', found }, limits, await declaredTables(reader, setting), await privacy(reader, setting)];
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (isUnpublished(error))
      return [{ check, state: 'ok', found: `no tables yet in ${warehousePlace(setting)}: the first run makes them` }];
    return [failure(check, error)];
  }
}

/** The tables: opened, and what is to be known of them. */
export async function warehouse(setting: Setting): Promise<Finding[]> {
  const check = 'warehouse';
  if (setting.configuration.warehouse.type === 'bigquery') return bigQuery(setting);
  try {
    const reader = await openReader(setting);
    try {
      const rows = Object.values(await reader.rows()).reduce((sum, one) => sum + one, 0);
      const { rows: batches } = await reader.query('select version() as version');
      let version = '';
      for await (const batch of batches) version = String(batch[0]?.[0] ?? version);
      return [
        { check, state: 'ok', found: `${warehousePlace(setting)} opens, ${count(rows)} rows` },
        { check: 'duckdb', state: 'ok', found: `DuckDB ${version}` },
        published(reader.publishedAt),
        await declaredTables(reader, setting),
        await privacy(reader, setting),
      ];
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (isUnpublished(error)) return [{ check, state: 'ok', found: `none yet at ${setting.place.warehouse}` }];
    return [failure(check, error)];
  }
}

/** Differences that one finding names. */
const MOST_NAMED = 8;

/** Whether the next run can land and merge into these tables, under the setting of privacy. */
async function declaredTables(reader: WarehouseReader, { configuration }: Setting): Promise<Finding> {
  const check = 'tables';
  try {
    const differences = await reader.tableDifferences(configuration.privacy);
    const mendedBy = (who: TableDifference['mendedBy']): string | undefined =>
      named(differences.filter((one) => one.mendedBy === who));
    const refused = mendedBy('person');
    if (refused !== undefined) {
      const remedy =
        'Until that is changed, runs stop there. Use the version that made the tables, or make them again from the streams: see the runbook.';
      return { check, state: 'fail', found: refused, remedy };
    }
    const left = mendedBy('apply');
    if (left !== undefined)
      return { check, state: 'fail', found: left, remedy: '`aorta apply` changes that. Until then runs stop there.' };
    const next = mendedBy('run');
    return {
      check,
      state: 'ok',
      found: next === undefined ? 'columns, nulls and defaults are as declared' : `the next run changes: ${next}`,
    };
  } catch (error) {
    return failure(check, error);
  }
}

function named(differences: readonly TableDifference[]): string | undefined {
  if (differences.length === 0) return undefined;
  const all = differences.map(({ table, column, what }) => `${table}${column === undefined ? '' : `.${column}`} ${what}`);
  const more = all.length - MOST_NAMED;
  return `${all.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; and ${count(more)} more` : ''}`;
}

/** Whether the tables hold what the configuration keeps out of them: from before a class was switched off. */
async function privacy(reader: WarehouseReader, { configuration }: Setting): Promise<Finding> {
  const check = 'privacy';
  const left = await reader.withheldValues(configuration.privacy);
  if (left.length === 0)
    return { check, state: 'ok', found: `not in the tables: ${notLanded(configuration.privacy).join(', ')}` };
  return {
    check,
    state: 'warn',
    found: `still in the tables: ${left.map(({ table, column, values }) => `${table}.${column} (${counted(values, 'value')})`).join(', ')}`,
    remedy: 'They were landed before that was switched off. Make the tables again from the streams: see the runbook.',
  };
}

function published(at: string | undefined): Finding {
  const check = 'published copy';
  if (at === undefined)
    return {
      check,
      state: 'warn',
      found: 'none: readers open the warehouse itself, which nobody can write meanwhile',
      remedy: 'aorta run --only jobs --once publishes one.',
    };
  return { check, state: 'ok', found: `${duration(Math.max(0, Date.now() - Date.parse(at)))} old (${at})` };
}
