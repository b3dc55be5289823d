import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryValue } from '@aorta/connectors';
import { partitionOf } from '@aorta/connectors';
import { openLocalLog } from '@aorta/connectors/streams/local';
import { openDuckDbReader } from '@aorta/connectors/warehouses/duckdb/module';
import type { Logger } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { configurationSchema, type LoadOutcome, load } from 'aorta/internals';

/** Deliveries as a file has them, one a line; the place in the list is the offset. */
export interface DeliveryLine {
  readonly headers: Readonly<Record<string, unknown>>;
  /** The JSON text of the body, as it shall stand in the file; or its bytes, which then need not be JSON. */
  readonly body: string | Buffer;
}

export type Row = Readonly<Record<string, QueryValue>>;

/** What a load has left behind, read back from outside: tables by SQL, streams by the log. */
export interface Loaded {
  readonly outcome: LoadOutcome;
  rows(table: string): Promise<readonly Row[]>;
  /** Rows of a table by the offset of the delivery that they come from. */
  table(name: string): Promise<ReadonlyMap<number, readonly Row[]>>;
  /** Records of a stream by the offset of their delivery. */
  stream<S extends StreamName>(name: S): Promise<ReadonlyMap<number, StreamRecords[S]>>;
}

const RECEIVED_AT = Date.UTC(2026, 0, 1);

/**
 * Loads the lines as one delivery file into a warehouse of their own, by the same function as `aorta load`, and hands
 * what came of it to `look`, whose answer it returns.
 */
export function loaded<T>(lines: readonly DeliveryLine[], look: (loaded: Loaded) => Promise<T>, logger?: Logger): Promise<T> {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'deliveries.ndjson'), lines.map(lineOf).join(''));
    return loadedFrom(folder, 'deliveries.ndjson', look, logger);
  });
}

/** As {@link loaded}, for files that are there: a path of files or folders. */
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
  const outcome = await load({ setting, files: [path], folder, ...(logger === undefined ? {} : { logger }) });
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

/** A delivery as a line of its file. */
export function lineOf({ headers, body }: DeliveryLine, offset: number): string {
  const receivedAt = new Date(RECEIVED_AT + offset * 1000).toISOString();
  const bytes = typeof body === 'string' ? `"body":${body}` : `"body_base64":"${body.toString('base64')}"`;
  return `{"source":"hub","partition":0,"offset":${offset},"received_at":"${receivedAt}","headers":${JSON.stringify(headers)},${bytes}}\n`;
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
