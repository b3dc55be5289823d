import { type Column, resourcesKeyedByType, type TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../warehouse.ts';
import { sampleColumns } from '../landed-rows.ts';
import { eventColumns, seriesKey } from './create.ts';
import { notSuppressed } from './erase.ts';
import { dates, dayOf, fromLanded, newer, text } from './types.ts';

/** A landed batch of a timeseries stream: its tables of events and of samples. */
export interface SamplesBatch {
  readonly events: string;
  readonly samples: string;
  /** Numeric columns in the table of samples. All other columns are in the table of events. */
  readonly sampleColumns: readonly string[];
}

const keyedByType = resourcesKeyedByType.map(text);

/** Expressions for the key of a landed event's series. A key column that the resource does not use is `''`. */
const seriesOf: Readonly<Record<(typeof seriesKey)[number], string>> = {
  user_id: 'c_user_id',
  resource: 'c_resource',
  provider: 'c_provider',
  source_type: 'c_source_type',
  sample_type:
    keyedByType.length === 0
      ? "''"
      : `case when c_resource in (${keyedByType.join(', ')}) then coalesce(c_sample_type, '') else '' end`,
  source_workout_id: "case when c_resource like 'workout\\_%' escape '\\' then coalesce(c_source_workout_id, '') else '' end",
};

function landedEvents(batches: readonly SamplesBatch[]): string {
  // The batches are combined by column name, because batches that were landed by another version of Aorta or with another
  // privacy setting may have different columns.
  return batches.map(({ events }) => `select * from ${events}`).join(' union all by name ');
}

/** Additional condition that excludes events of erased users. */
function kept(table: TableDeclaration, suppressing: boolean): string {
  const users = suppressing ? userColumns(table).map((name) => `c_${name}`) : [];
  return users.length === 0 ? '' : `\n    and ${notSuppressed(users)}`;
}

/** Assigns an id to every series in the batches that does not have one yet. `suppressing`: whether users were erased. */
export function insertSeries(table: TableDeclaration, batches: readonly SamplesBatch[], suppressing = false): string {
  const key = seriesKey.map((name) => `${seriesOf[name]} as ${name}`).join(', ');
  return `insert into control.series
select (select coalesce(max(id), 0) from control.series) + row_number() over (), ${seriesKey.join(', ')}
from (
  select distinct ${key} from (${landedEvents(batches)}) where samples > 0${kept(table, suppressing)}
) n
anti join control.series using (${seriesKey.join(', ')})`;
}

/**
 * Puts the events of a merge into a temporary table, with series, id and version. An event is *contested* if one of its keys
 * may occur twice in the batches. That is the case if its own times do not ascend, or if its time span overlaps another event
 * of the series. Only samples of contested events need deduplication, which accounts for most of the cost of a merge. Events
 * that do not overlap the days from `from` to `to` are left out.
 */
export function foldEvents(
  table: TableDeclaration,
  batches: readonly SamplesBatch[],
  { from, to }: { readonly from: number; readonly to: number },
  suppressing = false,
): string {
  const join = seriesKey.map((name) => `k.${name} = ${seriesOf[name]}`).join(' and ');
  const constants = sampleColumns(table)
    .filter(({ name }) => name !== 'start_at')
    .map(({ name }) => `c_${name}`);
  const micros = (day: number): string => `${day * 86_400_000_000}`;
  return `create or replace temp table folding as
select
  l.no, k.id as series,
  (select coalesce(max(id), 0) from control.${table.name}_events) + row_number() over (order by l.no) as event,
  ${constants.map((name) => `l.${name}, `).join('')}make_timestamptz(l._received_at::bigint) as _received_at, l._origin, l._offset::bigint as _offset, l._reader::bigint as _reader,
  l.ascending = 0
    or coalesce(max(last_at) over before >= first_at, false)
    or coalesce(min(first_at) over after <= last_at, false) as contested
from (${landedEvents(batches)}) l
join control.series k on ${join}
where l.samples > 0 and l.last_at >= ${micros(from)} and l.first_at < ${micros(to + 1)}${kept(table, suppressing)}
window
  before as (partition by k.id order by first_at, l.no rows between unbounded preceding and 1 preceding),
  after as (partition by k.id order by first_at, l.no rows between 1 following and unbounded following)`;
}

export function insertEvents(table: TableDeclaration, batches: readonly SamplesBatch[]): string {
  const columns = eventColumns(table);
  return `insert into control.${table.name}_events (id, ${columns.map(({ name }) => name).join(', ')}, _loaded_at)
select f.event, ${columns.map((column) => fromLanded(column, `c_${column.name}`)).join(', ')}, current_timestamp
from (${landedEvents(batches)}) join folding f using (no)
order by f.event`;
}

export interface SamplesFold {
  /** Dates to which the merge is restricted. */
  readonly days: readonly number[];
  /** Whether the batches also have samples on dates other than `days`. */
  readonly others: boolean;
  /** How many merged events are contested. If none or all are contested, the statement needs only one branch. */
  readonly contested: 'none' | 'some' | 'all';
  /** Whether to sort rows by time. Used for old dates. */
  readonly sorted: boolean;
}

/**
 * Merges the newest sample of each key on the given dates if it is newer than the existing row. `undeclared` names columns that
 * only the table in the file has. They are reset to their defaults, so that a replaced row does not keep any older values.
 */
export function mergeSamples(
  table: TableDeclaration,
  batches: readonly SamplesBatch[],
  fold: SamplesFold,
  undeclared: readonly string[] = [],
): string {
  const numbers = sampleColumns(table);
  const columns = [
    'series',
    'event',
    ...numbers.map(({ name }) => name),
    '_day',
    '_received_at',
    '_origin',
    '_offset',
    '_reader',
  ];
  const list = dates(fold.days);
  const has = (batch: SamplesBatch, name: string): boolean => batch.sampleColumns.includes(name);
  const landedAlone = numbers.filter(({ name }) => batches.some((batch) => has(batch, name)));
  // Row ids follow the order of the samples in their event. They decide which of several samples with the same key is the last.
  const ordinal = fold.contested === 'none' ? '' : ', rowid as ordinal';
  const samples = batches
    .map((batch) => {
      const present = landedAlone.map(({ name }) => (has(batch, name) ? name : `null::double as ${name}`));
      return `select no${ordinal}, ${present.join(', ')} from ${batch.samples}`;
    })
    .join(' union all ');
  const landed = ({ name }: Column): string => {
    if (!batches.some((batch) => has(batch, name))) return `f.c_${name}`;
    return batches.every((batch) => has(batch, name)) ? `x.${name}` : `coalesce(x.${name}, f.c_${name})`;
  };
  const expressions = numbers.map((column) => `${fromLanded(column, landed(column))} as ${column.name}`);
  const select = (contested: boolean): string => {
    const conditions = [
      ...(fold.contested === 'some' ? [contested ? 'f.contested' : 'not f.contested'] : []),
      ...(fold.others ? [`${dayOf('x.start_at')} in (${list})`] : []),
    ];
    return `  select f.series, f.event, ${expressions.join(', ')}, ${dayOf('x.start_at')} as _day,
    f._received_at, f._origin, f._offset, f._reader
  from (${samples}) x join folding f using (no)${conditions.length === 0 ? '' : `\n  where ${conditions.join(' and ')}`}`;
  };
  const newest = `${select(true)}
  qualify row_number() over (
    partition by f.series, x.start_at order by f._received_at desc, f._origin desc, f._offset desc, f._reader desc, x.ordinal desc
  ) = 1`;
  const source = { none: select(false), some: `${select(false)}\n  union all\n${newest}`, all: newest }[fold.contested];
  return `merge into control.${table.name}_samples t using (
${source}${fold.sorted ? '\n  order by start_at' : ''}
) s
on t._day in (${list}) and t.start_at = s.start_at and t.series = s.series
when matched and ${newer('s', 't')} then update set
  ${[...columns.map((name) => `${name} = s.${name}`), ...undeclared.map((name) => `${name} = default`)].join(', ')}
when not matched then insert (${columns.join(', ')})
values (${columns.map((name) => `s.${name}`).join(', ')})`;
}

/** Counts the merged events and how many of them are contested. */
export const countContested = 'select count(*), count(*) filter (contested) from folding';

/** Deletes merged events without a winning sample, so that a redelivery adds no events. */
export function dropUnusedEvents(table: TableDeclaration): string {
  return `delete from control.${table.name}_events
where id >= (select min(event) from folding)
  and id not in (select event from control.${table.name}_samples where event >= (select min(event) from folding))`;
}
