import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Entry } from './entry.ts';
import type { Knowledge } from './knowledge.ts';
import type { KnownPartition } from './window.ts';

/**
 * Format of a partition file: a line of JSON (format, names, bounds, number of entries, CRC-32 of the entries), and then
 * five little-endian doubles per entry.
 */
const FORMAT = 2;
const COLUMNS = 5;
const ENTRY_BYTES = COLUMNS * 8;

interface Head {
  readonly format: number;
  readonly source: string;
  readonly partition: string;
  readonly floor: number | null;
  readonly ceiling: number | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly entries: number;
  readonly crc32: number;
}

/** Returns the name of a partition's file. The name is a hash, because the names of sources and partitions may contain any character. */
export function partitionFileName(source: string, partition: string): string {
  return `${createHash('sha256')
    .update(JSON.stringify([source, partition]))
    .digest('hex')
    .slice(0, 32)}.window`;
}

export function writePartition({ source, partition, knowledge }: KnownPartition): Buffer[] {
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
    crc32: crc32(columns),
  };
  return [Buffer.from(`${JSON.stringify(head)}\n`), columns];
}

/** Reads a partition file. Returns undefined if the file is damaged, has a different format, or belongs to a different partition. */
export function readPartition(file: Buffer, source: string, partition: string): Knowledge | undefined {
  const end = file.indexOf(10);
  const head = end < 0 ? undefined : headOf(file.toString('utf8', 0, end));
  if (head === undefined || head.format !== FORMAT || head.source !== source || head.partition !== partition) return undefined;
  const columns = file.subarray(end + 1);
  if (columns.length !== head.entries * ENTRY_BYTES || crc32(columns) !== head.crc32) return undefined;
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

function headOf(text: string): Head | undefined {
  try {
    return JSON.parse(text) as Head;
  } catch {
    return undefined;
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
