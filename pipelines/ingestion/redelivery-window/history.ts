import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { inUse, partitionName, type ReadableLog, type StreamLog, type StreamPartition } from '@aorta/connectors';
import { ByPartition } from '@aorta/connectors/sources';
import {
  errorFields,
  type Logger,
  type Metrics,
  makeFolder,
  readFormatted,
  readIfThere,
  replaceFile,
  sealJson,
  setAside,
  silentLogger,
  unsealJson,
  writeDurably,
} from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { EVENT_TYPE_IN_HEADERS, USER_IN_HEADERS } from '../delivery-record.ts';
import type { IngestionMetrics } from '../metrics.ts';
import { defaultWindowLimits, type Entry, identityOf, type WindowLimits } from './entry.ts';
import { EntryCollector, extend, type KnownEntries, nothingYet } from './known-entries.ts';
import { capacityFor } from './recent-entries.ts';
import { type KnownPartition, RedeliveryWindow, type StreamEnds, type WindowHistory } from './window.ts';

const COLUMNS = 5;
const ENTRY_BYTES = COLUMNS * 8;
const FORMAT = 2;
const INDEX = 'index.json';
const BATCH = { records: 4096, bytes: 8 * 1024 * 1024 };

interface Head {
  readonly format: number;
  readonly source: string;
  readonly partition: string;
  readonly floor: number | null;
  readonly ceiling: number | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly entries: number;
  readonly entries_crc32: number;
}

/** Returns the name of a partition's file. The name is a hash, because the names of sources and partitions may contain any character. */
function partitionFileName(source: string, partition: string): string {
  return `${createHash('sha256')
    .update(JSON.stringify([source, partition]))
    .digest('hex')
    .slice(0, 32)}.window`;
}

function writePartition({ source, partition, knowledge }: KnownPartition): Buffer[] {
  const view = new DataView(new ArrayBuffer(knowledge.entries.length * ENTRY_BYTES));
  let at = 0;
  for (const entry of knowledge.entries) {
    view.setFloat64(at, entry.offset, true);
    view.setFloat64(at + 8, entry.receivedAt, true);
    view.setFloat64(at + 16, entry.identity, true);
    view.setFloat64(at + 24, entry.bytes, true);
    view.setFloat64(at + 32, entry.crc32, true);
    at += ENTRY_BYTES;
  }
  const columns = Buffer.from(view.buffer);
  // JSON cannot represent infinity, so null is stored instead.
  const head: Head = {
    format: FORMAT,
    source,
    partition,
    floor: finite(knowledge.floor),
    ceiling: finite(knowledge.ceiling),
    first: finite(knowledge.first),
    last: finite(knowledge.last),
    entries: knowledge.entries.length,
    entries_crc32: crc32(columns),
  };
  return [Buffer.from(`${sealJson(JSON.stringify(head)).text}\n`), columns];
}

