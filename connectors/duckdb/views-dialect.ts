import type { View, ViewDialect } from '../warehouses/views/dialect.ts';

const literalTypes = { string: 'varchar', float64: 'double' };

const list = (columns: readonly string[]): string => columns.join(', ');

const struct = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, one]) => `${name}: ${one}`)
    .join(', ')}}`;

/** DuckDB's SQL dialect for the views. */
export const duckDbViews: ViewDialect = {
  table: (name) => name,
  kept: (name) => `kept.${name}`,
  changedDays: 'control.changed_person_days',
  name: (name) => (/^(row|select|order|group)$/.test(name) ? `"${name}"` : name),
  text: (value) => `'${value.replaceAll("'", "''")}'`,
  // Independent of the time zone of the session.
  date: (instant) => `make_timestamp(epoch_us(${instant}))::date`,
  addSeconds: (instant, seconds) => `${instant} + to_seconds(${seconds})`,
  addDays: (day, days) => `(${day} + cast(${days} as integer))`,
  secondsBetween: (from, to) => `(epoch_us(${to}) - epoch_us(${from})) / 1000000.0`,
  part: (text, number) => `nullif(split_part(${text}, '.', ${number}), '')`,
  latest: (value, order, when) => `arg_max(${value}, ${order})${when === undefined ? '' : ` filter (where ${when})`}`,
  length: (value) => `len(${value})`,
  element: (value, ordinal) => `${value}[${ordinal}]`,
  // Lists are unnested in the SELECT clause, because a lateral join with ordinality takes twenty times as long.
  elements: (relation, columns, value) =>
    `select ${list(columns)}, generate_subscripts(${value}, 1) as ordinal, unnest(${value}) as element
  from ${relation}`,
  numbered: (from, columns, count) => `select ${list(columns)}, unnest(range(1, 1 + ${count})) as ordinal
  from ${from}`,
  members: (relation, columns, json) => `select ${list(columns)}, entry.key as member_name, entry.value as member
  from (
    select ${list(columns)}, unnest(map_entries(from_json(${json}, '"MAP(VARCHAR, JSON)"'))) as entry
    from ${relation}
  )`,
  objects: (relation, columns, json) => `select
    ${list(columns)}, n as ordinal,
    to_json(map_from_entries(list_transform(map_entries(lists), lambda entry: {k: entry.key, v: entry.value[n]}))) as object
  from (
    select ${list(columns)}, from_json(${json}, '"MAP(VARCHAR, JSON[])"') as lists
    from ${relation}
  ), lateral (
    select unnest(range(1, 1 + coalesce(list_max(list_transform(map_values(lists), lambda one: len(one))), 0))) as n
  )`,
  jsonNumber: (json, path) => `try_cast(${json}->>'$.${path}' as double)`,
  jsonText: (json, path) => `${json}->>'$.${path}'`,
  jsonPart: (json, path) => `${json}->'$.${path}'`,
  instant: (value) => `timestamptz '${value}'`,
  startOfDay: (date) => `make_timestamptz(epoch_us(${date}))`,
  localTime: (instant, offset) => `make_timestamp(epoch_us(${instant}) + ${offset} * 1000000)`,
  instantOfLocal: (local, offset) => `make_timestamptz(epoch_us(${local}) - ${offset} * 1000000)`,
  midpoint: (from, to) => `${from} + to_microseconds((epoch_us(${to}) - epoch_us(${from})) // 2)`,
  // Sorting the finished list takes a quarter of the time of an ordered aggregate.
  jsonList: (element, order) => {
    const value = typeof element === 'string' ? element : struct(element);
    const sorted = struct({ ...Object.fromEntries(order.map((one, at) => [`by_${at}`, one])), value });
    const present = typeof element === 'string' ? ` filter (where ${element} is not null)` : '';
    return `to_json(list_transform(list_sort(list(${sorted})${present}), lambda one: one.value))`;
  },
  jsonListOfFollowing: (members, window) =>
    `to_json(list(${struct(members)}) over (${window} rows between 1 following and unbounded following))`,
  // An aggregate with DISTINCT takes five times as long.
  joined: (value) => `nullif(array_to_string(list_sort(list_distinct(list(${value}))), ', '), '')`,
  listUpTo: (members, window) => `list(${struct(members)}) over (${window} rows between unbounded preceding and current row)`,
  firstOf: (value, condition) => `list_filter(${value}, lambda other: ${condition})[1]`,
  emptyList: "'[]'::json",
  matches: (value, pattern) => `regexp_matches(${value}, ${pattern})`,
  float: (number) => `cast(${number} as double)`,
  micros: (instant) => `epoch_us(${instant})`,
  // A window over ten million samples takes a quarter of the time if it is partitioned by a number instead of texts.
  groupKey: (texts) => `hash(${list(texts)})`,
  dayNumber: (date) => `(${date} - date '1970-01-01')`,
  hash: (value) => `md5(${value})`,
  floor: (number) => `cast(floor(${number}) as bigint)`,
  // One string with all rows, because DuckDB takes 50 ms to plan 2,000 literals.
  rows: (columns, rows) => {
    const shape = columns.map(({ name, type }) => `"${name}":"${literalTypes[type]}"`).join(',');
    const json = rows.map((values) => JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, values[at]]))));
    return `select unnest(from_json('[
${json.join(',\n').replaceAll("'", "''")}
]', '[{${shape}}]'), recursive := true)`;
  },
};

/** Returns the statement that creates or drops a view. */
export function duckDbView({ name, query }: Pick<View, 'name' | 'query'>): string {
  return query === undefined ? `drop view if exists ${name}` : `create or replace view ${name} as\n${query}`;
}
