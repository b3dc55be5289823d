import type { Column, TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../erasure.ts';
import { notSuppressed } from './erase.ts';
import { fromLanded, newer } from './types.ts';

/**
 * What is known of the keys that landed batches have. `distinct`: none stands twice in them, see {@link repeatsKey}, so
 * that nobody has to look for the newest version of each. `new`: besides none stands in the table, see {@link knowsKey};
 * rows are then appended, which costs a fifth less than to merge them.
 */
export type LandedKeys = 'any' | 'distinct' | 'new';

/** What is known of the rows of a merge and of the table. */
export interface RowsFold {
  /**
   * Columns of the table that the declaration does not have (of a newer version, or of a class that is not landed any
   * more): an older value must not stay beside newer ones.
   */
  readonly strangers?: readonly string[] | undefined;
  /** The default is `any`. */
  readonly keys?: LandedKeys;
  /** Some users were erased: rows of theirs are left out. */
  readonly suppressing?: boolean;
}

/** A column as it is landed. */
function landedName(table: TableDeclaration, { name }: Column): string {
  return table.order.includes(name) || ['_received_at', '_origin', '_offset', '_reader'].includes(name) ? name : `c_${name}`;
}

/** A column of the table, out of a landed batch. */
function landedColumn(table: TableDeclaration, column: Column): string {
  const landed = landedName(table, column);
  return `${column.name === '_origin' ? landed : fromLanded(column, landed)} as ${column.name}`;
}

const keyColumns = (table: TableDeclaration): Column[] => table.columns.filter(({ name }) => table.key.includes(name));

/** Batches are united by name: those landed by another version, or under another setting, have other columns. */
const united = (batches: readonly string[]): string =>
  batches.map((batch) => `    select * from ${batch}`).join('\n    union all by name\n');

/** Whether some key stands more than once in landed batches of a summary or event stream. */
export function repeatsKey(table: TableDeclaration, batches: readonly string[]): string {
  const key = keyColumns(table).map((column) => landedName(table, column));
  return `select exists (
  from (
${united(batches)}
  )
  select 1 group by ${key.join(', ')} having count(*) > 1
)`;
}

/** Whether the table has a row of some key that stands in landed batches of a summary or event stream. */
export function knowsKey(table: TableDeclaration, batches: readonly string[]): string {
  return `select exists (
  select 1 from ${table.name} semi join (
    select ${keyColumns(table)
      .map((column) => landedColumn(table, column))
      .join(', ')}
    from (
${united(batches)}
    )
  ) using (${table.key.join(', ')})
)`;
}

/** Folds landed batches of a summary or event stream into its table: the newest version of each key, and only where it is newer than the row. */
export function mergeRows(
  table: TableDeclaration,
  batches: readonly string[],
  { strangers = [], keys = 'any', suppressing = false }: RowsFold = {},
): string {
  const names = [...table.columns.map((column) => column.name), '_loaded_at'];
  const expressions = table.columns.map((column) => landedColumn(table, column));
  const order = table.order.map((column) => `${column} desc`).join(', ');
  const newest = `\n  qualify row_number() over (partition by ${table.key.join(', ')} order by ${order}) = 1`;
  const users = suppressing ? userColumns(table).map((name) => `c_${name}`) : [];
  const kept = users.length === 0 ? '' : `\n  where ${notSuppressed(users)}`;
  const rows = `  select ${expressions.join(',\n    ')},
    current_timestamp as _loaded_at
  from (
${united(batches)}
  )${kept}${keys === 'any' ? newest : ''}`;
  if (keys === 'new') return `insert into ${table.name} by name\n${rows}`;
  return `merge into ${table.name} t using (
${rows}
) s
on ${table.key.map((column) => `t.${column} = s.${column}`).join(' and ')}
when matched and ${newer('s', 't', table.order)} then update set
  ${[...names.map((name) => `${name} = s.${name}`), ...strangers.map((name) => `${name} = default`)].join(',\n  ')}
when not matched then insert (${names.join(', ')})
values (${names.map((name) => `s.${name}`).join(', ')})`;
}
