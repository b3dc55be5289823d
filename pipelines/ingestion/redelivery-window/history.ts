import { join } from 'node:path';
import { inUse, type StreamLog, shortPartitionName } from '@aorta/connectors';
import { ByPartition } from '@aorta/connectors/sources';
import { AortaError, type Metrics, makeFolder, readIfThere, replaceFile } from '@aorta/runtime';
import type { IngestionMetrics } from '../metrics.ts';
import { defaultWindowLimits, type WindowLimits } from './entry.ts';
import { extend, Gathering, type Knowledge, nothingYet } from './knowledge.ts';
import { partitionFileName, readPartition, writePartition } from './partition-file.ts';
import { capacityFor } from './recent-entries.ts';
import { sightings } from './sightings.ts';
import { type KnownPartition, RedeliveryWindow, type StreamEnds, type WindowHistory } from './window.ts';

const FORMAT = 2;
const INDEX = 'index.json';

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
}

/**
 * Opens the redelivery window of a data folder. Reads the snapshot, and then the records that were appended after it. If
 * there is no snapshot for these streams, reads all records. Rejects with AORTA-DATA-NEWER, AORTA-FILE-UNREADABLE or
 * AORTA-DATA-UNWRITABLE.
 */
export async function openRedeliveryWindow(options: WindowOptions): Promise<RedeliveryWindow> {
  const { folder, log, limits = defaultWindowLimits, slots, metrics } = options;
  const history = new StreamsHistory(join(folder, 'redelivery-window'), log, limits);
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

/** Stores the history in files. Entries that are missing from the files are restored from the receipts in the streams. */
class StreamsHistory implements WindowHistory {
  readonly #folder: string;
  readonly #log: StreamLog;
  readonly #limits: WindowLimits;
  readonly #kept = new ByPartition<true>();
  #positions: StreamEnds = {};

  constructor(folder: string, log: StreamLog, limits: WindowLimits) {
    this.#folder = folder;
    this.#log = log;
    this.#limits = limits;
  }

  async open(): Promise<void> {
    const index = await this.#readIndex();
    if (index === undefined || !this.#isOfTheseStreams(index)) return;
    this.#positions = index.streams;
    for (const [source, partition] of index.partitions) this.#kept.set(source, partition, true);
  }

  async *catchUp(): AsyncGenerator<KnownPartition> {
    const capacity = capacityFor(this.#limits.offsets);
    const gathered = new ByPartition<Gathering>();
    for (const of of inUse(this.#log)) {
      const from = this.#positions[shortPartitionName(of)]?.position ?? this.#log.start(of);
      for await (const { source, partition, entry } of sightings(this.#log, of, from)) {
        const gathering = gathered.get(source, partition) ?? gathered.set(source, partition, new Gathering(capacity, 'highest'));
        gathering.add(entry);
      }
    }
    for (const [source, partition, gathering] of gathered) {
      const known = this.keeps(source, partition) ? ((await this.recall(source, partition)) ?? lost) : nothingYet;
      yield { source, partition, knowledge: extend(known, gathering) };
    }
  }

  keeps(source: string, partition: string): boolean {
    return this.#kept.get(source, partition) === true;
  }

  async recall(source: string, partition: string): Promise<Knowledge | undefined> {
    const file = await readIfThere(join(this.#folder, partitionFileName(source, partition)));
    return file === undefined ? undefined : readPartition(file, source, partition);
  }

  async scan(source: string, partition: string, from: number): Promise<Knowledge> {
    // Gathers twice as many entries as a ring holds, so that a long replay from an old offset rarely needs another scan.
    const gathering = new Gathering(2 * capacityFor(this.#limits.offsets), 'lowest');
    let first = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    for (const of of inUse(this.#log)) {
      for await (const seen of sightings(this.#log, of, this.#log.start(of))) {
        if (seen.partition !== partition || seen.source !== source) continue;
        first = Math.min(first, seen.entry.offset);
        last = Math.max(last, seen.entry.offset);
        if (seen.entry.offset >= from) gathering.add(seen.entry);
      }
    }
    const entries = gathering.entries();
    return { floor: from, ceiling: gathering.ceiling, first, last, entries };
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
      inUse(this.#log).map((of) => [
        shortPartitionName(of),
        { incarnation: this.#log.incarnation(of), position: this.#log.end(of) },
      ]),
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
    await replaceFile(join(this.#folder, INDEX), [JSON.stringify(index)]);
    this.#positions = ends;
  }

  async #readIndex(): Promise<Index | undefined> {
    const path = join(this.#folder, INDEX);
    const file = await readIfThere(path);
    if (file === undefined) return undefined;
    let index: Index;
    try {
      index = JSON.parse(file.toString('utf8')) as Index;
    } catch {
      return undefined;
    }
    if (typeof index.format === 'number' && index.format > FORMAT) {
      throw new AortaError('AORTA-DATA-NEWER', { path, found: index.format, known: FORMAT });
    }
    return index.format === FORMAT ? index : undefined;
  }

  /**
   * Returns whether the index belongs to these streams. If a stream has a new incarnation, or is shorter than at the
   * time of the snapshot, the snapshot may contain entries that no longer exist.
   */
  #isOfTheseStreams(index: Index): boolean {
    const present = new Map(inUse(this.#log).map((of) => [shortPartitionName(of), of]));
    return Object.entries(index.streams).every(([name, { incarnation, position }]) => {
      const of = present.get(name);
      return position === 0 || (of !== undefined && this.#log.incarnation(of) === incarnation && this.#log.end(of) >= position);
    });
  }
}

/** Used for a partition whose file is missing or damaged. It covers no offset, so the next delivery requires a scan. */
const lost: Knowledge = {
  floor: Number.MAX_SAFE_INTEGER,
  ceiling: Number.MAX_SAFE_INTEGER,
  first: 0,
  last: Number.MAX_SAFE_INTEGER,
  entries: [],
};
