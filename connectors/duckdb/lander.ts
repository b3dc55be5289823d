import { AortaError } from '@aorta/runtime';
import type { Column, StreamName, StreamRecords, TableDeclaration, TimeseriesStream } from '@aorta/schemas';
import type { BatchStart, GrowingBatch, Landed, LandedPartition, LandingBatch } from '../warehouse.ts';
import { FIRST_DAY, partitionDay, SampleDays } from '../warehouses/merging/landed-dates.ts';
import type { Backlog } from './backlog.ts';
import { BatchLayout, type SampleSpan, writeSamples } from './batch-columns.ts';
import { insertBatch, type LandedBatch, setPosition } from './batches.ts';
import type { Database } from './database.ts';
import { type LandedRow, landedEventColumns, plainRow, sampleColumns, sampleTexts, timeseriesRows } from './landed-rows.ts';
import type { OpeningOptions } from './options.ts';
import type { PreparedFile } from './preparation.ts';

/**
 * Minimum milliseconds between two batches from the same partition, unless a full batch is ready. It applies to streams of
 * summaries and events. Each batch is a table, and each of its columns takes a block of memory, even if there are few rows. A
 * consumer with little traffic flushes less often than this, so the limit does not delay its records.
 */
const LAND_EVERY_MS = 1_000;

type LandingOptions = Pick<OpeningOptions, 'recent_days' | 'summary_order' | 'clock' | 'onStep'>;

/**
 * Builds a batch while its records arrive. Converts each record to rows immediately and keeps only records with samples. If it
 * kept all of them, tens of thousands of records in memory would slow down every garbage collection.
 */
class GatheredBatch {
  readonly #start: BatchStart;
  readonly #table: TableDeclaration | undefined;
  readonly #recentDays: number;
  readonly #layout: BatchLayout;
  readonly #texts: readonly Column[];
  readonly #spans: SampleSpan[] = [];
  readonly #sampleDays = new SampleDays();
  readonly #receivedDays = new Set<number>();
  #records = 0;
  /** Number of the first row among the stream's landed rows. */
  readonly firstNo: number;

  /** `table` is the stream's table with its landed columns; undefined if the stream has no table. */
  constructor(start: BatchStart, table: TableDeclaration | undefined, firstNo: number, options: LandingOptions) {
    this.#start = start;
    this.#table = table;
    this.#recentDays = options.recent_days;
    this.firstNo = firstNo;
    this.#layout = new BatchLayout(landedEventColumns(start.stream, table, options.summary_order));
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
    const { recent, old } = this.#sampleDays.split(received.at(-1) ?? FIRST_DAY, this.#recentDays);
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
    await this.#layout.write(database, landed);
    if (timeseries !== undefined) await writeSamples(database, landed, varying, this.#spans);
    await database.run('landing', insertBatch(landed));
    for (const statement of setPosition(landed)) await database.run('landing', statement);
    return landed;
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

const nameOf = ({ stream, partition }: LandedPartition): string => `${stream}/${partition}`;

export class DuckDbLander {
  readonly #database: Database;
  readonly #backlog: Backlog;
  readonly #options: LandingOptions;
  /** Landed position of each partition, keyed by {@link nameOf}. */
  readonly #positions = new Map<string, Landed>();
  /** Time on the monotonic clock at which each partition was last landed, keyed by {@link nameOf}. */
  readonly #landedAt = new Map<string, number>();
  #nextBatch: number;

  constructor(
    database: Database,
    backlog: Backlog,
    { positions, nextBatch }: Pick<PreparedFile, 'positions' | 'nextBatch'>,
    options: LandingOptions,
  ) {
    this.#database = database;
    this.#backlog = backlog;
    this.#options = options;
    this.#nextBatch = nextBatch;
    for (const [of, position] of positions) this.#positions.set(nameOf(of), position);
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#positions.get(nameOf(of));
  }

  /** Milliseconds until the next batch of a partition may be landed; 0 means now. */
  wait(of: LandedPartition): number {
    const last = this.#landedAt.get(nameOf(of));
    if (last === undefined || this.#backlog.isTimeseries(of.stream)) return 0;
    return Math.max(0, last + LAND_EVERY_MS - performance.now());
  }

  gather<S extends StreamName>(start: BatchStart<S>): GrowingBatch<S> {
    const gathered = this.#gathered(start);
    return {
      add: gathered.add,
      land: (to) => this.#database.inTurn(() => this.#land(start, gathered, to)),
    };
  }

  land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    // Callers may land several batches without waiting, so a batch is numbered only when its turn comes.
    return this.#database.inTurn(() => {
      const gathered = this.#gathered(batch);
      gathered.add(batch.records);
      return this.#land(batch, gathered, batch.to);
    });
  }

  #gathered(start: BatchStart): GatheredBatch {
    const { stream } = start;
    return new GatheredBatch(start, this.#backlog.tableOf(stream), this.#backlog.nextNo(stream), this.#options);
  }

  async #land(start: BatchStart, gathered: GatheredBatch, to: number): Promise<void> {
    const { clock, onStep } = this.#options;
    if (this.#isLanded(start, to)) return;
    if (gathered.firstNo < this.#backlog.nextNo(start.stream))
      throw new AortaError('AORTA-BUG', {
        place: 'landing',
        problem: `two batches of ${start.stream} were gathered at the same time`,
      });
    const done = await this.#database.transaction('landing', async () => {
      const written = await gathered.write(this.#database, this.#nextBatch, to, clock());
      onStep('land:begun');
      return written;
    });
    const name = nameOf(done);
    this.#backlog.add(done);
    this.#nextBatch++;
    this.#positions.set(name, { incarnation: start.incarnation, position: to });
    this.#landedAt.set(name, performance.now());
    onStep('land:durable');
  }

  /** Whether a batch was landed before. Throws if it does not begin at the partition's landed position. */
  #isLanded({ stream, partition = 0, incarnation, from }: BatchStart, to: number): boolean {
    const name = nameOf({ stream, partition });
    const landed = this.#positions.get(name);
    if (landed?.incarnation !== incarnation) return false;
    if (landed.position >= to) return true;
    if (landed.position === from) return false;
    const problem = `${name} is landed up to ${landed.position}, but the batch begins at ${from}`;
    throw new AortaError('AORTA-BUG', { place: 'landing', problem });
  }
}
