import { type Column, deliveries } from '@aorta/schemas';
import { notSuppressed } from './erase.ts';
import type { RowsFold } from './merge-rows.ts';
import { dates, dayOf, fromLanded, text } from './types.ts';

/** How far a delivery got: a replay after a fix replaces the row of the failure. */
const reached = (alias: string): string =>
  `case when ${alias}.dead_letter_reason is not null then 0 when ${alias}.redelivered then 1 when ${alias}.stream = 'unrouted' then 2 else 3 end`;

export interface DeliveriesBatch {
  readonly table: string;
  readonly stream: string;
}

const landedName = (name: string): string => (name === '_reader' ? name : `d_${name}`);

/** Whether some delivery counts more than once in landed batches. */
export function repeatsDelivery(batches: readonly string[]): string {
  const key = deliveries.key.map(landedName);
  const landed = batches.map((batch) => `    select ${key.join(', ')} from ${batch} where d_counts = 1`);
  return `select exists (
  from (
${landed.join('\n    union all\n')}
  )
  select 1 group by ${key.join(', ')} having count(*) > 1
)`;
}

/** A column of `deliveries`, out of a landed batch. */
function landedColumn(column: Column, stream: string): string {
  const value = column.name === 'stream' ? text(stream) : fromLanded(column, landedName(column.name));
  return `${value} as ${column.name}`;
}

/** Whether `deliveries` has a row of some delivery that counts in landed batches; `days` are the dates on which they were received. */
export function knowsDelivery(batches: readonly DeliveriesBatch[], days: readonly number[]): string {
  const key = deliveries.columns.filter(({ name }) => deliveries.key.includes(name));
  const landed = batches.map(
    ({ table, stream }) =>
      `    select ${key.map((column) => landedColumn(column, stream)).join(', ')} from ${table} where d_counts = 1`,
  );
  return `select exists (
  select 1 from deliveries t semi join (
${landed.join('\n    union all\n')}
  ) using (${deliveries.key.join(', ')})
  where t._day in (${dates(days)})
)`;
}

/** Folds the receipts of landed batches, of whatever stream, into `deliveries`; `days` are the dates on which they were received. */
export function mergeDeliveries(
  batches: readonly DeliveriesBatch[],
  days: readonly number[],
  { strangers = [], keys = 'any', suppressing = false }: RowsFold = {},
): string {
  const names = [...deliveries.columns.map((column) => column.name), '_day', '_loaded_at'];
  const landed = batches.map(({ table, stream }) => {
    const expressions = deliveries.columns.map((column) => landedColumn(column, stream));
    return `    select ${expressions.join(', ')}, ${dayOf('d_received_at')} as _day from ${table} where d_counts = 1`;
  });
  const furthest = `\n  qualify row_number() over (partition by ${deliveries.key.join(', ')} order by ${reached('d')} desc, _reader desc) = 1`;
  const kept = suppressing ? `\n  where ${notSuppressed(['d.user_id'])}` : '';
  const rows = `  select *, current_timestamp as _loaded_at
  from (
${landed.join('\n    union all\n')}
  ) d${kept}${keys === 'any' ? furthest : ''}`;
  if (keys === 'new') return `insert into deliveries by name\n${rows}`;
  return `merge into deliveries t using (
${rows}
) s
on t._day in (${dates(days)})
  and ${deliveries.key.map((column) => `t.${column} = s.${column}`).join(' and ')}
when matched and (${reached('s')}, s._reader) > (${reached('t')}, t._reader) then update set
  ${[...names.map((name) => `${name} = s.${name}`), ...strangers.map((name) => `${name} = default`)].join(',\n  ')}
when not matched then insert (${names.join(', ')})
values (${names.map((name) => `s.${name}`).join(', ')})`;
}