/** Reads a partition file. Returns undefined if the file is damaged, has a different format, or belongs to a different partition. */
function readPartition(file: Buffer, source: string, partition: string): KnownEntries | undefined {
  const end = file.indexOf(10);
  const sealed = unsealJson(file.subarray(0, Math.max(0, end)));
  const head = sealed === undefined ? undefined : (JSON.parse(sealed.json) as Head);
  if (head === undefined || head.format !== FORMAT || head.source !== source || head.partition !== partition) return undefined;
  const columns = file.subarray(end + 1);
  if (columns.length !== head.entries * ENTRY_BYTES || crc32(columns) !== head.entries_crc32) return undefined;
  const entries: Entry[] = [];
  for (let at = 0; at < columns.length; at += ENTRY_BYTES) {
    entries.push({
      offset: columns.readDoubleLE(at),
      receivedAt: columns.readDoubleLE(at + 8),
      identity: columns.readDoubleLE(at + 16),
      bytes: columns.readDoubleLE(at + 24),
      crc32: columns.readDoubleLE(at + 32),
    });
  }
  return {
    floor: head.floor ?? Number.NEGATIVE_INFINITY,
    ceiling: head.ceiling ?? Number.POSITIVE_INFINITY,
    first: head.first ?? Number.POSITIVE_INFINITY,
    last: head.last ?? Number.NEGATIVE_INFINITY,
    entries,
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Index of a snapshot: the stream positions up to which the partition files are complete, and the partitions that have a file. */
interface Index {
  readonly format: number;
  readonly streams: StreamEnds;
  readonly partitions: readonly (readonly [source: string, partition: string])[];
}

export interface WindowOptions {
  /** Data folder. The snapshot is stored in the subfolder `redelivery-window`. */
  readonly folder: string;
  readonly log: StreamLog;
  /** Default: 20,000 offsets, 256 MiB, 48 hours. */
  readonly limits?: WindowLimits;
  /** Maximum number of entries in memory. Only tests set it. */
  readonly slots?: number;
  readonly metrics?: Metrics<IngestionMetrics>;
  /** Default: does not log. */
  readonly logger?: Logger;
}

/**
 * Opens the redelivery window of a data folder. Reads the snapshot, and then the records that were appended after it. If
 * there is no snapshot for these streams, or it is damaged, reads all records. Rejects with AORTA-DATA-NEWER, AORTA-FILE-UNREADABLE or
 * AORTA-DATA-UNWRITABLE.
 */
export async function openRedeliveryWindow(options: WindowOptions): Promise<RedeliveryWindow> {
  const { folder, log, limits = defaultWindowLimits, slots, metrics, logger = silentLogger } = options;
  const history = new StreamsHistory(join(folder, 'redelivery-window'), log, limits, logger);
  const window = new RedeliveryWindow(limits, history, slots);
  if (limits.offsets > 0) {
    await history.open();
    for await (const known of history.catchUp()) {
      window.adopt(known.source, known.partition, known.knowledge);
      if (window.isOverLimit()) await window.evict();
    }
  }
  metrics?.watch((set) => set('aorta_redelivery_window_bytes', {}, window.bytes()));
  return window;
}

/** An entry that was restored from a stream record. */
interface RecordedSighting {
  readonly source: string;
  readonly partition: string;
  readonly entry: Entry;
}

/** Yields the deliveries in a stream partition that have an id, starting at a position. */
async function* sightings(log: ReadableLog, of: StreamPartition, from: number): AsyncGenerator<RecordedSighting> {
  const end = log.end(of);
  for (let position = from; position < end; ) {
    const batch = await log.read(of, position, BATCH);
    for (const record of batch.records) {
      const seen = sightingOf(record);
      if (seen !== undefined) yield seen;
    }
    if (batch.to <= position) return;
    position = batch.to;
  }
}

/** Returns the delivery from which a record was created; undefined if the delivery has no id. */
function sightingOf(record: StreamRecords[StreamName]): RecordedSighting | undefined {
  const { receipt } = record;
  const named = 'event' in record ? record.event : record;
  // A record of fetched data does not come from a delivery.
  if (receipt.delivery_id === null || !('event_type' in named)) return undefined;
  // The window identifies a delivery only by its headers. `header_facts` shows whether the headers contained
  // the user and the event type.
  const userId = receipt.header_facts & USER_IN_HEADERS ? named.user_id : null;
  const eventType = receipt.header_facts & EVENT_TYPE_IN_HEADERS ? named.event_type : null;
  return {
    source: receipt.source,
    partition: receipt.partition,
    entry: {
      offset: receipt.offset,
      receivedAt: receipt.received_at,
      identity: identityOf(userId, eventType, receipt.delivery_id),
      bytes: receipt.body_bytes,
      crc32: receipt.body_crc32,
    },
  };
}

/** Stores the history in files. Entries that are missing from the files are restored from the receipts in the streams. */
class StreamsHistory implements WindowHistory {
  readonly #folder: string;
  readonly #log: StreamLog;
  readonly #limits: WindowLimits;
  readonly #logger: Logger;
  readonly #kept = new ByPartition<true>();
  #positions: StreamEnds = {};

  constructor(folder: string, log: StreamLog, limits: WindowLimits, logger: Logger) {
    this.#folder = folder;
    this.#log = log;
    this.#limits = limits;
    this.#logger = logger;
  }

  async open(): Promise<void> {
    const index = await this.#readIndex();
    if (index === undefined || !this.#isOfTheseStreams(index)) return;
    this.#positions = index.streams;
    for (const [source, partition] of index.partitions) this.#kept.set(source, partition, true);
  }

  async *catchUp(): AsyncGenerator<KnownPartition> {
    const capacity = capacityFor(this.#limits.offsets);
    const collectors = new ByPartition<EntryCollector>();
    for (const of of inUse(this.#log)) {
      const from = this.#positions[partitionName(of)]?.position ?? this.#log.start(of);
      for await (const { source, partition, entry } of sightings(this.#log, of, from)) {
        const collector =
          collectors.get(source, partition) ?? collectors.set(source, partition, new EntryCollector(capacity, 'highest'));
        collector.add(entry);
      }
    }
    for (const [source, partition, collector] of collectors) {
      const known = this.keeps(source, partition) ? ((await this.recall(source, partition)) ?? lost) : nothingYet;
      yield { source, partition, knowledge: extend(known, collector) };
    }
  }

  keeps(source: string, partition: string): boolean {
    return this.#kept.get(source, partition) === true;
  }

  async recall(source: string, partition: string): Promise<KnownEntries | undefined> {
    const path = join(this.#folder, partitionFileName(source, partition));
    const file = await readIfThere(path);
    if (file === undefined) return undefined;
    return readPartition(file, source, partition) ?? (await this.#setAside(path));
  }

  async scan(source: string, partition: string, from: number): Promise<KnownEntries> {
    // Gathers twice as many entries as a ring holds, so that a long replay from an old offset rarely needs another scan.
    const collector = new EntryCollector(2 * capacityFor(this.#limits.offsets), 'lowest');
    let first = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    for (const of of inUse(this.#log)) {
      for await (const seen of sightings(this.#log, of, this.#log.start(of))) {
        if (seen.partition !== partition || seen.source !== source) continue;
        first = Math.min(first, seen.entry.offset);
        last = Math.max(last, seen.entry.offset);
        if (seen.entry.offset >= from) collector.add(seen.entry);
      }
    }
    const entries = collector.entries();
    return { floor: from, ceiling: collector.ceiling, first, last, entries };
  }

  async keep(partitions: Iterable<KnownPartition>): Promise<void> {
    for (const known of partitions) {
      // Creates the folder here, because it is not needed if no delivery has an id.
      await makeFolder(this.#folder);
      await replaceFile(join(this.#folder, partitionFileName(known.source, known.partition)), writePartition(known));
      this.#kept.set(known.source, known.partition, true);
    }
  }

  ends(): StreamEnds {
    return Object.fromEntries(
      inUse(this.#log).map((of) => [partitionName(of), { incarnation: this.#log.incarnation(of), position: this.#log.end(of) }]),
    );
  }

  /**
   * Writes the index after the partition files, so no file is older than the index. If a file is newer, some records are
   * read again after a restart, which has no effect.
   */
  async cover(ends: StreamEnds): Promise<void> {
    const partitions = Array.from(this.#kept, ([source, partition]) => [source, partition] as const);
    const index: Index = { format: FORMAT, streams: ends, partitions };
    await makeFolder(this.#folder);
    await writeDurably(join(this.#folder, INDEX), index);
    this.#positions = ends;
  }

  async #readIndex(): Promise<Index | undefined> {
    const path = join(this.#folder, INDEX);
    const index = await readFormatted(path, FORMAT, (content) => content as Index);
    if (index === null) return this.#setAside(path);
    return index?.format === FORMAT ? index : undefined;
  }

  async #setAside(path: string): Promise<undefined> {
    const damage = await setAside(path, 'the redelivery window is built again from the records in the streams');
    this.#logger.warn('redelivery window damaged', errorFields(damage));
  }

  /**
   * Returns whether the index belongs to these streams. If a stream has a new incarnation, or is shorter than at the
   * time of the snapshot, the snapshot may contain entries that no longer exist.
   */
  #isOfTheseStreams(index: Index): boolean {
    const present = new Map(inUse(this.#log).map((of) => [partitionName(of), of]));
    return Object.entries(index.streams).every(([name, { incarnation, position }]) => {
      const of = present.get(name);
      return position === 0 || (of !== undefined && this.#log.incarnation(of) === incarnation && this.#log.end(of) >= position);
    });
  }
}

/** Used for a partition whose file is missing or damaged. It covers no offset, so the next delivery requires a scan. */
const lost: KnownEntries = {
  floor: Number.MAX_SAFE_INTEGER,
  ceiling: Number.MAX_SAFE_INTEGER,
  first: 0,
  last: Number.MAX_SAFE_INTEGER,
  entries: [],
};
