import type { ViewDialect } from '../warehouses/views/dialect.ts';
import { changedDaysRelation } from './sql/changed-days.ts';
import { column, type Dataset, tableName, text } from './sql/types.ts';

/** Separators of cells and rows in literal rows, and the text of NULL. No value may contain them. */
const CELL = '|';

const LINE = ';';
const NOTHING = '~';

const list = (columns: readonly string[]): string => columns.map((name) => `t.${column(name)}`).join(', ');

/** Expression for a member's name as it appears in the JSON object. `json_keys` quotes names that contain special characters. */
const memberName = (key: string): string =>
  `if(starts_with(${key}, '"'), replace(substr(${key}, 2, length(${key}) - 2), '\\\\"', '"'), ${key})`;

function line(values: readonly (string | number | null)[]): string {
  const cells = values.map((value) => (value === null ? NOTHING : String(value)));
  const taken = values.find((value) => typeof value === 'string' && /[|;~]/.test(value));
  if (taken !== undefined) throw new Error(`the literal ${taken} contains a separator`);
  return cells.join(CELL);
}

const struct = (members: Readonly<Record<string, string>>): string =>
  `struct(${Object.entries(members)
    .map(([name, one]) => `${one} as ${name}`)
    .join(', ')})`;

/** Returns the GoogleSQL dialect of the views, with fully qualified table names. */
export function bigQueryViews(dataset: Dataset): ViewDialect {
  return {
    table: (name) => tableName(dataset, name),
    changedDays: changedDaysRelation(dataset),
    name: column,
    text,
    date: (instant) => `date(${instant})`,
    addSeconds: (instant, seconds) => `timestamp_add(${instant}, interval ${seconds} second)`,
    addDays: (day, days) => `date_add(${day}, interval ${days} day)`,
    secondsBetween: (from, to) => `timestamp_diff(${to}, ${from}, microsecond) / 1000000.0`,
    part: (value, number) => `nullif(split(${value}, '.')[safe_ordinal(${number})], '')`,
    // A row that has no value or does not meet `when` gets the order 0 and the value NULL. The result is NULL if all rows are
    // like this.
    latest: (value, order, when) => {
      const counts = when === undefined ? '' : `${when} and `;
      const own = when === undefined ? value : `if(${when}, ${value}, null)`;
      return `any_value(${own} having max if(${counts}${value} is not null, ${order}, 0))`;
    },
    length: (value) => `array_length(${value})`,
    element: (value, ordinal) => `${value}[safe_ordinal(${ordinal})]`,
    elements: (relation, columns, value) => `select ${list(columns)}, list_offset + 1 as ordinal, element
  from ${relation} as t, unnest(t.${column(value)}) as element with offset as list_offset`,
    numbered: (from, columns, count) => `select ${list(columns)}, ordinal
  from ${from} as t, unnest(generate_array(1, ${count})) as ordinal`,
    members: (relation, columns, json) => `select ${list(columns)}, member_name, t.${column(json)}[member_name] as member
  from ${relation} as t,
    unnest(json_keys(t.${column(json)}, 1)) as key,
    unnest([${memberName('key')}]) as member_name`,
    objects: (relation, columns, json) => {
      const name = memberName('key');
      const values = `json_query_array(t.${column(json)}[${name}])`;
      return `select
    ${list(columns)}, ordinal,
    (
      select json_object(
        array_agg(${name} order by key),
        array_agg(ifnull(${values}[safe_ordinal(ordinal)], json 'null') order by key)
      )
      from unnest(json_keys(t.${column(json)}, 1)) as key
    ) as object
  from ${relation} as t, unnest(generate_array(1, ifnull((
    select max(array_length(${values})) from unnest(json_keys(t.${column(json)}, 1)) as key
  ), 0))) as ordinal`;
    },
    jsonNumber: (json, path) => `safe_cast(json_value(${json}, '$.${path}') as float64)`,
    jsonText: (json, path) => `json_value(${json}, '$.${path}')`,
    jsonPart: (json, path) => `json_query(${json}, '$.${path}')`,
    instant: (value) => `timestamp '${value}'`,
    startOfDay: (date) => `timestamp(${date})`,
    // NULL if the local time is before the year 1 or after the year 9999.
    localTime: (instant, offset) => `datetime(safe.timestamp_add(${instant}, interval ${offset} second))`,
    instantOfLocal: (local, offset) => `safe.timestamp_add(${local}, interval -${offset} second)`,
    midpoint: (from, to) => `timestamp_add(${from}, interval div(timestamp_diff(${to}, ${from}, microsecond), 2) microsecond)`,
    jsonList: (element, order) => {
      const value = typeof element === 'string' ? `${element} ignore nulls` : struct(element);
      return `to_json(array_agg(${value} order by ${order.join(', ')}))`;
    },
    jsonListOfFollowing: (members, window) =>
      `to_json(array_agg(${struct(members)}) over (${window} rows between 1 following and unbounded following))`,
    joined: (value) => `string_agg(distinct ${value}, ', ' order by ${value})`,
    listUpTo: (members, window) =>
      `array_agg(${struct(members)}) over (${window} rows between unbounded preceding and current row)`,
    firstOf: (value, condition) =>
      `(select other from unnest(${value}) as other with offset as list_offset where ${condition} order by list_offset limit 1)`,
    emptyList: "json '[]'",
    matches: (value, pattern) => `regexp_contains(${value}, ${pattern})`,
    float: (number) => `cast(${number} as float64)`,
    micros: (instant) => `unix_micros(${instant})`,
    groupKey: (texts) => `concat(${texts.join(", '\\n', ")})`,
    dayNumber: (date) => `unix_date(${date})`,
    hash: (value) => `to_hex(md5(${value}))`,
    floor: (number) => `cast(floor(${number}) as int64)`,
    // One string with all rows, because BigQuery reads it faster than thousands of literals.
    rows: (columns, rows) => {
      const cell = (at: number): string => `nullif(cells[offset(${at})], ${text(NOTHING)})`;
      const values = columns.map(
        ({ name, type }, at) => `${type === 'string' ? cell(at) : `cast(${cell(at)} as ${type})`} as ${column(name)}`,
      );
      return `select
  ${values.join(',\n  ')}
from (
  select split(line, ${text(CELL)}) as cells
  from unnest(split(${text(rows.map(line).join(LINE))}, ${text(LINE)})) as line
) as literals`;
    },
  };
}
