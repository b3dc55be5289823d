import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { readJson, syncFolder, writeDurably } from '@aorta/runtime';
import * as z from 'zod';
import type { CopyDifference } from '../warehouse.ts';
import type { Access } from './copy-access.ts';

/** DuckDB's three headers. Every checkpoint changes one of them. */
const HEADERS = 3 * 4096;

/** Path of the published copy of the warehouse at `path`. */
export function publishedPath(path: string): string {
  return path.endsWith('.duckdb') ? `${path.slice(0, -'.duckdb'.length)}.published.duckdb` : `${path}.published`;
}

/** Path of a file that this process has not completed yet. A later writer removes the files of processes that were killed. */
export const unfinishedPath = (path: string): string => `${publishedPath(path)}.${process.pid}.part`;

/** Path at which a program that opens the copy for writing keeps its write-ahead log. Aorta itself never creates this file. */
export const walPath = (path: string): string => `${publishedPath(path)}.wal`;

const recordPath = (path: string): string => `${publishedPath(path)}.json`;

/**
 * Returns the paths of the files of the warehouse at `path`, of its published copy, and of the folder for data that does not
 * fit in memory.
 */
export const filesOf = (path: string): readonly string[] => [
  path,
  `${path}.wal`,
  `${path}.tmp`,
  publishedPath(path),
  walPath(path),
  recordPath(path),
];

export function isPublished(path: string): boolean {
  return existsSync(publishedPath(path));
}

/** Whether the path names a published copy and not a warehouse. */
export const isCopy = (path: string): boolean => existsSync(`${path}.json`) && /\.published(?:\.duckdb)?$/.test(path);

const copyFacts = z.object({
  inode: z.string(),
  bytes: z.number(),
  /** Time of the last modification, in nanoseconds since 1970. */
  modified_ns: z.string(),
  headers_sha256: z.string(),
});

type CopyFacts = z.output<typeof copyFacts>;

/** `copies` has the published copy. During a publication, it also has the new copy. */
const copyRecord = z.object({ copies: z.array(copyFacts.extend({ crc32: z.number() })).min(1) });

type RecordedCopies = z.output<typeof copyRecord>['copies'];

async function factsOf(file: string): Promise<CopyFacts> {
  await using handle = await open(file, 'r');
  const { ino, size, mtimeNs } = await handle.stat({ bigint: true });
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADERS), 0, HEADERS, 0);
  const headers = createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex');
  return { inode: String(ino), bytes: Number(size), modified_ns: String(mtimeNs), headers_sha256: headers };
}

async function checksumOf(file: string): Promise<number> {
  await using handle = await open(file, 'r');
  let sum = 0;
  for await (const part of handle.createReadStream({ autoClose: false, highWaterMark: 1 << 20 })) sum = crc32(part, sum);
  return sum;
}

/** Returns no copies if the record is missing, damaged, or closed to this user. */
async function recordedCopies(path: string): Promise<RecordedCopies> {
  const read = copyRecord.safeParse(await readJson(recordPath(path)).catch(() => undefined));
  return read.success ? read.data.copies : [];
}

/** Replaces the record. The readers of the copy can read it, too. `sync`: whether it must survive a power failure. */
async function writeRecord(
  path: string,
  copies: RecordedCopies,
  { mode, group, sync }: Access & { readonly sync: boolean },
): Promise<void> {
  const file = recordPath(path);
  await writeDurably(file, { copies }, { sync });
  if (group !== undefined) await chown(file, -1, group);
  await chmod(file, mode);
}

/**
 * Renames `copy` to the published copy of `path`, and records its size, headers and checksum. `sum` is the CRC-32 of the whole
 * copy. Until the rename is durable, the record also has the earlier copy.
 */
export async function replaceCopy(path: string, copy: string, sum: number, access: Access): Promise<void> {
  const next = { ...(await factsOf(copy)), crc32: sum };
  await writeRecord(path, [next, ...(await recordedCopies(path))], { ...access, sync: true });
  await rename(copy, publishedPath(path));
  await syncFolder(dirname(path));
  // If a power failure loses this write, the earlier record still has this copy.
  await writeRecord(path, [next], { ...access, sync: false });
}

/**
 * Compares the published copy with its record: inode, size, time and headers, and with `deep` the whole content. Returns undefined
 * if nothing differs. Rejects with the error of the system if the copy cannot be read.
 */
export async function copyDifference(path: string, deep: boolean): Promise<CopyDifference | undefined> {
  const recorded = await recordedCopies(path);
  if (recorded.length === 0) return { kind: 'unrecorded', what: recordPath(path) };
  const file = publishedPath(path);
  const found = await factsOf(file);
  const like =
    recorded.find(({ inode }) => inode === found.inode) ?? recorded.find((one) => hasContentOf(one, found)) ?? recorded[0]!;
  const content = [
    ...(like.bytes === found.bytes ? [] : ['size']),
    ...(like.headers_sha256 === found.headers_sha256 ? [] : ['headers']),
  ];
  if (deep && content.length === 0 && like.crc32 !== (await checksumOf(file))) content.push('content');
  if (content.length > 0) return { kind: 'changed', what: content.join(', ') };
  const place = [
    ...(like.inode === found.inode ? [] : ['inode']),
    ...(like.modified_ns === found.modified_ns ? [] : ['time of the last modification']),
  ];
  return place.length === 0 || deep ? undefined : { kind: 'replaced', what: place.join(', ') };
}

const hasContentOf = (one: CopyFacts, other: CopyFacts): boolean =>
  one.bytes === other.bytes && one.headers_sha256 === other.headers_sha256;
