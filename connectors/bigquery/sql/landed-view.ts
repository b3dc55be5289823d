import type { TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../warehouse.ts';
import { allColumns } from '../../warehouses/views/columns.ts';
import type { ShownView } from '../../warehouses/views/dialect.ts';
import type { WantedTable } from '../tables/declared.ts';
import { tableFields } from '../tables/fields.ts';
import { notSuppressed } from './erase.ts';
import { landedRows, landedSamples, localDate, sampleKey } from './landed-rows.ts';
import { type LandingSchema, landedTablePrefix } from './landing.ts';
import { column, type Dataset, tableName } from './types.ts';

/**
 * Returns the declaration of an empty landing table. The view of landed rows uses a wildcard, which must match at least one
 * table. BigQuery takes the columns of the wildcard from the newest matching table.
 */
export function emptyLanding(target: TableDeclaration, { fields }: LandingSchema): WantedTable {
  return {
    name: `${landedTablePrefix(target.stream)}none`,
    description: 'Always empty. The view of landed rows reads this table if no batch waits for a merge.',
    fields,
    cluster: [],
    labels: { aorta: 'bookkeeping' },
  };
}

/**
 * Returns the view to query while merges are slow or wait for the budget. It shows the newest version of each key, even if
 * that version has been landed but not merged yet. It reads all landing tables of the stream through a wildcard. For
 * timeseries it also reads the whole table, unless the query filters by `_day`.
 */
export function landedView(dataset: Dataset, target: TableDeclaration, { fields: landed }: LandingSchema): ShownView {
  const fields = tableFields(target).filter(({ name }) => name !== '_loaded_at');
  const described = new Map(allColumns(target).map((one) => [one.name, one]));
  const names = fields.map(({ name }) => column(name)).join(', ');
  const relation = { table: `${landedTablePrefix(target.stream)}*`, fields: landed };
  const samples = target.shape === 'timeseries';
  const waiting = samples
    ? `SELECT ${names}, _place
  FROM (
    SELECT *, ${localDate} AS local_date
    FROM (
${landedSamples(dataset, target, fields, relation)}
    )
  )`
    : `SELECT ${names}, 0 AS _place
  FROM (
${landedRows(dataset, target, fields, relation)}
  )`;
  const key = [...target.key.map((name) => sampleKey(name, '')), ...(samples ? ['_day'] : [])];
  const order = [...target.order, '_place'].map((name) => `${column(name)} DESC`);
  return {
    name: `${target.name}_landed`,
    doc: `The newest version of each row of \`${target.name}\`, even if it has been landed but not merged yet.`,
    columns: fields.map(({ name }) => described.get(name)!),
    query: `SELECT ${names}
FROM (
  SELECT ${names}, -1 AS _place
  FROM ${tableName(dataset, target.name)}
  UNION ALL
  ${waiting}
)
WHERE ${notSuppressed(dataset, userColumns(target), 'view')}
QUALIFY ROW_NUMBER() OVER (PARTITION BY ${key.join(', ')} ORDER BY ${order.join(', ')}) = 1`,
  };
}
