import { tables as declared, deliveries, type StreamName, type TableDeclaration } from '@aorta/schemas';
import { landedTable, privacyOptions } from '../../privacy.ts';
import { landedTableName, landingSchema } from './landing.ts';
import type { MergeBatch } from './merge.ts';
import type { Dataset } from './types.ts';

export const dataset: Dataset = { project: 'my-project', dataset: 'health' };

export const tables: readonly TableDeclaration[] = declared.map((table) => landedTable(table, privacyOptions.parse({})));

export const tableOf = (stream: StreamName): TableDeclaration | undefined => tables.find((table) => table.stream === stream);

export const named = (name: string): TableDeclaration =>
  name === 'deliveries' ? deliveries : tables.find((table) => table.name === name)!;

/** Builds a landed batch of a stream. It lacks the columns in `without`, as if an older version of Aorta had landed it. */
export function landed(stream: StreamName, from: number, days: readonly number[], without: readonly string[] = []): MergeBatch {
  const { fields, revision } = landingSchema(stream, tableOf(stream), 'updated_at');
  const left = fields
    .filter(({ name }) => !without.includes(name))
    .map((field) =>
      field.fields === undefined
        ? field
        : { ...field, fields: field.fields.filter(({ name }) => !without.includes(`${field.name}.${name}`)) },
    );
  const key = { stream, partition: 3, incarnation: 'i', from, to: from + 100, revision, attempt: 1 };
  return { table: landedTableName(key), stream, fields: left, days };
}
