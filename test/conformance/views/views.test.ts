import { type Analyser, type DeclaredTable, startAnalyser } from '@aorta/bigquery-server/analyser';
import { tables as declared, deliveries } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { followedTables } from '../../../connectors/bigquery/sql/changed-days.ts';
import { controlTables } from '../../../connectors/bigquery/sql/control.ts';
import { dataset, tables } from '../../../connectors/bigquery/sql/landed.fixture.ts';
import { timeZoneTable } from '../../../connectors/bigquery/tables/declared.ts';
import { fieldOf, type TableField, tableFields } from '../../../connectors/bigquery/tables/fields.ts';
import { createView } from '../../../connectors/bigquery/tables/plan.ts';
import { bigQueryViews } from '../../../connectors/bigquery/views-dialect.ts';
import { followedViews } from '../../../connectors/duckdb/changed-person-days.ts';
import { definer } from '../../../connectors/duckdb/kept-definitions.ts';
import { duckDbViews } from '../../../connectors/duckdb/views-dialect.ts';
import { keptTables } from '../../../connectors/warehouses/kept/kept-tables.ts';
import { CHANGED_PERSON_DAYS } from '../../../connectors/warehouses/views/changed-person-days.ts';
import { isShown, type ViewColumn } from '../../../connectors/warehouses/views/dialect.ts';
import { views } from '../../../connectors/warehouses/views/views.ts';
import { questions, withRelations } from './questions.page.ts';

/** Views with functions that the analyser does not know. Only BigQuery itself can check them. */
const younger = ['meal_foods', 'continuous_query_rows'];

/** Returns the queries of docs/guides/questions.md that the analyser refuses, with its messages. */
async function refusedQuestions(analyser: Analyser, known: readonly DeclaredTable[]): Promise<string[]> {
  const names = new Set(known.map(({ name }) => name));
  const refused: string[] = [];
  for (const { heading, googleSql } of questions()) {
    const query = withRelations(googleSql, (name) => {
      const path = `${dataset.project}.${dataset.dataset}.${name}`;
      return names.has(path) ? `\`${path}\`` : undefined;
    });
    const analysis = await analyser.analyse(query, known);
    if (!analysis.accepted) refused.push(`${heading} ${analysis.message}`);
  }
  return refused;
}

/** The same name for a type in a query's result and in a table's schema. */
const shortType = ({ type, mode }: Pick<TableField, 'type' | 'mode'>): string =>
  `${mode === 'REPEATED' ? 'list of ' : ''}${type.replace(/^(FLOAT|INT|BOOL).*/, '$1').replace('STRUCT', 'RECORD')}`;

const typeOf = ({ name, type }: ViewColumn): string => (type === 'datetime' ? 'DATETIME' : shortType(fieldOf({ name, type })));

/** The analyser does not know options of a view's columns. BigQuery's reference of CREATE VIEW has them. */
const withoutColumnOptions = (statement: string): string =>
  statement.replace(/^( {2}\w+) OPTIONS \(description = '(?:[^'\\]|\\.)*'\)(,?)$/gm, '$1$2');

test('GoogleSQL accepts every view except those that list the members of a JSON object, and the queries of a guide', async () => {
  const known: DeclaredTable[] = [...tables, deliveries].map((table) => ({
    name: `${dataset.project}.${dataset.dataset}.${table.name}`,
    columns: tableFields(table),
  }));
  for (const { name, fields } of [timeZoneTable, ...controlTables])
    known.push({ name: `${dataset.project}.${dataset.dataset}.${name}`, columns: fields });
  const analyser: Analyser = await startAnalyser();
  try {
    const refused: string[] = [];
    const texts: string[] = [];
    for (const view of views(bigQueryViews(dataset), tables, declared, {}).filter(isShown)) {
      const { name, query } = view;
      texts.push(createView(dataset, view));
      const analysis = await analyser.analyse(query, [...known]);
      if (!analysis.accepted) {
        refused.push(
          younger.includes(name) && analysis.message.startsWith('Function not found: json_keys')
            ? name
            : `${name}: ${analysis.message}`,
        );
        continue;
      }
      // CREATE VIEW is the same for every view, so one check is enough.
      if (texts.length === 1)
        expect(await analyser.analyse(withoutColumnOptions(texts[0]!), [...known])).toMatchObject({ accepted: true });
      expect([name, analysis.columns.map((column) => `${column.name} ${shortType(column)}`)]).toEqual([
        name,
        view.columns.map((column) => `${column.name} ${typeOf(column)}`),
      ]);
      known.push({ name: `${dataset.project}.${dataset.dataset}.${name}`, columns: analysis.columns });
    }
    expect(refused).toEqual(younger);
    expect(await refusedQuestions(analyser, known)).toEqual([]);
    await expect(`${texts.join(';\n\n')};\n`).toMatchFileSnapshot('../../../connectors/bigquery/sql/golden/views.sql');
  } finally {
    await analyser.close();
  }
});

test('a merge into BigQuery notes the days of every table that a view by day reads', () => {
  // Like BigQuery, this dialect computes the kept tables in their views.
  const all = views({ ...duckDbViews, kept: undefined }, declared, declared, {});
  const { reads } = definer(keptTables({}), all)(CHANGED_PERSON_DAYS, followedViews(all), null);
  // A value of a profile has no date.
  expect(declared.map(({ name }) => name).filter((name) => reads.has(name) && name !== 'profile')).toEqual(followedTables);
});
