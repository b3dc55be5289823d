import { deliveries, type StreamName, type TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../../erasure.ts';
import { unionOfDays } from '../../merging/landed-dates.ts';
import { type TableField, tableFields } from '../tables/fields.ts';
import { fenceStatement, recordStatement } from './control.ts';
import { confirms } from './first-versions.ts';
import { computed, indent, landedRows, landedSamples, localDate, partialKeys, sampleKey, samplesOf } from './landed-rows.ts';
import { absent, fromLanded } from './landed-values.ts';
import { notSuppressed } from './suppression.ts';
import { column, type Dataset, dates, dayOf, newer, tableName, text } from './types.ts';

/** Partitions that one statement may change; the service takes 4,000 in a job. */
export const MOST_DAYS = 3_000;

/** A landed batch as a merge names it. */
export interface MergeBatch {
  /** Its landing table, without the dataset. */
  readonly table: string;
  readonly stream: StreamName;
  /** The columns that its landing table has: another version's lacks some, or has more. */
  readonly fields: readonly TableField[];
  /**
   * Days since 1970 of this batch that the merge folds: of its samples or, for `deliveries`, of its receipts. None where
   * the target is not partitioned.
   */
  readonly days: readonly number[];
}

export interface Merge {
  readonly dataset: Dataset;
  /** The table, with its landed columns; `deliveries` of `@aorta/schemas` for the deliveries. */
  readonly target: TableDeclaration;
  /** Which dates the merge is for; it only goes into the record. */
  readonly extent: 'recent' | 'old';
  readonly batches: readonly MergeBatch[];
  /**
   * The columns that the target really has, as `tables.get` says them. Those that the declaration lacks (of a newer
   * version) are filled from batches that have them; of others they become null, since an older value must not stay
   * beside newer ones. Default: the declared ones.
   */
  readonly fields?: readonly TableField[];
  /** The target has rows that an upgrade rewrote: a record of the same version confirms them. Default: it has none. */
  readonly confirming?: boolean;
}

export interface MergeStatement {
  /** A script: one transaction. */
  readonly sql: string;
  /** The merge alone, for an estimate by a dry run: a script cannot be estimated. */
  readonly merge: string;
  /** Dates that bound target and source; undefined where the target is not partitioned. */
  readonly bounds: readonly number[] | undefined;
}

/**
 * Folds landed batches into one table, newest version of each key, and only where it is newer than the row: a
 * transaction of the target's fence, the merge, and the durable record. Throws where a batch has columns that the target
 * lacks ({@link lackingColumns}), and where the target is partitioned and there is no date to bound it by.
 */
export function mergeStatement(merge: Merge): MergeStatement {
  const { dataset, target, extent, batches } = merge;
  const bounds = target.partition === undefined ? undefined : unionOfDays(batches.map(({ days }) => days));
  if (batches.length === 0) throw new Error(`a merge of nothing into ${target.name}`);
  if (bounds?.length === 0) throw new Error(`a merge into ${target.name}, which is partitioned, without a date`);
  if (bounds !== undefined && bounds.length > MOST_DAYS)
    throw new Error(`a merge into ${target.name} of ${bounds.length} dates: ${MOST_DAYS} are the most`);
  const lacking = lackingColumns(merge);
  if (lacking.length > 0) throw new Error(`${target.name} lacks ${lacking.join(', ')}, which batches have`);
  const statement = statementOf(merge, bounds);
  const parts = batches.map(({ table, days }) => ({ batch: table, days: target.partition === undefined ? [] : days }));
  const record = recordStatement(dataset, target.name, extent, parts);
  const script = ['BEGIN TRANSACTION', fenceStatement(dataset, target.name), statement, record, 'COMMIT TRANSACTION'];
  return { sql: `${script.join(';\n\n')};\n`, merge: statement, bounds };
}

const isOfDelivery = (name: string): boolean => name.startsWith('d_');
const named = (fields: readonly TableField[]): Map<string, TableField> => new Map(fields.map((field) => [field.name, field]));

/**
 * Columns of batches (and fields of their lists) that the target lacks: they would be lost. The batch then waits until the
 * worker of the newer version, which landed it, has added the column.
 */
export function lackingColumns({ target, batches, fields = tableFields(target) }: Merge): string[] {
  if (target.shape === 'deliveries') return [];
  const there = named(fields);
  const landed = batches.flatMap((batch) => {
    const payload = batch.fields.filter(({ name }) => !isOfDelivery(name) && name !== '_samples');
    return [...payload, ...samplesOf(batch.fields)];
  });
  return [...new Set(landed.flatMap((field) => lackingOf(field, there.get(field.name))))];
}

/** What a table lacks of a landed column: the column, and fields of its list's objects. */
function lackingOf({ name, fields = [] }: TableField, found: TableField | undefined): string[] {
  const known = named(found?.fields ?? []);
  const lacking = fields.filter((one) => !known.has(one.name)).map((one) => `${name}[].${one.name}`);
  return found === undefined ? [name, ...lacking] : lacking;
}

/** Columns of the target in the order in which a merge names them: the declared ones, then those of a newer version. */
function targetFields({ target, fields }: Merge): TableField[] {
  const declared = tableFields(target);
  const known = named(fields ?? declared);
  const names = new Set(declared.map(({ name }) => name));
  // As the table has it: its list may have more fields, and its type may be wider.
  return [...declared.map((field) => known.get(field.name) ?? field), ...(fields ?? []).filter(({ name }) => !names.has(name))];
}

/** The end of every merge: newer rows update, unknown ones are inserted. `same` are columns by which rows match. */
function whenClauses(condition: string, names: readonly string[], same: readonly string[]): string {
  const loaded = '_loaded_at';
  const columns = names.filter((name) => name !== loaded).map(column);
  const differing = names.filter((name) => name !== loaded && !same.includes(name)).map(column);
  const set = [...differing.map((name) => `${name} = S.${name}`), `${loaded} = CURRENT_TIMESTAMP()`];
  const values = [...columns.map((name) => `S.${name}`), 'CURRENT_TIMESTAMP()'];
  return `WHEN MATCHED AND ${condition} THEN UPDATE SET
  ${indent(set, '  ')}
WHEN NOT MATCHED THEN INSERT (${[...columns, loaded].join(', ')})
VALUES (${values.join(', ')})`;
}

function statementOf(merge: Merge, bounds: readonly number[] | undefined): string {
  switch (merge.target.shape) {
    case 'timeseries':
      return mergeSamples(merge, bounds!);
    case 'deliveries':
      return mergeDeliveries(merge, bounds!);
    default:
      return mergeRows(merge);
  }
}

function mergeRows(merge: Merge): string {
  const { dataset, target, batches } = merge;
  const fields = targetFields(merge);
  const selects = batches.map((batch) => landedRows(dataset, target, fields, batch));
  const order = target.order.map((name) => `${column(name)} DESC`).join(', ');
  const isNewer = newer('S', 'T', target.order);
  return `MERGE INTO ${tableName(dataset, target.name)} AS T
USING (
  SELECT *
  FROM (
${selects.join('\n    UNION ALL\n')}
  )
  WHERE ${notSuppressed(dataset, userColumns(target))}
  QUALIFY ROW_NUMBER() OVER (PARTITION BY ${target.key.map(column).join(', ')} ORDER BY ${order}) = 1
) AS S
ON ${target.key.map((name) => `T.${column(name)} = S.${column(name)}`).join(' AND ')}
${whenClauses(
  merge.confirming === true ? `(${isNewer} OR ${confirms('S', 'T', target.order)})` : isNewer,
  fields.map(({ name }) => name),
  target.key,
)}`;
}

function mergeSamples(merge: Merge, bounds: readonly number[]): string {
  const { dataset, target, batches } = merge;
  const fields = targetFields(merge);
  const list = dates(bounds);
  const selects = batches.map((batch) => landedSamples(dataset, target, fields, batch));
  // Within a receipt the last sample of a key wins.
  const order = [...target.order, '_place'].map((name) => `${column(name)} DESC`).join(', ');
  const key = target.key.map((name) => sampleKey(name, ''));
  const on = target.key.map((name) => `${sampleKey(name, 'T.')} = ${sampleKey(name, 'S.')}`);
  return `MERGE INTO ${tableName(dataset, target.name)} AS T
USING (
  SELECT *,
    ${localDate} AS local_date
  FROM (
${selects.join('\n    UNION ALL\n')}
  )
  WHERE _day IN (${list})
    AND ${notSuppressed(dataset, userColumns(target))}
  QUALIFY ROW_NUMBER() OVER (
    PARTITION BY ${key.join(', ')}
    ORDER BY ${order}
  ) = 1
) AS S
ON T._day IN (${list})
  AND ${on.join('\n  AND ')}
${whenClauses(
  newer('S', 'T', target.order),
  fields.map(({ name }) => name),
  [...target.key.filter((name) => !(name in partialKeys)), '_day'],
)}`;
}

/** How far a delivery got: a replay after a fix replaces the row of the failure. */
const reached = (row: string): string =>
  `CASE WHEN ${row}.dead_letter_reason IS NOT NULL THEN 0 WHEN ${row}.redelivered THEN 1 WHEN ${row}.stream = 'unrouted' THEN 2 ELSE 3 END`;

function mergeDeliveries(merge: Merge, bounds: readonly number[]): string {
  const { dataset, batches } = merge;
  const fields = targetFields(merge);
  const list = dates(bounds);
  const key = deliveries.key;
  const selects = batches.map((batch) => {
    const landed = named(batch.fields);
    const expressions = fields
      .filter(({ name }) => !computed.has(name))
      .map((field) => {
        if (field.name === 'stream') return `${text(batch.stream)} AS stream`;
        const name = field.name === '_reader' ? '_reader' : `d_${field.name}`;
        const found = landed.get(name);
        return `${found === undefined ? absent(field) : fromLanded(field, found, `l.${column(name)}`)} AS ${column(field.name)}`;
      });
    return `    SELECT ${indent([...expressions, `${dayOf('l.d_received_at')} AS _day`], '      ')}
    FROM ${tableName(dataset, batch.table)} AS l
    WHERE l.d_counts`;
  });
  return `MERGE INTO ${tableName(dataset, deliveries.name)} AS T
USING (
  SELECT *, ${reached('d')} AS _reached
  FROM (
${selects.join('\n    UNION ALL\n')}
  ) AS d
  WHERE _day IN (${list})
    AND ${notSuppressed(dataset, userColumns(deliveries))}
  QUALIFY ROW_NUMBER() OVER (PARTITION BY ${key.join(', ')} ORDER BY _reached DESC, _reader DESC) = 1
) AS S
ON T._day IN (${list})
  AND ${key.map((name) => `T.${name} = S.${name}`).join('\n  AND ')}
${whenClauses(
  `(S._reached > ${reached('T')} OR (S._reached = ${reached('T')} AND S._reader > T._reader))`,
  fields.map(({ name }) => name),
  [...key, '_day'],
)}`;
}
