import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tables as declared, type PrivacyClass, readEvent, type StreamName, type TableDeclaration } from '@aorta/schemas';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Privacy } from '../privacy.ts';
import type { LandingBatch } from '../warehouse.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';
import { publishedPath } from './published-copy.ts';

/**
 * Stores a recognizable value in a field of every privacy class. Then searches for it in every table by SQL, and in the bytes of
 * the files.
 */

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Columns that the tests move to other privacy classes, because not every table has columns of every class. */
const reclassed: Readonly<Record<string, Readonly<Record<string, PrivacyClass>>>> = {
  activity: {
    source_app_id: 'identifier',
    source_name: 'free_text',
    source_device_id: 'location',
    source_logo: 'secret',
  },
  timeseries: { source_app_id: 'identifier', source_name: 'free_text', source_device_id: 'location' },
  blood_pressure: { grouping: 'location', sample_id: 'location' },
};
const tables: readonly TableDeclaration[] = declared.map((table) => ({
  ...table,
  columns: table.columns.map((column) => ({ ...column, class: reclassed[table.name]?.[column.name] ?? column.class })),
}));

const source = { provider: 'planted-key', app_id: 'planted-identifier', name: 'planted-free-text', logo: 'planted-secret' };
const events: Readonly<Partial<Record<StreamName, readonly [string, object]>>> = {
  activity: [
    'daily.data.activity.created',
    { id: 'a', source: { ...source, device_id: 'planted-location' }, more: 'planted-extra-by-a-secret' },
  ],
  timeseries: [
    'daily.data.heartrate.created',
    {
      source: { ...source, logo: null, device_id: 'planted-location' },
      data: [
        { timestamp: '2026-03-28T12:00:00Z', unit: 'bpm', value: 60, more: 'planted-sample-extra' },
        { timestamp: '2026-03-28T12:01:00Z', unit: 'bpm', value: 61 },
      ],
      more: 'planted-event-extra',
    },
  ],
  blood_pressure: [
    'daily.data.blood_pressure.created',
    {
      source: { provider: 'planted-key' },
      data: [
        { timestamp: '2026-03-28T12:00:00Z', systolic: 120, id: 5_251_627, grouping: { at: 'planted-place-of-a-sample' } },
        { timestamp: '2026-03-28T12:01:00Z', systolic: 121, id: 1_337_773, grouping: { at: 'planted-place-of-another' } },
      ],
    },
  ],
  connections: [
    'provider.connection.error',
    {
      provider: { slug: 'planted-key' },
      external_user_id: 'planted-identifier',
      message: 'planted-free-text',
      more: 'planted-connection-extra',
    },
  ],
};

function batchOf(stream: StreamName, from: number): LandingBatch {
  const [type, data] = events[stream]!;
  const receipt = {
    source: 's',
    partition: '0',
    offset: from,
    received_at: Date.UTC(2026, 2, 28, 13) * 1000,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 1,
    body_crc32: 1,
    arrived_at: null,
  };
  const reading = readEvent(stream as 'activity', type, { user_id: 'u', data }, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return { stream, incarnation: 'i', from, to: from + 1, records: [reading.record] };
}

/** Whether any file of the warehouse contains the bytes of a text, or of a number as a double. */
function inBytes(planted: string): boolean {
  if (Number.isNaN(Number(planted))) return spawnSync('grep', ['-rqa', planted, folder]).status === 0;
  const double = Buffer.alloc(8);
  double.writeDoubleLE(Number(planted));
  return readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(double));
}

/** Returns all rows of all schemas and views of a database as one text. */
async function everything(file: string): Promise<string> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const raw = await instance.connect();
  try {
    const relations = await raw.runAndReadAll(
      `select schema_name || '.' || table_name from duckdb_tables()
       union all select schema_name || '.' || view_name from duckdb_views() where not internal`,
    );
    let text = '';
    for (const [name] of relations.getRows()) {
      text += JSON.stringify((await raw.runAndReadAll(`select to_json(t)::varchar from ${name} t`)).getRows());
    }
    return text;
  } finally {
    raw.closeSync();
    instance.closeSync();
  }
}

/** Whether a recognizable value may be stored under a privacy setting. */
const allowed: Readonly<Record<string, (privacy: Privacy) => boolean>> = {
  'planted-key': () => true,
  'planted-identifier': ({ identifiers }) => identifiers,
  'planted-free-text': ({ free_text }) => free_text,
  'planted-location': ({ location }) => location,
  'planted-place-of-a-sample': ({ location }) => location,
  'planted-place-of-another': ({ location }) => location,
  '5251627': ({ location }) => location,
  'planted-secret': () => false,
  'planted-extra-by-a-secret': () => false,
  'planted-event-extra': ({ identifiers, free_text, location }) => identifiers && free_text && location,
  'planted-sample-extra': ({ identifiers, free_text, location }) => identifiers && free_text && location,
  'planted-connection-extra': ({ identifiers, free_text }) => identifiers && free_text,
};

const every: readonly Privacy[] = [true, false].flatMap((identifiers) =>
  [true, false].flatMap((free_text) =>
    [true, false].map((location) => ({ identifiers, patients: !identifiers, free_text, location })),
  ),
);

describe.each(every)('privacy with identifiers $identifiers, free text $free_text, location $location', (privacy) => {
  const open = () => openDuckDbWarehouse({ ...duckDbOptions.parse({ type: 'duckdb', path }), privacy, tables });

  test('only allowed values are landed, merged, shown by views and published', async () => {
    const warehouse = await open();
    for (const stream of Object.keys(events) as StreamName[]) await warehouse.land(batchOf(stream, 0));
    for (const [planted, may] of Object.entries(allowed)) expect(inBytes(planted), `${planted}, landed`).toBe(may(privacy));
    await warehouse.merge('all');
    await warehouse.publish('now');
    await warehouse.close();
    for (const file of [path, publishedPath(path)]) {
      const text = await everything(file);
      for (const [planted, may] of Object.entries(allowed))
        expect(text.includes(planted), `${planted}, ${file}`).toBe(may(privacy));
    }
    for (const [planted, may] of Object.entries(allowed)) {
      // Allowed values may be compressed, so only the absence of the other values is checked.
      if (!may(privacy)) expect(inBytes(planted), `${planted}, in the files`).toBe(false);
    }
  });

  test('every declared table and view can be created and read', async () => {
    const warehouse = await openDuckDbWarehouse({ ...duckDbOptions.parse({ type: 'duckdb', path }), privacy });
    await warehouse.publish('now');
    await warehouse.close();
    const reader = await openDuckDbReader({ path });
    try {
      const { rows } = await reader.query("select table_name from information_schema.tables where table_schema = 'main'");
      for await (const chunk of rows) {
        for (const [name] of chunk) {
          await reader.query(`select * from ${name}`).catch(() => expect.fail(`${name} cannot be read`));
        }
      }
    } finally {
      await reader.close();
    }
  });
});
