import { deliveries } from '@aorta/schemas';
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

/** Folds the receipts of landed batches, of whatever stream, into `deliveries`; `days` are the dates on which they were received. */
export function mergeDeliveries(
  batches: readonly DeliveriesBatch[],
  days: readonly number[],
  { strangers = [], unique = false, suppressing = false }: RowsFold = {},
): string {
  const columns = deliveries.columns;
  const names = [...columns.map((column) => column.name), '_day', '_loaded_at'];
  const landed = batches.map(({ table, stream }) => {
    const expressions = columns.map((column) => {
      if (column.name === 'stream') return `${text(stream)} as stream`;
      return `${fromLanded(column, landedName(column.name))} as ${column.name}`;
    });
    return `    select ${expressions.join(', ')}, ${dayOf('d_received_at')} as _day from ${table} where d_counts = 1`;
  });
  const furthest = `\n  qualify row_number() over (partition by ${deliveries.key.join(', ')} order by ${reached('d')} desc, _reader desc) = 1`;
  const kept = suppressing ? `\n  where ${notSuppressed(['d.user_id'])}` : '';
  return `merge into deliveries t using (
  select *, current_timestamp as _loaded_at
  from (
${landed.join('\n    union all\n')}
  ) d${kept}${unique ? '' : furthest}
) s
on t._day in (${dates(days)})
  and ${deliveries.key.map((column) => `t.${column} = s.${column}`).join(' and ')}
when matched and (${reached('s')}, s._reader) > (${reached('t')}, t._reader) then update set
  ${[...names.map((name) => `${name} = s.${name}`), ...strangers.map((name) => `${name} = default`)].join(',\n  ')}
when not matched then insert (${names.join(', ')})
values (${names.map((name) => `s.${name}`).join(', ')})`;
}
