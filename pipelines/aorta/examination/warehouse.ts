import { type Finding, failure, notLanded, type TableDifference, type WarehouseReader } from '@aorta/connectors';
import { count, counted } from '@aorta/runtime/quantity';
import type { Setting } from '../configuration/configuration.ts';
import { configuredWarehouse } from '../configuration/configured-warehouse.ts';
import { isUnpublished } from '../reading.ts';

/**
 * Opens the tables and runs all checks on them: the adapter's own checks, the check of the declared columns, and the privacy
 * check.
 */
export async function warehouse(setting: Setting<'warehouse' | 'privacy'>): Promise<Finding[]> {
  const check = 'warehouse';
  const { adapter, settings } = configuredWarehouse(setting);
  try {
    const { openReader, probe } = await adapter.load();
    await using reader = await openReader(settings);
    return [...(await probe(reader, settings)), await declaredTables(reader, setting), await privacy(reader, setting)];
  } catch (error) {
    if (isUnpublished(error)) return [{ check, state: 'ok', found: adapter.describe(settings).empty }];
    return [failure(check, error)];
  }
}

/** Maximum number of differences that one finding names. */
const MOST_NAMED = 8;

/** Checks whether the next run can merge into these tables with the configured privacy settings. */
async function declaredTables(reader: WarehouseReader, { configuration }: Setting<'privacy'>): Promise<Finding> {
  const check = 'tables';
  try {
    const differences = await reader.tableDifferences(configuration.privacy);
    const fixedBy = (who: TableDifference['fixedBy']): string | undefined =>
      named(differences.filter((one) => one.fixedBy === who));
    const refused = fixedBy('person');
    if (refused !== undefined) {
      const remedy =
        'Runs fail until this is fixed. Use the version of Aorta that created the tables, or rebuild them from the streams: see the runbook.';
      return { check, state: 'fail', found: refused, remedy };
    }
    const left = fixedBy('apply');
    if (left !== undefined)
      return { check, state: 'fail', found: left, remedy: 'Run `aorta apply` to fix this. Until then, runs fail.' };
    const next = fixedBy('run');
    return {
      check,
      state: 'ok',
      found: next === undefined ? 'columns, nullability and defaults match the declarations' : `the next run changes: ${next}`,
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

/** Checks whether the tables still contain values of a privacy class that is now switched off. */
async function privacy(reader: WarehouseReader, { configuration }: Setting<'privacy'>): Promise<Finding> {
  const check = 'privacy';
  const left = await reader.withheldValues(configuration.privacy);
  if (left.length === 0)
    return { check, state: 'ok', found: `not in the tables: ${notLanded(configuration.privacy).join(', ')}` };
  return {
    check,
    state: 'warn',
    found: `still in the tables: ${left.map(({ table, column, values }) => `${table}.${column} (${counted(values, 'value')})`).join(', ')}`,
    remedy: 'They were landed before their class was switched off. Rebuild the tables from the streams: see the runbook.',
  };
}
