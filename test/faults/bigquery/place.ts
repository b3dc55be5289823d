import type { ProvidedBigQuery } from '@aorta/bigquery-server';
import { parseInstant, readEvent, type StreamRecords, tables } from '@aorta/schemas';
import { bigQueryOptions, privacyOptions, type Warehouse } from '@aorta/warehouse';
import { type BigQueryWarehouseOptions, openBigQueryReader, openBigQueryWarehouse } from '@aorta/warehouse/bigquery';

/** Two tables are enough: every stream lands and merges the same way. */
const declared = tables.filter(({ name }) => name === 'body');

/** How a test waits: for what the service may do better, tenths of seconds; for an answer, a second. */
export const patience = { forMs: 60_000, pauseMs: 10, mostMs: 100, limitMs: 20 };

export interface Where {
  readonly apiEndpoint: string;
  readonly project: string;
  readonly dataset: string;
}

/** The warehouse of a dataset, as a process opens it. */
export function openAt(
  { apiEndpoint, project, dataset }: Where,
  options: Partial<BigQueryWarehouseOptions> = {},
): Promise<Warehouse> {
  return openBigQueryWarehouse({ ...settingsOf({ apiEndpoint, project, dataset }), ...options });
}

function settingsOf({ apiEndpoint, project, dataset }: Where) {
  return {
    ...bigQueryOptions.parse({
      type: 'bigquery',
      project,
      dataset,
      api_endpoint: apiEndpoint,
      merge_every_s: 0,
      land_every_s: 0,
      call_s: 3,
    }),
    privacy: privacyOptions.parse({}),
    tables: declared,
    patience,
  };
}

/** A record: the body measurement of this id, of this weight, in the delivery at this offset. */
function body(offset: number): StreamRecords['body'] {
  const type = 'daily.data.body.created';
  const data = {
    id: `id-${offset}`,
    user_id: 'u',
    calendar_date: '2026-11-20',
    date: '2026-11-20T00:00:00Z',
    weight: offset,
    source: { provider: 'withings', type: 'scale' },
  };
  const receipt = {
    source: 's',
    partition: '0',
    offset,
    received_at: parseInstant('2026-11-20T10:00:00Z') + offset,
    delivery_id: null,
    header_facts: 3,
    body_bytes: 10,
    body_crc32: 0,
  };
  const reading = readEvent('body', type, { event_type: type, user_id: 'u', team_id: 't', data }, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record as StreamRecords['body'];
}

const BATCH = 3;

/** Lands batches from where the warehouse stands until this many are landed, and merges; as a job does it again and again. */
export async function carryOn(warehouse: Warehouse, batches: number): Promise<void> {
  for (;;) {
    const from = warehouse.landed({ stream: 'body', partition: 0 })?.position ?? 0;
    if (from >= batches * BATCH) break;
    const records = Array.from({ length: BATCH }, (_, index) => body(from + index));
    await warehouse.land({ stream: 'body', incarnation: 'i', from, to: from + BATCH, records });
  }
  await warehouse.merge('all');
}

/** What the table holds, and what it has to hold after so many batches. */
export async function heldAt(where: Where): Promise<{ readonly ids: readonly string[]; readonly deliveries: number }> {
  const reader = await openBigQueryReader({ ...settingsOf(where), declared });
  try {
    const all: (readonly unknown[])[] = [];
    for await (const some of (await reader.query('SELECT id FROM body ORDER BY weight_kg')).rows) all.push(...some);
    const counted: (readonly unknown[])[] = [];
    for await (const some of (await reader.query('SELECT COUNT(*) FROM deliveries')).rows) counted.push(...some);
    return { ids: all.map(([id]) => String(id)), deliveries: Number(counted[0]![0]) };
  } finally {
    await reader.close();
  }
}

export function wanted(batches: number) {
  return { ids: Array.from({ length: batches * BATCH }, (_, index) => `id-${index}`), deliveries: batches * BATCH };
}

let made = 0;

/** A new dataset. */
export async function newDataset(provided: ProvidedBigQuery): Promise<Where> {
  const dataset = `faults_${process.pid}_${++made}`;
  await provided.client().createDataset(dataset);
  return { apiEndpoint: provided.apiEndpoint!, project: provided.project, dataset };
}
