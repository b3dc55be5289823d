import { createHash } from 'node:crypto';
import { type Dataset, quoted, tableName, text } from '../sql/types.ts';
import { LABEL, type WantedTable } from './declared.ts';
import { type Difference, type FoundTable, tableDifferences } from './difference.ts';

/** A view as it ought to be. */
export interface WantedView {
  readonly name: string;
  /** What it selects: the text after `AS`. */
  readonly query: string;
}

/** A dataset as the service describes it, as far as it is looked at. */
interface FoundDataset {
  readonly location?: string;
}

/** Where the warehouse is, and what there is now. */
export interface PlanInput {
  readonly dataset: Dataset;
  /** As configured; undefined takes the service's default. */
  readonly location?: string | undefined;
  readonly foundDataset: FoundDataset | undefined;
  readonly tables: readonly WantedTable[];
  readonly views: readonly WantedView[];
  /** Tables and views of the dataset by name, ours and everybody's. */
  readonly found: ReadonlyMap<string, FoundTable>;
}

/** What marks a view as made by us from this text. */
export const viewLabels = (query: string): Record<string, string> => ({
  [LABEL]: 'view',
  aorta_text: createHash('sha256').update(query).digest('hex').slice(0, 16),
});

const labelOptions = (labels: Readonly<Record<string, string>>): string =>
  `OPTIONS (labels = [${Object.entries(labels)
    .map(([label, value]) => `(${text(label)}, ${text(value)})`)
    .join(', ')}])`;

/** The statement that makes a view, or makes it again. */
export function createView(dataset: Dataset, { name, query }: WantedView): string {
  return `CREATE OR REPLACE VIEW ${tableName(dataset, name)}\n${labelOptions(viewLabels(query))} AS\n${query}`;
}

function viewDifferences(dataset: Dataset, wanted: WantedView, found: FoundTable | undefined): Difference[] {
  const { name, query } = wanted;
  const sql = createView(dataset, wanted);
  const labels = viewLabels(query);
  const resource = { view: { query, useLegacySql: false }, labels };
  if (found === undefined) return [{ kind: 'create', of: 'view', name, what: 'is missing', sql, resource }];
  if (found.type !== undefined && found.type !== 'VIEW')
    return [
      {
        kind: 'refused',
        of: 'view',
        name,
        what: `is a ${found.type.toLowerCase().replaceAll('_', ' ')}`,
        why: 'something else has the name of this view',
        isMissing: true,
      },
    ];
  if (found.labels?.[LABEL] === undefined)
    return [
      {
        kind: 'refused',
        of: 'view',
        name,
        what: 'is a view of somebody else',
        why: 'their queries may count on it: it is replaced only by hand',
        isMissing: true,
        sql,
      },
    ];
  const changed = found.labels.aorta_text !== labels.aorta_text;
  // The service says the text as it was given, so a change by hand is seen too.
  const edited = found.view?.query !== undefined && found.view.query.trim() !== query.trim();
  return changed || edited ? [{ kind: 'change', of: 'view', name, what: 'has another text', sql, resource }] : [];
}

/**
 * What has to be done so that the warehouse is as declared, in the order in which it can be. Tables that no declaration
 * names are left alone, and nothing is ever taken away.
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
      resource: { labels: { [LABEL]: 'dataset' }, ...(location === undefined ? {} : { location }) },
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
      what: `is in ${foundDataset.location}; configured is ${location}`,
      why: 'a dataset stays where it was made: configure its location, or another dataset',
      isMissing: true,
    });
  }
  return [
    ...differences,
    ...tables.flatMap((table) => tableDifferences(dataset, table, found.get(table.name))),
    ...views.flatMap((view) => viewDifferences(dataset, view, found.get(view.name))),
  ];
}
