import type { Column, StreamRecords, TableDeclaration, TimeseriesStream } from '@aorta/schemas';
import { FIRST_DAY, LAST_DAY, partitionDay, SampleDays } from '../sample-days.ts';
import type { LandingBatch } from '../warehouse.ts';
import { layOut } from './batch-constants.ts';
import { eventsView, insertBatch, type LandedBatch, rowsTable, samplesTable, setPosition } from './batches.ts';
import { appendRows, SampleWriter } from './chunk-writer.ts';
import type { Database } from './database.ts';
import { type LandedRow, landedEventColumns, plainRow, sampleColumns, sampleTexts, timeseriesRows } from './landed-row.ts';

export interface LandingSettings {
  readonly recentDays: number;
  readonly order: 'updated_at' | 'received';
}

const bare = (name: string): string => name.slice('landed.'.length);

/** A span of samples that is in the order of the events, ready to be written. */
interface SampleSpan {
  readonly no: number;
  readonly record: StreamRecords[TimeseriesStream];
  readonly rowOfSample: Uint32Array | undefined;
}

/**
 * Writes a batch into tables of its own and the bookkeeping, all in the transaction that the caller has opened: rows of
 * events, and beside them the samples as numbers. `table` is the stream's, with its landed columns; undefined where it has none.
 */
export async function landBatch(
  database: Database,
  batch: LandingBatch,
  table: TableDeclaration | undefined,
  id: number,
  firstNo: number,
  settings: LandingSettings,
  now: number,
): Promise<LandedBatch> {
  const rows: LandedRow[] = [];
  const spans: SampleSpan[] = [];
  const sampleDays = new SampleDays();
  const receivedDays = new Set<number>();
  const texts = table?.shape === 'timeseries' ? sampleTexts(table) : [];

  for (const record of batch.records) {
    receivedDays.add(partitionDay(record.receipt.received_at));
    const no = firstNo + rows.length;
    if (!('start_at' in record)) {
      rows.push(plainRow(record, no));
      continue;
    }
    const event = timeseriesRows(record, texts, no);
    rows.push(...event.rows);
    spans.push({ no, record, rowOfSample: event.rowOfSample });
    // Of an event that is split no row spans all samples.
    const [row] = event.rows;
    if (event.rows.length === 1) sampleDays.add(record.start_at, row!.firstAt, row!.lastAt);
    else for (const start of record.start_at) sampleDays.add([start], start, start);
  }

  const received = [...receivedDays].sort((a, b) => a - b);
  const { recent, old } = sampleDays.split(received.at(-1) ?? FIRST_DAY, settings.recentDays);
  const varying = table?.shape === 'timeseries' ? varyingColumns(table, spans) : [];
  const landed: LandedBatch = {
    id,
    stream: batch.stream,
    partition: batch.partition ?? 0,
    incarnation: batch.incarnation,
    first: batch.from,
    last: batch.to,
    records: batch.records.length,
    landedAt: now,
    nextNo: firstNo + rows.length,
    receivedDays: received,
    recentDays: recent.days,
    recentRows: table?.shape === 'timeseries' ? recent.rows : rows.length,
    recentMerged: false,
    oldDays: old.days,
    oldRows: old.rows,
    oldMerged: old.rows === 0,
    sampleColumns: varying.map(({ name }) => name),
  };

  const columns = landedEventColumns(batch.stream, table, settings.order);
  const { written, selected } = layOut(columns, rows);
  const definitions = written.map(({ name, type }) => `${name} ${type}`);
  await database.run('landing', `create table ${rowsTable(landed)} (${definitions.join(', ')})`);
  await database.run('landing', `create view ${eventsView(landed)} as select ${selected.join(', ')} from ${rowsTable(landed)}`);
  const events = await database.connection.createAppender(bare(rowsTable(landed)), 'landed');
  appendRows(events, written, rows.length);
  events.closeSync();

  if (table?.shape === 'timeseries') {
    const numbers = ['no uinteger', ...varying.map(({ name }) => `${name} double`)];
    await database.run('landing', `create table ${samplesTable(landed)} (${numbers.join(', ')})`);
    const appender = await database.connection.createAppender(bare(samplesTable(landed)), 'landed');
    const writer = new SampleWriter(appender, varying);
    for (const { no, record, rowOfSample } of spans) {
      const values = varying.map(({ name }) => (record as unknown as Record<string, (number | null)[]>)[name]!);
      writer.add(no, record.start_at.length, values, rowOfSample);
    }
    writer.flush();
    appender.closeSync();
  }
  await database.run('landing', insertBatch(landed));
  for (const statement of setPosition(landed)) await database.run('landing', statement);
  return landed;
}

/** Numeric columns that differ between the samples of some event; a column that does not is landed once an event. */
function varyingColumns(table: TableDeclaration, spans: readonly SampleSpan[]): Column[] {
  return sampleColumns(table).filter(
    ({ name }) =>
      name === 'start_at' || spans.some(({ record }) => (record as unknown as Record<string, unknown[]>)[name]!.length > 1),
  );
}

/** The days that bound a range of dates; the clamped partitions at the ends hold everything beyond. */
export function bounds(days: readonly number[]): { from: number; to: number } {
  const from = Math.min(...days);
  const to = Math.max(...days);
  return { from: from === FIRST_DAY ? -1_000_000 : from, to: to === LAST_DAY ? 1_000_000 : to };
}
