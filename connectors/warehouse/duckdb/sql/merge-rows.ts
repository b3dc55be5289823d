import type { Column, TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../erasure.ts';
import { notSuppressed } from './erase.ts';
import { fromLanded, newer } from './types.ts';

/** What is known of the rows of a merge and of the table. */
export interface RowsFold {
  /**
   * Columns of the table that the declaration does not have (of a newer version, or of a class that is not landed any
   * more): an older value must not stay beside newer ones.
   */
  readonly strangers?: readonly string[] | undefined;
  /** No key stands twice in the batches, see {@link repeatsKey}: looking for the newest version of each would be for nothing. */
  readonly unique?: boolean;
  /** Some users were erased: rows of theirs are left out. */
  readonly suppressing?: boolean;
}

/** A column as it is landed. */
function landedName(table: TableDeclaration, { name }: Column): string {
  return table.order.includes(name) || ['_received_at', '_origin', '_offset', '_reader'].includes(name) ? name : `c_${name}`;
}

/** Batches are united by name: those landed by another version, or under another setting, have other columns. */
const united = (batches: readonly string[]): string =>
  batches.map((batch) => `    select * from ${batch}`).join('\n    union all by name\n');

/** Whether some key stands more than once in landed batches of a summary or event stream. */
export function repeatsKey(table: TableDeclaration, batches: readonly string[]): string {
  const key = table.columns.filter(({ name }) => table.key.includes(name)).map((column) => landedName(table, column));
  return `select exists (
  from (
${united(batches)}
  )
  select 1 group by ${key.join(', ')} having count(*) > 1
)`;
}

/** Folds landed batches of a summary or event stream into its table: the newest version of each key, and only where it is newer than the row. */
export function mergeRows(
  table: TableDeclaration,
  batches: readonly string[],
  { strangers = [], unique = false, suppressing = false }: RowsFold = {},
): string {
  const columns = table.columns;
  const names = columns.map((column) => column.name);
  const expressions = columns.map((column) => {
    const landed = landedName(table, column);
    return `${column.name === '_origin' ? landed : fromLanded(column, landed)} as ${column.name}`;
  });
  const order = table.order.map((column) => `${column} desc`).join(', ');
  const newest = `\n  qualify row_number() over (partition by ${table.key.join(', ')} order by ${order}) = 1`;
  const users = suppressing ? userColumns(table).map((name) => `c_${name}`) : [];
  const kept = users.length === 0 ? '' : `\n  where ${notSuppressed(users)}`;
  return `merge into ${table.name} t using (
  select ${expressions.join(',\n    ')},
    current_timestamp as _loaded_at
  from (
${united(batches)}
  )${kept}${unique ? '' : newest}
) s
on ${table.key.map((column) => `t.${column} = s.${column}`).join(' and ')}
when matched and ${newer('s', 't', table.order)} then update set
  ${[...[...names, '_loaded_at'].map((name) => `${name} = s.${name}`), ...strangers.map((name) => `${name} = default`)].join(',\n  ')}
when not matched then insert (${[...names, '_loaded_at'].join(', ')})
values (${[...names, '_loaded_at'].map((name) => `s.${name}`).join(', ')})`;
}
