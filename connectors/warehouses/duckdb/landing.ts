import type { Column, StreamRecords, SummaryOrder, TableDeclaration, TimeseriesStream } from '@aorta/schemas';
import type { BatchStart, LandingBatch } from '../../warehouse.ts';
import { FIRST_DAY, partitionDay, SampleDays } from '../merging/sample-days.ts';
import { BatchLayout } from './batch-constants.ts';
import { eventsView, insertBatch, type LandedBatch, rowsTable, samplesTable, setPosition } from './batches.ts';
import { appendRows, SampleWriter } from './chunk-writer.ts';
import type { Database } from './database.ts';
import { landedEventColumns, sampleColumns, sampleTexts } from './landed-columns.ts';
import { type LandedRow, plainRow, timeseriesRows } from './landed-row.ts';

export interface LandingSettings {
  readonly recentDays: number;
  readonly order: SummaryOrder;
}

const bare = (name: string): string => name.slice('landed.'.length);

interface SampleSpan {
  readonly no: number;
  readonly record: StreamRecords[TimeseriesStream];
  readonly rowOfSample: Uint32Array | undefined;
}

/**
 * Builds a batch while its records arrive. Converts each record to rows immediately and keeps only records with samples. If it
 * kept all of them, tens of thousands of records in memory would slow down every garbage collection.
 */
export class GatheredBatch {
  readonly #start: BatchStart;
  readonly #table: TableDeclaration | undefined;
  readonly #settings: LandingSettings;
  readonly #layout: BatchLayout;
  readonly #texts: readonly Column[];
  readonly #spans: SampleSpan[] = [];
  readonly #sampleDays = new SampleDays();
  readonly #receivedDays = new Set<number>();
  #records = 0;
  /** Number of the first row among the stream's landed rows. */
  readonly firstNo: number;

  /** `table` is the stream's table with its landed columns; undefined if the stream has no table. */
  constructor(start: BatchStart, table: TableDeclaration | undefined, firstNo: number, settings: LandingSettings) {
    this.#start = start;
    this.#table = table;
    this.#settings = settings;
    this.firstNo = firstNo;
    this.#layout = new BatchLayout(landedEventColumns(start.stream, table, settings.order));
    this.#texts = table?.shape === 'timeseries' ? sampleTexts(table) : [];
  }

  /** An arrow function, so that it can be passed to the loader directly. */
  readonly add = (records: LandingBatch['records']): void => {
    const rows: LandedRow[] = [];
    for (const record of records) {
      this.#receivedDays.add(partitionDay(record.receipt.received_at));
      const no = this.firstNo + this.#layout.count + rows.length;
      if ('start_at' in record) rows.push(...this.#timeseriesRows(record, no));
      else rows.push(plainRow(record, no));
    }
    this.#records += records.length;
    this.#layout.add(rows);
  };

  #timeseriesRows(record: StreamRecords[TimeseriesStream], no: number): readonly LandedRow[] {
    const { rows, rowOfSample } = timeseriesRows(record, this.#texts, no);
    this.#spans.push({ no, record, rowOfSample });
    // Each row of a split event covers only some of its samples, so their days are added one by one.
    if (rows.length === 1) this.#sampleDays.add(record.start_at, rows[0]!.firstAt, rows[0]!.lastAt);
    else for (const start of record.start_at) this.#sampleDays.add([start], start, start);
    return rows;
  }

  /** Writes events, samples and control tables within the caller's transaction. The batch ends before position `to`. */
  async write(database: Database, id: number, to: number, now: number): Promise<LandedBatch> {
    const { stream, partition = 0, incarnation, from } = this.#start;
    const timeseries = this.#table?.shape === 'timeseries' ? this.#table : undefined;
    const received = [...this.#receivedDays].sort((a, b) => a - b);
    const { recent, old } = this.#sampleDays.split(received.at(-1) ?? FIRST_DAY, this.#settings.recentDays);
    const varying = timeseries === undefined ? [] : varyingColumns(timeseries, this.#spans);
    const rows = this.#layout.count;
    const landed: LandedBatch = {
      id,
      stream,
      partition,
      incarnation,
      first: from,
      last: to,
      records: this.#records,
      landedAt: now,
      nextNo: this.firstNo + rows,
      receivedDays: received,
      recentDays: recent.days,
      recentRows: timeseries === undefined ? rows : recent.rows,
      recentMerged: false,
      oldDays: old.days,
      oldRows: old.rows,
      oldMerged: old.rows === 0,
      sampleColumns: varying.map(({ name }) => name),
    };

    const { written, selected } = this.#layout.finish();
    const definitions = written.map(({ name, type }) => `${name} ${type}`);
    await database.run('landing', `create table ${rowsTable(landed)} (${definitions.join(', ')})`);
    await database.run('landing', `create view ${eventsView(landed)} as select ${selected.join(', ')} from ${rowsTable(landed)}`);
    const events = await database.connection.createAppender(bare(rowsTable(landed)), 'landed');
    appendRows(events, written, rows);
    events.closeSync();

    if (timeseries !== undefined) await this.#writeSamples(database, landed, varying);
    await database.run('landing', insertBatch(landed));
    for (const statement of setPosition(landed)) await database.run('landing', statement);
    return landed;
  }

  async #writeSamples(database: Database, landed: LandedBatch, varying: readonly Column[]): Promise<void> {
    const numbers = ['no uinteger', ...varying.map(({ name }) => `${name} double`)];
    await database.run('landing', `create table ${samplesTable(landed)} (${numbers.join(', ')})`);
    const appender = await database.connection.createAppender(bare(samplesTable(landed)), 'landed');
    const writer = new SampleWriter(appender, varying);
    for (const { no, record, rowOfSample } of this.#spans) {
      const values = varying.map(({ name }) => (record as unknown as Record<string, (number | null)[]>)[name]!);
      writer.add(no, record.start_at.length, values, rowOfSample);
    }
    writer.flush();
    appender.closeSync();
  }
}

/**
 * Returns the numeric columns whose values differ between the samples of at least one event. The values of other columns are
 * landed once per event.
 */
function varyingColumns(table: TableDeclaration, spans: readonly SampleSpan[]): Column[] {
  return sampleColumns(table).filter(
    ({ name }) =>
      name === 'start_at' || spans.some(({ record }) => (record as unknown as Record<string, unknown[]>)[name]!.length > 1),
  );
}
