import { createHash } from 'node:crypto';
import type { ShownView } from '../../warehouses/views/dialect.ts';
import type { DatasetResource, TableResource } from '../client/client.ts';
import { column, type Dataset, quoted, tableName, text } from '../sql/types.ts';
import { LABEL, labelList, type WantedTable } from './declared.ts';
import { type ColumnDescriptions, type Difference, tableDifferences } from './difference.ts';
import { columnDescription } from './fields.ts';

export interface PlanInput {
  readonly dataset: Dataset;
  /** The configured location. If undefined, BigQuery's default applies. */
  readonly location?: string | undefined;
  readonly foundDataset: Partial<DatasetResource> | undefined;
  readonly tables: readonly WantedTable[];
  readonly views: readonly ShownView[];
  /** All tables and views of the dataset by name, including those that Aorta did not create. */
  readonly found: ReadonlyMap<string, TableResource>;
}

/** Labels that mark a view as created by Aorta from this query. */
export const viewLabels = (query: string): Record<string, string> => ({
  [LABEL]: 'view',
  aorta_text: createHash('sha256').update(query).digest('hex').slice(0, 16),
});

const descriptionsOf = ({ columns }: ShownView): ColumnDescriptions =>
  new Map(columns.map(({ name, doc, unit }) => [name, columnDescription(doc, unit)]));

export function createView(dataset: Dataset, view: ShownView): string {
  const { name, doc, query } = view;
  const columns = [...descriptionsOf(view)].map(([of, said]) => `${column(of)} OPTIONS (description = ${text(said)})`);
  return `CREATE OR REPLACE VIEW ${tableName(dataset, name)} (
  ${columns.join(',\n  ')}
)
OPTIONS (description = ${text(doc)}, labels = ${labelList(viewLabels(query))}) AS
${query}`;
}

/** Whether a view and its columns have their descriptions. */
function isDescribed({ doc }: ShownView, columns: ColumnDescriptions, { description, schema }: TableResource): boolean {
  return description === doc && (schema?.fields ?? []).every((field) => field.description === columns.get(field.name));
}

function viewDifferences(dataset: Dataset, wanted: ShownView, found: TableResource | undefined): Difference[] {
  const { name, doc: description, query } = wanted;
  const columns = descriptionsOf(wanted);
  const sql = createView(dataset, wanted);
  const labels = viewLabels(query);
  const resource = { view: { query, useLegacySql: false }, description, labels };
  if (found === undefined) return [{ kind: 'create', of: 'view', name, what: 'is missing', sql, resource, columns }];
  if (found.type !== undefined && found.type !== 'VIEW')
    return [
      {
        kind: 'refused',
        of: 'view',
        name,
        what: `is a ${found.type.toLowerCase().replaceAll('_', ' ')}`,
        why: 'the name of this view is taken by something else',
        isMissing: true,
      },
    ];
  if (found.labels?.[LABEL] === undefined)
    return [
      {
        kind: 'refused',
        of: 'view',
        name,
        what: 'is a view that Aorta did not create',
        why: 'queries may depend on it; replace it by hand',
        isMissing: true,
        sql,
      },
    ];
  const changed = found.labels.aorta_text !== labels.aorta_text;
  // BigQuery returns the query text as it was written, so comparing the text also detects a manual edit.
  const edited = found.view?.query !== undefined && found.view.query.trim() !== query.trim();
  if (changed || edited) return [{ kind: 'change', of: 'view', name, what: 'has a different query', sql, resource, columns }];
  if (isDescribed(wanted, columns, found)) return [];
  return [{ kind: 'change', of: 'view', name, what: 'has different descriptions', sql, resource: { description }, columns }];
}

/**
 * Returns the changes that turn the dataset into the declared warehouse, in an order in which they can be made. Undeclared
 * tables are left alone, and nothing is ever dropped.
 */
export function planWarehouse({ dataset, location, foundDataset, tables, views, found }: PlanInput): Difference[] {
  const name = dataset.dataset;
  const differences: Difference[] = [];
  if (foundDataset === undefined) {
    const where = location === undefined ? '' : `, location = ${text(location)}`;
    differences.push({
      kind: 'create',
      of: 'dataset',
      name,
      what: 'is missing',
      sql: `CREATE SCHEMA IF NOT EXISTS ${quoted(`${dataset.project}.${name}`)}\nOPTIONS (labels = [(${text(LABEL)}, 'dataset')]${where})`,
      resource: { labels: { [LABEL]: 'dataset' }, location },
    });
  } else if (
    location !== undefined &&
    foundDataset.location !== undefined &&
    foundDataset.location.toLowerCase() !== location.toLowerCase()
  ) {
    differences.push({
      kind: 'refused',
      of: 'dataset',
      name,
      what: `is in ${foundDataset.location}, but ${location} is configured`,
      why: 'a dataset cannot be moved: configure its location, or use a different dataset',
      isMissing: true,
    });
  }
  return [
    ...differences,
    ...tables.flatMap((table) => tableDifferences(dataset, table, found.get(table.name))),
    ...views.flatMap((view) => viewDifferences(dataset, view, found.get(view.name))),
  ];
}
