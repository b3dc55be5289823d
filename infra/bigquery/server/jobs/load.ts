import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Holding } from '../holding.ts';
import { checkedRows } from '../rows/checked-rows.ts';
import { type ErrorProto, invalid, notFound, ServiceError } from '../service-error.ts';
import type { Field } from '../tables/field.ts';
import { schemaChange } from '../tables/schema-change.ts';
import type { TableName } from '../tables/table-name.ts';
import { keyOf } from '../tables/tables.ts';
import { errorOf, type Json } from '../upstream.ts';
import type { Job } from './job.ts';

/**
 * Loads data into a table and fills in the job's results. If the load fails, no row is loaded, and the call rejects with {@link
 * ServiceError}.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one load job from end to end, checked in BigQuery's order
export async function runLoad(holding: Holding, job: Job, data: Buffer): Promise<void> {
  const { tables, clock, quotas } = holding;
  const load = job.configuration.load as Json;
  const name = destinationOf(load.destinationTable);
  quotas.loadOfTable(keyOf(name), clock.now);
  quotas.metadataUpdate(keyOf(name), clock.now, true);
  holding.datasets.get(name.dataset, job.location);
  const wanted: readonly Field[] | undefined = load.schema?.fields;
  const before = tables.kept(name);
  if (before === undefined && load.createDisposition === 'CREATE_NEVER') throw notFound(`Table ${tables.full(name)}`);
  const fields = before === undefined ? wanted : allowedFields(tables.full(name), before.schema?.fields ?? [], load);
  if (load.writeDisposition === 'WRITE_EMPTY' && before !== undefined && (await tables.sizes.of(name, before)).rows > 0)
    throw new ServiceError('duplicate', `Already Exists: Table ${tables.full(name)}`);
  const json = load.sourceFormat === 'NEWLINE_DELIMITED_JSON';
  const checked = json && fields !== undefined ? checkedRows(data, fields, load.ignoreUnknownValues === true) : undefined;
  job.errors = checked?.errors ?? [];
  if (checked !== undefined && checked.bad > Number(load.maxBadRecords ?? 0)) throw new BadRows(checked.bad, checked.errors);
  // From here on, only the emulator can refuse the load. If it does, a table created for the load is deleted again.
  if (before === undefined && fields !== undefined) await tables.insert(name.dataset, ofLoad(load, name, fields));
  try {
    if (before !== undefined && wanted !== undefined) await tables.changeSchema(name, wanted, true);
    const rows = await put(holding, job, checked?.data ?? data);
    const kept = tables.kept(name);
    if (checked !== undefined && load.writeDisposition !== 'WRITE_TRUNCATE')
      tables.sizes.loaded(name, kept, checked.rows, checked.data.length);
    else tables.sizes.changed(name);
    job.statistics = {
      load: {
        inputFiles: '1',
        inputFileBytes: String(data.length),
        outputRows: String(checked?.rows ?? rows),
        outputBytes: String(checked?.data.length ?? data.length),
        badRecords: String(checked?.bad ?? 0),
      },
    };
  } catch (error) {
    if (before === undefined && tables.kept(name) !== undefined) await tables.delete(name);
    throw error;
  }
}

/** The error for a load with more bad rows than the load allows. */
export class BadRows extends ServiceError {
  readonly details: readonly ErrorProto[];

  constructor(bad: number, details: readonly ErrorProto[]) {
    super(
      'invalid',
      `Error while reading data, error message: JSON table encountered too many errors, giving up. Rows: ${bad}; errors: ${bad}. Please look into the errors[] collection for more details.`,
    );
    this.details = details;
  }
}

function destinationOf(reference: Json): TableName {
  const { datasetId: dataset, tableId: table } = reference ?? {};
  if (typeof dataset !== 'string' || typeof table !== 'string') throw invalid('Required parameter is missing: destinationTable');
  if (table.includes('$')) throw new ServiceError('notImplemented', 'The local server does not support partition decorators.');
  return { dataset, table };
}

/** Returns the columns that rows may have: the table's columns, and the load's new columns if its options allow them. */
function allowedFields(table: string, is: readonly Field[], load: Json): readonly Field[] {
  const { schema, schemaUpdateOptions: options = [], writeDisposition } = load;
  if (schema?.fields === undefined) return is;
  if (options.length > 0 && writeDisposition === 'WRITE_EMPTY')
    throw invalid(
      'Schema update options should only be specified with WRITE_APPEND disposition, or with WRITE_TRUNCATE disposition on a table partition.',
    );
  const { fields, added, relaxed } = schemaChange(table, is, schema.fields, true);
  if (added.length > 0 && !options.includes('ALLOW_FIELD_ADDITION'))
    throw invalid(`Provided Schema does not match Table ${table}. Cannot add fields (field: ${added[0]})`);
  if (relaxed.length > 0 && !options.includes('ALLOW_FIELD_RELAXATION'))
    throw invalid(
      `Provided Schema does not match Table ${table}. Field ${relaxed[0]} has changed mode from REQUIRED to NULLABLE`,
    );
  return fields;
}

/** Returns the resource of a table that a load creates. */
function ofLoad(load: Json, { dataset, table }: TableName, fields: readonly Field[]): Json {
  const { timePartitioning, clustering, destinationTableProperties = {} } = load;
  const { friendlyName, description, labels } = destinationTableProperties;
  const tableReference = { datasetId: dataset, tableId: table };
  return { tableReference, schema: { fields }, timePartitioning, clustering, friendlyName, description, labels };
}

/** Writes the data to a file and has the emulator load the file. Resolves with the number of loaded rows. */
async function put({ upstream, tables, place }: Holding, job: Job, data: Buffer): Promise<number> {
  await using written = new AsyncDisposableStack();
  const file = written.adopt(join(place, `${job.id}.data`), (one) => rm(one, { force: true }));
  await writeFile(file, data, { mode: 0o600 });
  const load = { ...job.configuration.load, sourceUris: [`file://${file}`] };
  const jobReference = { jobId: job.id };
  const answer = await upstream.ask('POST', '/jobs', { jobReference, configuration: { load } });
  const error: ErrorProto | undefined = answer.status >= 300 ? errorOf(answer) : answer.body.status?.errorResult;
  if (error !== undefined) throw new ServiceError('invalid', error.message.replaceAll(file, 'the data'));
  const name = destinationOf(load.destinationTable);
  if (tables.kept(name) === undefined) await tables.adopt(name);
  return Number(answer.body.statistics?.load?.outputRows ?? 0);
}
