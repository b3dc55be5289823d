import { privacyOptions } from '@aorta/connectors';
import { declaredViews, type ViewColumn, type ViewDescription } from '@aorta/connectors/warehouses';
import { timeseriesResources, typeName } from '@aorta/schemas';
import { writeOrCheck } from '@aorta/schemas/generated-files';
import { configurationReference } from '../config/reference.ts';
import { errorsReference, metricsReference } from './catalogue-pages.ts';
import { cliReference } from './cli.ts';
import { queryingGuide } from './keys.ts';

const code = (text: string): string => `\`${text}\``;
const cell = (text: string): string => text.replaceAll('|', '\\|');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`);

const typeOf = ({ type }: ViewColumn): string => (type === 'datetime' ? type : typeName(type));

const columnTable = (columns: readonly ViewColumn[]): string[] =>
  table(
    ['column', 'type', 'unit', 'description'],
    columns.map((column) => [code(column.name), typeOf(column), column.unit ?? '', column.doc]),
  );

const section = ({ name, doc, columns }: ViewDescription): string[] => [
  `## ${code(name)}`,
  '',
  doc,
  '',
  ...columnTable(columns),
  '',
];

/** The views of resources have most columns in common, so they share a section. */
function resourcesSection(views: readonly ViewDescription[]): string[] {
  const has = ({ columns }: ViewDescription, name: string): boolean => columns.some((column) => column.name === name);
  const [first] = views as readonly [ViewDescription, ...ViewDescription[]];
  const common = first.columns.filter(({ name }) => views.every((view) => has(view, name)));
  const isCommon = ({ name }: ViewColumn): boolean => common.some((column) => column.name === name);
  const own = views.map((view) => ({ name: view.name, columns: view.columns.filter((column) => !isCommon(column)) }));
  const further = new Map(own.flatMap(({ columns }) => columns).map((column) => [column.name, column] as const));
  const isValue = ({ unit }: ViewColumn): boolean => unit !== undefined;
  const values = own.map(({ columns }) => columns.find(isValue)!);
  const others = [...further.values()].filter((column) => !values.some(({ name }) => name === column.name));
  return [
    '## Views of resources',
    '',
    'Each resource of `timeseries` has a view with its name. A row is one sample. These views have the columns below, and one column whose name contains the unit of its values. It is NULL if the value was sent in a unit that cannot be converted.',
    '',
    ...columnTable(common),
    '',
    'Some views also have these columns:',
    '',
    ...columnTable(others),
    '',
    ...table(
      ['view', 'value', 'unit', 'further columns'],
      own.map(({ name, columns }, at) => [
        code(name),
        code(values[at]!.name),
        values[at]!.unit!,
        columns
          .filter((column) => column !== values[at])
          .map((column) => code(column.name))
          .join(', '),
      ]),
    ),
    '',
  ];
}

/** Returns the reference of views as a Markdown page, generated from their declarations. */
function viewsReference(shown: readonly ViewDescription[]): string {
  const views = shown.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const resources = new Set(timeseriesResources.map(({ resource }) => resource));
  return [
    '# Views',
    '',
    'This page is generated from the declarations in `connectors/warehouses/views/` by `npm run generate`. A test fails if they differ.',
    '',
    '- DuckDB and BigQuery have the same views. [Querying](../guides/querying.md) shows how to use them, and [Streams and tables](streams.md) describes the tables.',
    '- `aorta schema VIEW` prints a view in the terminal. In the warehouse, the views and their columns have these descriptions too: as comments in DuckDB, and as descriptions in BigQuery.',
    '- A view has no columns that the section `privacy` of the [configuration](configuration.md) withholds. A view that has only withheld data does not exist.',
    '- If a unit is the name of a column, this column contains the unit.',
    '',
    ...views.filter(({ name }) => !resources.has(name)).flatMap(section),
    ...resourcesSection(views.filter(({ name }) => resources.has(name))),
  ].join('\n');
}

/** Returns the pages that are generated from the program, in whole or in part, by path relative to the repository's root. */
export async function referencePages(): Promise<Record<string, string>> {
  const everything = privacyOptions.parse({ identifiers: true, patients: true, free_text: true, location: true });
  const views = declaredViews(everything).shown;
  return {
    'docs/guides/querying.md': queryingGuide(views),
    'docs/reference/cli.md': await cliReference(),
    'docs/reference/configuration.md': configurationReference(),
    'docs/reference/errors.md': errorsReference(),
    'docs/reference/metrics.md': metricsReference(),
    'docs/reference/views.md': viewsReference(views),
  };
}

if (import.meta.main) writeOrCheck(await referencePages(), 'the program');
