import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { openLocalLog } from '@aorta/connectors/log';
import { startLoader } from '@aorta/loading';
import { type StreamName, type StreamRecords, streamSchemas, type TableDeclaration, tables } from '@aorta/schemas';
import avsc from 'avsc';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { segmentOf, snappy } from '../../connectors/log/segment.fixture.ts';
import type { AvroRecord } from '../../schemas/streams/declaration.ts';
import { asReadBy, type Fields } from './as-read-by.ts';
import { acceptedBreaks } from './compatibility.ts';
import { frozenVersions } from './released.ts';
import { type Rows, records, rowsOf, withDatabase } from './warehouse.ts';

/** Tests that this version loads segments of released versions, and that released versions can read segments of this version. */

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'aorta-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Each released version twice: complete, and without the fields that have a default, which resembles the earliest version. */
const versions = frozenVersions().flatMap(({ stream, version, schema }) => [
  { stream: stream as StreamName, name: `v${version}`, schema, readsUs: acceptedBreaks[`${stream} v${version}`] === undefined },
  {
    stream: stream as StreamName,
    name: `v${version} without fields that have a default`,
    readsUs: true,
    // Also keeps `start_at`. Every version has this field, because a sample needs a start time.
    schema: {
      ...schema,
      fields: schema.fields.filter(({ name, default: fallback }) => fallback === undefined || name === 'start_at'),
    },
  },
]);

const segmentsOf = (folder: string, stream: StreamName): string[] =>
  readdirSync(join(folder, stream))
    .filter((name) => name.endsWith('.avro'))
    .sort();

async function append(folder: string, stream: StreamName, list: readonly Fields[]): Promise<void> {
  const log = await openLocalLog({ folder });
  for (const record of list) log.append(stream, record as unknown as StreamRecords[StreamName]);
  await log.flush();
  await log.close();
}

/** Writes a finished segment as a different version would write it, after the existing segments. */
function writeSegment(folder: string, stream: StreamName, first: number, schema: AvroRecord, list: readonly Fields[]): void {
  const type = avsc.Type.forSchema(schema as never, { wrapUnions: 'never' } as never);
  const encoded = list.map((record) => type.toBuffer(record));
  const path = join(folder, stream, `${String(first).padStart(20, '0')}.avro`);
  writeFileSync(path, segmentOf(stream, JSON.stringify(schema), encoded, first));
}

async function tablesOf(folder: string): Promise<Rows> {
  const path = `${folder}.duckdb`;
  const log = await openLocalLog({ folder });
  const warehouse = await openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
  });
  try {
    await startLoader({ log, warehouse }).finish();
  } finally {
    await warehouse.close();
    await log.close();
  }
  return withDatabase(path, rowsOf);
}

const tableOf = new Map<string, TableDeclaration>(tables.map((table) => [table.stream, table]));

test.each(versions.filter(({ stream }) => tableOf.has(stream)))(
  'a segment with the schema $stream $name in the middle of a stream gives the same rows as a segment of this version',
  async ({ stream, schema }) => {
    const present = streamSchemas[stream];
    const [before, older, after] = [records(stream, 0, 2), records(stream, 2, 3), records(stream, 5, 2)] as unknown as Fields[][];
    // If a breaking change was accepted, keeps only the records that the older version could have written.
    const type = avsc.Type.forSchema(schema as never, { wrapUnions: 'never' } as never);
    const written = older!.map((record) => asReadBy(schema, present, record)).filter((record) => type.isValid(record));
    expect(written.length).toBeGreaterThan(1);

    const mixed = join(place, 'mixed');
    await append(mixed, stream, before!);
    writeSegment(mixed, stream, 2, schema, written);
    await append(mixed, stream, after!);
    const names = segmentsOf(mixed, stream);
    const same = JSON.stringify(schema) === JSON.stringify(present);
    expect(names.map((name) => Number.parseInt(name, 10))).toEqual(same ? [0, 2] : [0, 2, 2 + written.length]);

    const plain = join(place, 'plain');
    await append(plain, stream, [...before!, ...written.map((record) => asReadBy(present, schema, record)), ...after!]);
    const rows = await tablesOf(mixed);
    const all = 4 + written.length;
    expect(rows.deliveries).toHaveLength(tableOf.get(stream)!.shape === 'fetched' ? 0 : all);
    expect(rows).toEqual(await tablesOf(plain));
  },
);

test.each(versions.filter(({ readsUs }) => readsUs))(
  'a reader with the schema $stream $name can read a segment of this version',
  async ({ stream, schema }) => {
    const present = streamSchemas[stream];
    const list = records(stream, 0, 4) as unknown as Fields[];
    const folder = join(place, 'streams');
    await append(folder, stream, list);
    const decoder = avsc.createFileDecoder(join(folder, stream, segmentsOf(folder, stream)[0]!), {
      codecs: { snappy },
      readerSchema: avsc.Type.forSchema(schema as never, { wrapUnions: 'never' } as never),
      // The type of the writer's schema needs the same options.
      parseHook: (writer: avsc.Schema) => avsc.Type.forSchema(writer, { wrapUnions: 'never' } as never),
    } as never);
    const read: unknown[] = [];
    for await (const record of decoder) read.push(record);
    expect(read).toEqual(list.map((record) => asReadBy(schema, present, record)));
  },
);
