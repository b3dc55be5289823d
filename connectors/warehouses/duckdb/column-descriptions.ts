import { createHash } from 'node:crypto';
import type { ViewColumn } from '../views/dialect.ts';
import type { Comments } from './comments.ts';
import type { Database } from './database.ts';
import { isMade, recordMade } from './made.ts';
import { text } from './sql/types.ts';

/**
 * Table with the description of every column. The columns have no comments of their own, because DuckDB takes half a second to
 * make thousands of them.
 */
const COLUMN_DESCRIPTIONS = 'column_descriptions';

const columnDescriptionsDoc = 'One column of a table or view, with its meaning.';

/** A table or view with its columns. */
export interface DescribedRelation {
  readonly name: string;
  readonly columns: readonly ViewColumn[];
}

const own: DescribedRelation = {
  name: COLUMN_DESCRIPTIONS,
  columns: [
    { name: 'table_name', doc: 'Name of the table or view.' },
    { name: 'column_name', doc: 'Name of the column.' },
    { name: 'unit', doc: 'Unit, or the name of the column that contains the unit; NULL if the values have no unit.' },
    { name: 'description', doc: 'Meaning of the value, and when it is NULL.' },
  ],
};

/** Fills the table of descriptions, unless it has these. Returns whether it did. */
export async function describeColumns(
  database: Database,
  found: Comments,
  relations: readonly DescribedRelation[],
): Promise<boolean> {
  const step = 'describing columns';
  const rows = [...relations, own].flatMap(({ name: table_name, columns }) =>
    columns.map(({ name: column_name, unit = null, doc: description }) => ({ table_name, column_name, unit, description })),
  );
  const json = JSON.stringify(rows);
  const content = createHash('sha256').update(json).digest('hex').slice(0, 16);
  const isCurrent = found.get(COLUMN_DESCRIPTIONS) === columnDescriptionsDoc;
  if (isCurrent && (await isMade(database, step, 'column_descriptions', content))) return false;
  const shape = JSON.stringify([Object.fromEntries(own.columns.map(({ name }) => [name, 'varchar']))]);
  await database.transaction(step, () =>
    database.run(
      step,
      [
        `create or replace table ${COLUMN_DESCRIPTIONS} as
select unnest(from_json(${text(json)}, ${text(shape)}), recursive := true)`,
        `comment on table ${COLUMN_DESCRIPTIONS} is ${text(columnDescriptionsDoc)}`,
        ...recordMade('column_descriptions', content),
      ].join(';\n'),
    ),
  );
  return true;
}
