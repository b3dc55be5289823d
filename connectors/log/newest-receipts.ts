import { isAortaError } from '@aorta/runtime';
import { type StreamName, type StreamRecords, streamSchemas } from '@aorta/schemas';
import { type FoundReceipts, inUse, type ReceiptPlace, type StreamPartition } from '../stream-log.ts';
import type { LocalLog } from './local-log.ts';

/** Number of records of a stream to read first. The number grows by the factor, up to the maximum. */
const PORTION = { first: 16, factor: 4, most: 65_536 };
const READ_BYTES = 8 * 1024 * 1024;
/** Number of encoded bytes after which a search that is not deep ends. Reading them takes a fraction of a second. */
const QUICK_BYTES = 32 * 1024 * 1024;

/** The highest offset read so far in each wanted partition. */
class HighestOffsets {
  readonly #wanted: readonly ReceiptPlace[];
  readonly #sources = new Map<string, Map<string, number | undefined>>();

  constructor(wanted: readonly ReceiptPlace[]) {
    this.#wanted = wanted;
    for (const { source, partition } of wanted) {
      const partitions = this.#sources.get(source) ?? new Map<string, number | undefined>();
      this.#sources.set(source, partitions.set(partition, undefined));
    }
  }

  see(records: readonly StreamRecords[StreamName][]): void {
    for (const { receipt } of records) {
      const partitions = this.#sources.get(receipt.source);
      if (partitions?.has(receipt.partition) !== true) continue;
      if ((partitions.get(receipt.partition) ?? -1) < receipt.offset) partitions.set(receipt.partition, receipt.offset);
    }
  }

  all(): readonly (number | undefined)[] {
    return this.#wanted.map(({ source, partition }) => this.#sources.get(source)?.get(partition));
  }

  get areEnough(): boolean {
    return this.all().every((offset, index) => offset !== undefined && offset >= this.#wanted[index]!.offset);
  }
}

/** Opens the log and searches it for receipts, starting with the newest records, until it has found all of them. */
export async function findReceipts(
  open: () => Promise<LocalLog>,
  wanted: readonly ReceiptPlace[],
  deep: boolean,
): Promise<FoundReceipts> {
  const highest = new HighestOffsets(wanted);
  let isComplete = false;
  try {
    await using log = await open();
    isComplete = await readBack(log, highest, deep ? Number.POSITIVE_INFINITY : QUICK_BYTES);
  } catch (error) {
    if (!isAortaError(error)) throw error;
    isComplete = error.code === 'AORTA-STREAMS-MISSING';
  }
  return { highest: highest.all(), isComplete };
}

/** Reads until the receipts are found or `most` bytes were read. Returns whether it has read every record that the streams ever had. */
async function readBack(log: LocalLog, highest: HighestOffsets, most: number): Promise<boolean> {
  const unread = new Map(
    inUse(log)
      .filter(holdsDeliveries)
      .map((of) => [of, log.end(of)]),
  );
  let left = most;
  let isIntact = log.losses().length === 0;
  for (let portion = PORTION.first; unread.size > 0; portion = Math.min(portion * PORTION.factor, PORTION.most)) {
    for (const [of, end] of unread) {
      const start = Math.max(log.start(of), end - portion);
      try {
        left -= await readRange({ log, of, highest }, start, end, left);
      } catch (error) {
        // The check of the streams reports the damage. The records before this portion may be intact.
        if (!isAortaError(error)) throw error;
        isIntact = false;
      }
      if (left <= 0) return false;
      if (start === log.start(of)) unread.delete(of);
      else unread.set(of, start);
    }
    if (highest.areEnough) break;
  }
  return unread.size === 0 && isIntact;
}

interface Reading {
  readonly log: LocalLog;
  readonly of: StreamPartition;
  readonly highest: HighestOffsets;
}

/** Reads records from `start` to `end`, but stops after about `most` bytes. Returns the number of bytes read. */
async function readRange({ log, of, highest }: Reading, start: number, end: number, most: number): Promise<number> {
  let bytes = 0;
  for (let at = start; at < end && bytes < most; ) {
    const read = await log.read(of, at, { records: end - at, bytes: Math.min(READ_BYTES, most - bytes) });
    highest.see(read.records);
    at = read.to;
    bytes += read.bytes;
  }
  return bytes;
}

/** Whether a stream can contain deliveries of a source. The other streams contain answers of the service. */
function holdsDeliveries({ stream }: StreamPartition): boolean {
  return streamSchemas[stream].aorta.shape !== 'fetched';
}
