import type { ProvidedBigQuery } from '@aorta/bigquery-server';
import { privacyOptions, type Warehouse } from '@aorta/connectors';
import { bigQueryOptions } from '@aorta/connectors/bigquery';
import { type BigQueryWarehouseOptions, openBigQueryReader, openBigQueryWarehouse } from '@aorta/connectors/bigquery/module';
import { isAortaError } from '@aorta/runtime';
import { parseInstant, readEvent, type StreamRecords, tables } from '@aorta/schemas';

/** The tests need only the tables `body` and `deliveries`, because all streams are landed and merged the same way. */
const declared = tables.filter(({ name }) => name === 'body');

/** The tables of an older version of Aorta, without a newer column. The next process that opens the dataset adds the column. */
export const older = declared.map((table) => ({
  ...table,
  columns: table.columns.filter(({ name }) => name !== 'waist_circumference_cm'),
}));

/** Retry settings for tests, with pauses of at most a tenth of a second. */
export const patience = { forMs: 60_000, pauseMs: 10, mostMs: 100, limitMs: 20 };

export interface Where {
  /** Undefined for the real service, for which the default retry settings apply. */
  readonly apiEndpoint: string | undefined;
  readonly project: string;
  readonly dataset: string;
  /** Location of the dataset. Default: the location of the local server. */
  readonly location?: string | undefined;
}

export function openAt(where: Where, options: Partial<BigQueryWarehouseOptions> = {}): Promise<Warehouse> {
  return openBigQueryWarehouse({ ...settingsOf(where), ...options });
}

/** Returns the settings for a dataset. With these settings, landing and merging are always due immediately. */
export function settingsOf({ apiEndpoint, project, dataset, location }: Where) {
  const real = apiEndpoint === undefined;
  return {
    ...bigQueryOptions.parse({
      type: 'bigquery',
      project,
      dataset,
      ...(real ? {} : { api_endpoint: apiEndpoint, call_s: 3 }),
      location,
      merge_every_s: 0,
      land_every_s: 0,
    }),
    privacy: privacyOptions.parse({}),
    tables: declared,
    patience: real ? {} : patience,
  };
}

/** Returns the id of the record at an offset of a partition. */
export const idOf = (offset: number, partition = 0): string => `id-${partition === 0 ? '' : `${partition}-`}${offset}`;

/** Returns the body measurement from the delivery at this offset. Older versions of the table have no column for the waist. */
function body(offset: number, partition: number): StreamRecords['body'] {
  const type = 'daily.data.body.created';
  const data = {
    id: idOf(offset, partition),
    user_id: 'u',
    calendar_date: '2026-11-20',
    date: '2026-11-20T00:00:00Z',
    weight: offset,
    waist_circumference_centimeter: offset + 0.5,
    source: { provider: 'withings', type: 'scale' },
  };
  const receipt = {
    source: 's',
    partition: String(partition),
    offset,
    received_at: parseInstant('2026-11-20T10:00:00Z') + offset,
    delivery_id: null,
    header_facts: 3,
    body_bytes: 10,
    body_crc32: 0,
    arrived_at: null,
  };
  const reading = readEvent('body', type, { event_type: type, user_id: 'u', team_id: 't', data }, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record as StreamRecords['body'];
}

export const BATCH = 3;

/** Lands batches of a partition of the `body` stream, until the warehouse has landed `batches` batches. */
export async function landUpTo(warehouse: Warehouse, batches: number, incarnation = 'i', partition = 0): Promise<void> {
  for (;;) {
    const landed = warehouse.landed({ stream: 'body', partition });
    const from = landed?.incarnation === incarnation ? landed.position : 0;
    if (from >= batches * BATCH) return;
    const records = Array.from({ length: BATCH }, (_, index) => body(from + index, partition));
    await warehouse.land({ stream: 'body', partition, incarnation, from, to: from + BATCH, records });
  }
}

/** Lands batches like {@link landUpTo}, and then merges all batches. */
export async function carryOn(warehouse: Warehouse, batches: number): Promise<void> {
  await landUpTo(warehouse, batches);
  await warehouse.merge('all');
}

/** Opens the warehouse and calls {@link carryOn}. Returns `done`, or the code of the error. */
export async function attempt(where: Where, batches: number, options: Partial<BigQueryWarehouseOptions> = {}): Promise<string> {
  try {
    const warehouse = await openAt(where, options);
    try {
      await carryOn(warehouse, batches);
      return 'done';
    } finally {
      await warehouse.close().catch(() => {});
    }
  } catch (error) {
    if (isAortaError(error)) return error.code;
    throw error;
  }
}

/** Returns the ids in the table `body`, and the number of deliveries. */
export async function heldAt(where: Where): Promise<{ readonly ids: readonly string[]; readonly deliveries: number }> {
  const held = await rowsAt(where, 'SELECT id FROM body ORDER BY weight_kg');
  const [[count]] = (await rowsAt(where, 'SELECT COUNT(*) FROM deliveries')) as [[unknown]];
  return { ids: held.map(([id]) => String(id)), deliveries: Number(count) };
}

export async function rowsAt(where: Where, query: string): Promise<(readonly unknown[])[]> {
  const reader = await openBigQueryReader({ ...settingsOf(where), declared });
  try {
    const all: (readonly unknown[])[] = [];
    for await (const some of (await reader.query(query)).rows) all.push(...some);
    return all;
  } finally {
    await reader.close();
  }
}

export function wanted(batches: number) {
  return { ids: Array.from({ length: batches * BATCH }, (_, index) => idOf(index)), deliveries: batches * BATCH };
}

let made = 0;

export async function newDataset(provided: ProvidedBigQuery, metadata = {}): Promise<Where> {
  const { apiEndpoint, project, location } = provided;
  const dataset = `faults_${process.pid}_${++made}`;
  await provided.client().createDataset(dataset, { location, ...metadata });
  return { apiEndpoint, project, dataset, location };
}
