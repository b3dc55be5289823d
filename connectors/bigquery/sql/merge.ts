import { deliveries, type StreamName, type TableDeclaration } from '@aorta/schemas';
import { userColumns } from '../../warehouse.ts';
import { unionOfDays } from '../../warehouses/merging/landed-dates.ts';
import { type TableField, tableFields } from '../tables/fields.ts';
import { changedDaysStatement } from './changed-days.ts';
import { fenceStatement, recordStatement } from './control.ts';
import { notSuppressed } from './erase.ts';
import {
  absent,
  computed,
  fromLanded,
  indent,
  landedRows,
  landedSamples,
  localDate,
  partialKeys,
  sampleKey,
  samplesOf,
} from './landed-rows.ts';
import { column, type Dataset, dates, dayOf, newer, tableName, text } from './types.ts';

/** Maximum number of partitions that one statement may change. BigQuery allows 4,000 per job. */
export const MOST_DAYS = 3_000;

export interface MergeBatch {
  readonly table: string;
  readonly stream: StreamName;
  /** Actual columns of the batch's landing table. A batch landed by another version of Aorta may have fewer or more columns. */
  readonly fields: readonly TableField[];
  /**
   * Dates to merge from this batch, in days since 1970. These are the dates of its samples or, for `deliveries`, of its
   * receipts. Empty if the target is not partitioned.
   */
  readonly days: readonly number[];
}

export interface Merge {
  readonly dataset: Dataset;
  /** Declaration of the target table with only its landed columns, or `deliveries` of `@aorta/schemas`. */
  readonly target: TableDeclaration;
  /** Range of dates, which is only written to the merge record. */
  readonly extent: 'recent' | 'old';
  readonly batches: readonly MergeBatch[];
  /**
   * Actual columns of the target, from `tables.get`. Default: the declared columns. Columns that a newer version added are
   * filled from batches that have them. Records from other batches set them to null, so that no row combines an older value
   * with newer ones.
   */
  readonly fields?: readonly TableField[];
}

export interface MergeStatement {
  readonly sql: string;
  /** The MERGE statement alone, for the dry run, because BigQuery cannot estimate a script. */
  readonly merge: string;
  /** The statement that notes changed days, if there is one, for the dry run. */
  readonly noted: readonly string[];
  /** Dates to which target and source are restricted; undefined if the target is not partitioned. */
  readonly bounds: readonly number[] | undefined;
}

/**
 * Builds a script that inserts landed rows with new keys into a table and replaces existing rows that are older. In one
 * transaction, the script updates the target's fence table, notes which days of users change, runs the merge and writes the merge
 * record. If two merges into the
 * same target run concurrently, the fence makes BigQuery abort one of them. Throws if a batch has columns that the target
 * lacks ({@link lackingColumns}), or if the target is partitioned and no date is given.
 */
export function mergeStatement(merge: Merge): MergeStatement {
  const { dataset, target, extent, batches } = merge;
  const bounds = target.partition === undefined ? undefined : unionOfDays(batches.map(({ days }) => days));
  if (batches.length === 0) throw new Error(`the merge into ${target.name} has no batches`);
  if (bounds?.length === 0) throw new Error(`the merge into ${target.name} has no date, although the table is partitioned`);
  if (bounds !== undefined && bounds.length > MOST_DAYS)
    throw new Error(`the merge into ${target.name} has ${bounds.length} dates, more than ${MOST_DAYS}`);
  const lacking = lackingColumns(merge);
  if (lacking.length > 0) throw new Error(`${target.name} lacks columns of the batches: ${lacking.join(', ')}`);
  const statement = statementOf(merge, bounds);
  const parts = batches.map(({ table, days }) => ({ batch: table, days: target.partition === undefined ? [] : days }));
  const record = recordStatement(dataset, target.name, extent, parts);
  const noted = changedDaysStatement(merge, targetFields(merge), bounds ?? []);
  const script = ['BEGIN TRANSACTION', fenceStatement(dataset, target.name), ...noted, statement, record, 'COMMIT TRANSACTION'];
  return { sql: `${script.join(';\n\n')};\n`, merge: statement, noted, bounds };
}

const isOfDelivery = (name: string): boolean => name.startsWith('d_');
const named = (fields: readonly TableField[]): Map<string, TableField> => new Map(fields.map((field) => [field.name, field]));

/**
 * Returns columns of the batches that the target lacks, including missing fields of lists. A merge would lose their values.
 * The batch therefore waits until the worker that landed it, which runs a newer version of Aorta, adds them to the target.
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

/** Returns the parts of a landed column that a table lacks: the column itself, or fields of the objects in its list. */
function lackingOf({ name, fields = [] }: TableField, found: TableField | undefined): string[] {
  const known = named(found?.fields ?? []);
  const lacking = fields.filter((one) => !known.has(one.name)).map((one) => `${name}[].${one.name}`);
  return found === undefined ? [name, ...lacking] : lacking;
}

/** Returns the columns of the target: first the declared columns, then columns that a newer version added. */
function targetFields({ target, fields }: Merge): TableField[] {
  const declared = tableFields(target);
  const known = named(fields ?? declared);
  const names = new Set(declared.map(({ name }) => name));
  // Prefers the target's actual field, because its list may have more fields and its type may be wider than declared.
  return [...declared.map((field) => known.get(field.name) ?? field), ...(fields ?? []).filter(({ name }) => !names.has(name))];
}

/**
 * Returns the WHEN clauses of a merge. They update matching rows if `condition` is true, and insert rows with new keys. The
 * columns in `same` always have equal values in matching rows, so they are not updated.
 */
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
  newer('S', 'T', target.order),
  fields.map(({ name }) => name),
  target.key,
)}`;
}

function mergeSamples(merge: Merge, bounds: readonly number[]): string {
  const { dataset, target, batches } = merge;
  const fields = targetFields(merge);
  const list = dates(bounds);
  const selects = batches.map((batch) => landedSamples(dataset, target, fields, batch));
  // If samples of one receipt share a key, the last sample is kept.
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

/** Ranks rows by how far a delivery was processed, so that a replay after a fix replaces the row of the failure. */
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
