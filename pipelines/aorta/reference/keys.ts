import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewDescription } from '@aorta/connectors/warehouses';
import { deliveries, tables, typeName } from '@aorta/schemas';
import { firstSentence } from '../cli/verbs/schema-groups.ts';

/** The views that an analyst should know first, with their keys. */
const firstViews: Readonly<Record<string, { readonly key: readonly string[]; readonly question: string }>> = {
  people: { key: ['user_id'], question: 'Who is there, with which sources, since when?' },
  person_days: { key: ['user_id', 'local_date'], question: 'How many steps, how much sleep, which heart rate on a day?' },
  person_calendar: { key: ['user_id', 'local_date'], question: 'Which days lack data, and which may still change?' },
  metric_days: { key: ['user_id', 'local_date', 'measure'], question: 'How does one measure develop?' },
  heartrate_hours: { key: ['user_id', 'local_date', 'local_hour'], question: 'How does the heart rate change during a day?' },
  sleep_nights: { key: ['user_id', 'night_date'], question: 'How long and how well did a user sleep?' },
  workouts_deduplicated: { key: ['id'], question: 'Which workouts did a user do, each counted once?' },
  glucose_days: { key: ['user_id', 'local_date'], question: 'How long was glucose in range?' },
  lab_result_history: { key: ['order_id', 'ordinal'], question: 'How has a lab value changed?' },
  quality_flags: { key: ['user_id', 'local_date', 'measure', 'source', 'flag'], question: 'Which values are doubtful?' },
};

/** Keys of tables and views. Tables declare theirs. A test checks the keys of views on a demonstration. */
export const keys: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries([...tables, deliveries].map(({ name, key }) => [name, key])),
  ...Object.fromEntries(Object.entries(firstViews).map(([name, { key }]) => [name, key])),
  connections: ['user_id', 'provider'],
  historical_pull_board: ['user_id', 'provider', 'resource'],
};

/** How rows of two relations belong together: their columns with equal values. Columns with different names are a pair. */
type Join = readonly [from: string, to: string, ...on: (string | readonly [string, string])[]];

const dayJoins: readonly Join[] = [
  ['people', 'person_calendar', 'user_id'],
  ['person_calendar', 'person_days', 'user_id', 'local_date'],
  ['person_days', 'heartrate_hours', 'user_id', 'local_date'],
  ['person_days', 'metric_days', 'user_id', 'local_date'],
  ['metric_days', 'quality_flags', 'user_id', 'local_date', ['measure', 'day_measure'], 'source'],
  ['person_days', 'glucose_days', 'user_id', 'local_date'],
  ['person_days', 'sleep_nights', 'user_id', ['local_date', 'night_date']],
  ['person_days', 'workouts_deduplicated', 'user_id', 'local_date'],
  ['workouts_deduplicated', 'workouts', 'id'],
];

const tableJoins: readonly Join[] = [
  ['people', 'timeseries', 'user_id'],
  ['people', 'activity', 'user_id'],
  ['people', 'sleep', 'user_id'],
  ['people', 'lab_orders', 'user_id'],
  ['lab_orders', 'lab_results', ['id', 'order_id']],
  ['lab_orders', 'lab_result_history', ['id', 'order_id']],
  ['people', 'connections', 'user_id'],
  ['connections', 'historical_pull_board', 'user_id', 'provider'],
  ['people', 'deliveries', 'user_id'],
];

interface Side {
  readonly name: string;
  readonly columns: readonly string[];
}

const sides = ([from, to, ...on]: Join): readonly [Side, Side] => [
  { name: from, columns: on.map((column) => (typeof column === 'string' ? column : column[0])) },
  { name: to, columns: on.map((column) => (typeof column === 'string' ? column : column[1])) },
];

/** Whether at most one row has given values of the columns. */
const isOne = ({ name, columns }: Side): boolean => keys[name]!.every((column) => columns.includes(column));

const lineOf = (one: Join): string => {
  const [from, to] = sides(one);
  const label = one.slice(2).map((column) => (typeof column === 'string' ? column : column.join(' = ')));
  return `  ${from.name} ${isOne(from) ? '|o' : '}o'}--${isOne(to) ? 'o|' : 'o{'} ${to.name} : "${label.join(', ')}"`;
};

/** Draws the keys of relations, and the columns that join them, as a Mermaid diagram. Fails if a column does not exist. */
function picture(joins: readonly Join[], views: readonly ViewDescription[]): string[] {
  const used = Map.groupBy(joins.flatMap(sides), ({ name }) => name);
  const boxes = [...used].map(([name, joined]) => {
    const relation = [...tables, deliveries, ...views].find((one) => one.name === name);
    const columns = [...new Set([...keys[name]!, ...joined.flatMap(({ columns }) => columns)])].map((column) => {
      const type = relation?.columns.find((one) => one.name === column)?.type;
      if (type === undefined || type === 'datetime') throw new Error(`${name} has no key column ${column}`);
      return `${typeName(type)} ${column}${keys[name]!.includes(column) ? ' PK' : ''}`;
    });
    return `  ${name} { ${columns.join(' ')} }`;
  });
  return ['```mermaid', 'erDiagram', ...joins.map(lineOf), ...boxes, '```'];
}

/** A table whose columns are aligned, as the formatter of the guides wants it. */
function alignedTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const [head, ...others] = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`);
  return [head!, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others];
}

function firstViewsTable(views: readonly ViewDescription[]): string[] {
  const rows = Object.entries(firstViews).map(([name, { key, question }]) => {
    const { doc } = views.find((one) => one.name === name)!;
    return [`\`${name}\``, firstSentence(doc).slice(0, -1), key.map((column) => `\`${column}\``).join(', '), question];
  });
  return alignedTable([['view', 'one row is', 'key', 'question'], ...rows]);
}

/** Returns the guide for analysts with its generated parts: the views to know first, and the pictures of the keys. */
export function queryingGuide(views: readonly ViewDescription[]): string {
  const parts = { views: firstViewsTable(views), days: picture(dayJoins, views), tables: picture(tableJoins, views) };
  const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides', 'querying.md');
  return Object.entries(parts).reduce(
    (text, [name, lines]) => {
      const [before, after] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
      const found = new RegExp(`(?<=${before}\n)[^]*(?=\n${after})`);
      if (!found.test(text)) throw new Error(`docs/guides/querying.md has no place for ${name}`);
      return text.replace(found, ['', ...lines, ''].join('\n'));
    },
    readFileSync(path, 'utf8'),
  );
}
