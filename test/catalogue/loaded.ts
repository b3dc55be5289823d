import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryValue } from '@aorta/connectors';
import { partitionOf } from '@aorta/connectors';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { openLocalLog } from '@aorta/connectors/log';
import type { Logger } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { configurationSchema, type LoadOutcome, load } from 'aorta/internals';

/** A line of a delivery file. Its index in the list is the delivery's offset. */
export interface DeliveryLine {
  readonly headers: Readonly<Record<string, unknown>>;
  /** The body as the file contains it: JSON text, or any bytes. */
  readonly body: string | Buffer;
  /** Source of the delivery. The default is `hub`. */
  readonly source?: string;
}

export type Row = Readonly<Record<string, QueryValue>>;

/** The outcome of a load, with functions that read the tables with SQL and the streams from the log. */
export interface Loaded {
  readonly outcome: LoadOutcome;
  rows(table: string): Promise<readonly Row[]>;
  /** Returns the rows of a table by the offset of their delivery. */
  table(name: string): Promise<ReadonlyMap<number, readonly Row[]>>;
  /** Returns the records of a stream by the offset of their delivery. */
  stream<S extends StreamName>(name: S): Promise<ReadonlyMap<number, StreamRecords[S]>>;
}

const RECEIVED_AT = Date.UTC(2026, 0, 1);

/** Loads the lines as one delivery file into a new warehouse, as `aorta load` does. Returns the result of `look`. */
export function loaded<T>(lines: readonly DeliveryLine[], look: (loaded: Loaded) => Promise<T>, logger?: Logger): Promise<T> {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'deliveries.ndjson'), lines.map(lineOf).join(''));
    return loadedFrom(folder, 'deliveries.ndjson', look, logger);
  });
}

/** Like {@link loaded}, for existing files: `path` names a file or a folder. */
export function loadedFiles<T>(path: string, look: (loaded: Loaded) => Promise<T>): Promise<T> {
  return inFolder((folder) => loadedFrom(folder, path, look));
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-catalogue-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadedFrom<T>(folder: string, path: string, look: (loaded: Loaded) => Promise<T>, logger?: Logger): Promise<T> {
  const place = { streams: join(folder, 'streams'), warehouse: join(folder, 'health.duckdb') };
  const setting = { configuration: configurationSchema.parse({}), place };
  const outcome = await load({ setting, files: [path], folder, logger });
  const reader = await openDuckDbReader({ path: place.warehouse });
  const log = await openLocalLog({ folder: place.streams });
  const rows = (table: string) => rowsOf(reader, table);
  try {
    return await look({
      outcome,
      rows,
      table: async (name) => byOffset(await rows(name)),
      stream: async (name) => {
        const { records } = await log.read(partitionOf(name), 0, {
          records: log.end(partitionOf(name)),
          bytes: Number.POSITIVE_INFINITY,
        });
        return new Map(records.map((record) => [record.receipt.offset, record]));
      },
    });
  } finally {
    await log.close();
    await reader.close();
  }
}

/** Formats a delivery as a line of a delivery file. */
export function lineOf({ headers, body, source = 'hub' }: DeliveryLine, offset: number): string {
  const receivedAt = new Date(RECEIVED_AT + offset * 1000).toISOString();
  const bytes = typeof body === 'string' ? `"body":${body}` : `"body_base64":"${body.toString('base64')}"`;
  return `{"source":${JSON.stringify(source)},"partition":0,"offset":${offset},"received_at":"${receivedAt}","headers":${JSON.stringify(headers)},${bytes}}\n`;
}

async function rowsOf(reader: Awaited<ReturnType<typeof openDuckDbReader>>, table: string): Promise<Row[]> {
  const { columns, rows } = await reader.query(`select * from ${table}`);
  const list: Row[] = [];
  for await (const chunk of rows)
    for (const values of chunk) list.push(Object.fromEntries(columns.map(({ name }, index) => [name, values[index]!])));
  return list;
}

function byOffset(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const offset = Number(row._offset ?? row.source_offset);
    groups.set(offset, [...(groups.get(offset) ?? []), row]);
  }
  return groups;
}
