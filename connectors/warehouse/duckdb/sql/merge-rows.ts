import type { TableDeclaration } from '@aorta/schemas';
import { fromLanded, newer } from './types.ts';

/**
 * Folds landed batches of a summary or event stream into its table: the newest version of each key, and only where it is
 * newer than the row. `strangers` are columns of the table that the declaration does not have (of a newer version, or of a
 * class that is not landed any more): an older value must not stay beside newer ones. Batches are united by name: those
 * landed by another version, or under another setting, have other columns.
 */
export function mergeRows(table: TableDeclaration, batches: readonly string[], strangers: readonly string[] = []): string {
  const columns = table.columns;
  const version = new Set(table.order);
  const names = columns.map((column) => column.name);
  const expressions = columns.map((column) => {
    const landed =
      version.has(column.name) || ['_received_at', '_origin', '_offset', '_reader'].includes(column.name)
        ? column.name
        : `c_${column.name}`;
    return `${column.name === '_origin' ? landed : fromLanded(column, landed)} as ${column.name}`;
  });
  const landed = batches.map((batch) => `    select * from ${batch}`).join('\n    union all by name\n');
  const order = table.order.map((column) => `${column} desc`).join(', ');
  return `merge into ${table.name} t using (
  select ${expressions.join(',\n    ')},
    current_timestamp as _loaded_at
  from (
${landed}
  )
  qualify row_number() over (partition by ${table.key.join(', ')} order by ${order}) = 1
) s
on ${table.key.map((column) => `t.${column} = s.${column}`).join(' and ')}
when matched and ${newer('s', 't', table.order)} then update set
  ${[...[...names, '_loaded_at'].map((name) => `${name} = s.${name}`), ...strangers.map((name) => `${name} = default`)].join(',\n  ')}
when not matched then insert (${[...names, '_loaded_at'].join(', ')})
values (${[...names, '_loaded_at'].map((name) => `s.${name}`).join(', ')})`;
}
