import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { readJson, writeDurably } from '@aorta/runtime';
import * as z from 'zod';
import type { CopyDifference } from '../warehouse.ts';

/** Path of the published copy of the warehouse at `path`. */
export function publishedPath(path: string): string {
  return path.endsWith('.duckdb') ? `${path.slice(0, -'.duckdb'.length)}.published.duckdb` : `${path}.published`;
}

/** Path at which a program that opens the copy for writing keeps its write-ahead log. Aorta itself never creates this file. */
export const walPath = (path: string): string => `${publishedPath(path)}.wal`;

const recordPath = (path: string): string => `${publishedPath(path)}.json`;

export function isPublished(path: string): boolean {
  return existsSync(publishedPath(path));
}

/** DuckDB's three headers. Every checkpoint changes one of them. */
const HEADERS = 3 * 4096;

const copyFacts = z.object({
  inode: z.string(),
  bytes: z.number(),
  /** Time of the last modification, in nanoseconds since 1970. */
  modified_ns: z.string(),
  headers_sha256: z.string(),
});

type CopyFacts = z.output<typeof copyFacts>;

/** `copies` has the copy that is about to be published, and the one before it. */
const copyRecord = z.object({ copies: z.array(copyFacts.extend({ crc32: z.number() })) });

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

async function recordedCopies(path: string): Promise<z.output<typeof copyRecord>['copies']> {
  const read = copyRecord.safeParse(await readJson(recordPath(path)).catch(() => undefined));
  return read.success ? read.data.copies : [];
}

/**
 * Records what `copy` looks like, before it is renamed to the published copy of `path`. The record also keeps the earlier copy,
 * because the process may be killed between the two steps. `sum` is the CRC-32 of the whole copy.
 */
export async function recordCopy(path: string, copy: string, sum: number): Promise<void> {
  const [last] = await recordedCopies(path);
  await writeDurably(recordPath(path), {
    copies: [{ ...(await factsOf(copy)), crc32: sum }, ...(last === undefined ? [] : [last])],
  });
}

/**
 * Compares the published copy with its record: inode, size, time and headers, and with `deep` the whole content. Returns undefined
 * if nothing differs, or if this user may not read the record. Rejects with the error of the system if the copy cannot be read.
 */
export async function copyDifference(path: string, deep: boolean): Promise<CopyDifference | undefined> {
  const recorded = await recordedCopies(path);
  if (recorded.length === 0) return undefined;
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
