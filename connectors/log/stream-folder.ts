import { randomUUID } from 'node:crypto';
import { readdir, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type FileOperations,
  makeFolder,
  nameOfKept,
  readJson,
  systemCode,
  UNFINISHED,
  unreadable,
  unwritable,
  writeDurably,
} from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { z } from 'zod';
import { type DamageableStream, type DamageReports, replaceSegmentAt, takeRestored } from './damaged-segment.ts';
import type { DurableEnd, DurableEnds } from './durable-ends.ts';
import { SegmentError } from './errors.ts';
import { GroupPositions } from './group-positions.ts';
import { type FramedPart, framedPart, type RecoveredTail } from './recovery.ts';
import { salvageOf } from './salvage.ts';
import { firstOf, Segment } from './segment.ts';

const streamFile = z.object({ incarnation: z.string().min(1) });

/** The incarnation that a read-only log reports for a stream that was never written. */
const NO_INCARNATION = '00000000-0000-0000-0000-000000000000';

export interface StreamFolder extends DamageableStream {
  incarnation: string;
  /** Whether the stream's folder and incarnation exist on the disk. */
  made: boolean;
  /** Whether the file of ends has an entry for this stream. */
  readonly isEndKnown: boolean;
  readonly positions: GroupPositions;
}

interface WritableAccess extends DamageReports {
  readonly writable: true;
  readonly operations: FileOperations;
  /** Receives the torn tails that were cut. */
  readonly recovered: (tail: RecoveredTail) => void;
}

/**
 * Opens a stream's folder. Examines only the last segment, and only the starts and ends of its blocks. With write access, cuts
 * off a torn tail that a crash left behind, and replaces a segment that lacks records which were durable. Then syncs the rest,
 * because the previous process may have ended between a write and its sync. Without write access, ignores an incomplete tail,
 * because another process may still be writing it.
 */
export async function openStreamFolder(
  folder: string,
  name: StreamName,
  recorded: DurableEnd | undefined,
  access: WritableAccess | { readonly writable: false },
): Promise<StreamFolder> {
  const path = join(folder, name);
  const names = await namesIn(path);
  const firsts = (names ?? []).map(firstOf).filter((first) => first !== undefined);
  const segments = firsts.sort((a, b) => a - b).map((first) => new Segment(name, path, first));
  const written = names === undefined ? undefined : await incarnationIn(path, name, recorded, access);
  const named = written ?? recorded?.incarnation;
  const durable = recorded?.incarnation === named ? recorded : undefined;
  const losses = [...(durable?.losses ?? [])];
  const positions = new GroupPositions(path);
  const open = (incarnation: string, made: boolean): StreamFolder => ({
    name,
    path,
    incarnation,
    made,
    segments,
    end: 0,
    losses,
    positions,
    isEndKnown: durable !== undefined,
  });
  const isEmpty = named === undefined && segments.length === 0;
  if (!access.writable) {
    const stream = open(named ?? NO_INCARNATION, !isEmpty);
    if (isEmpty) return stream;
    await positions.load(stream.incarnation, false);
    return { ...stream, end: Math.max(await visibleEnd(segments), durable?.end ?? 0) };
  }
  if (isEmpty) return open(randomUUID(), false);
  // Readers have already passed the positions of a restored segment, so the stream begins a new incarnation.
  const isRestored = await takeRestored(folder, { name, path, segments, losses, end: Number.POSITIVE_INFINITY });
  const stream = open(isRestored || named === undefined ? randomUUID() : named, written !== undefined && !isRestored);
  await positions.load(stream.incarnation, true);
  await makeStreamFolder(stream);
  await settleLastSegment(stream, durable?.end, access);
  await finishReplacements(stream, names ?? [], access);
  return stream;
}

/**
 * Finishes replacements that a crash interrupted. The crash may have come after a segment was replaced and before its loss
 * was recorded.
 */
async function finishReplacements(stream: StreamFolder, names: readonly string[], access: WritableAccess): Promise<void> {
  const recorded = new Set(stream.losses.map(({ aside }) => aside));
  for (const name of names) {
    const damaged = nameOfKept(name);
    const first = damaged === undefined ? undefined : firstOf(damaged);
    if (first !== undefined && !recorded.has(`${stream.name}/${name}`)) await replaceSegmentAt(stream, first, access, stream.end);
    if (name.endsWith(UNFINISHED)) await unlink(join(stream.path, name));
  }
}

/** Reads the incarnation in a stream's folder. If the file is damaged, the recorded incarnation takes its place. */
async function incarnationIn(
  path: string,
  name: StreamName,
  recorded: DurableEnd | undefined,
  access: WritableAccess | { readonly writable: false },
): Promise<string | undefined> {
  const file = join(path, 'stream.json');
  const content = await readJson(file);
  const known = streamFile.safeParse(content);
  if (known.success || content === undefined) return known.data?.incarnation;
  if (recorded === undefined) throw new SegmentError('AORTA-INCARNATION-DAMAGED', { file });
  if (access.writable) access.repaired(new SegmentError('AORTA-STREAM-REPAIRED', { file: `${name}/stream.json` }));
  return undefined;
}

/** Creates a stream's folder and its incarnation on the disk before the first write. Rejects with AORTA-DATA-UNWRITABLE if that fails. */
export async function makeStreamFolder(stream: StreamFolder): Promise<void> {
  if (stream.made) return;
  await makeFolder(stream.path);
  await writeDurably(join(stream.path, 'stream.json'), { incarnation: stream.incarnation });
  stream.made = true;
}

/** Durably records the ends and losses of the streams that have changed. Rejects with AORTA-DATA-UNWRITABLE. */
export async function recordEnds(streams: readonly StreamFolder[], ends: DurableEnds): Promise<void> {
  const changed = streams.filter(({ name, made, incarnation, end, losses }) => {
    const before = ends.of(name);
    return made && !isDeepStrictEqual(before, { incarnation, end, losses });
  });
  await ends.record(changed.map(({ name, incarnation, end, losses }) => [name, { incarnation, end, losses }]));
}

async function visibleEnd(segments: Segment[]): Promise<number> {
  for (;;) {
    const last = segments.at(-1);
    if (last === undefined) return 0;
    const { end, bytes } = await framedPart(last);
    last.bytes = bytes;
    if (end > last.first) return end;
    // A segment without records was only just started, or it is damaged. The segment before it is the last one that can be read.
    segments.pop();
  }
}

/**
 * Finds the end of the stream. `durable` is the recorded end, if it is known. Records after it were never reported as durable.
 * Records that are missing before it are lost.
 */
async function settleLastSegment(stream: StreamFolder, durable: number | undefined, access: WritableAccess): Promise<void> {
  const { segments, losses } = stream;
  for (;;) {
    const last = segments.at(-1);
    const start = losses.at(-1)?.to ?? 0;
    if (last === undefined || last.first < start) {
      stream.end = start;
      if (durable !== undefined && durable > start) await replaceSegmentAt(stream, start, access, durable);
      return;
    }
    const framed = await framedPart(last);
    const isTorn = durable !== undefined && framed.end >= durable && framed.bytes < framed.size;
    const kept = isTorn || framed.end === durable ? framed : await intactPart(last, durable);
    if (kept === undefined) {
      await replaceSegmentAt(stream, last.first, access, durable);
      return;
    }
    const isEmpty = kept.end === last.first;
    await cutOff(last, { ...framed, ...kept }, isEmpty, access);
    last.bytes = kept.bytes;
    stream.end = kept.end;
    // A segment without records was only just started, so the segment before it is now the last one.
    if (!isEmpty) return;
    segments.pop();
  }
}

/** Like {@link framedPart}, but reads every record. Returns undefined if a record is lost, or if the file must be replaced. */
async function intactPart(
  { stream, first, path }: Segment,
  until: number | undefined,
): Promise<Omit<FramedPart, 'size'> | undefined> {
  const file = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const salvage = salvageOf(file, { stream, first, until, isLast: true });
  if (salvage === undefined || salvage.lost.length > 0) return undefined;
  const bytes = salvage.end === first ? 0 : salvage.bytes;
  return bytes === undefined ? undefined : { end: salvage.end, bytes };
}

/** Cuts off and reports a torn tail that a crash left, and syncs the rest. Removes a segment without records. */
async function cutOff(
  segment: Segment,
  { end, bytes, size }: FramedPart,
  isEmpty: boolean,
  { operations, recovered }: WritableAccess,
): Promise<void> {
  try {
    if (isEmpty) {
      await unlink(segment.path);
    } else {
      await using file = await operations.openSegment(segment.path, 'r+');
      if (bytes < size) await file.truncate(bytes);
      await file.datasync();
    }
    await operations.syncFolder(dirname(segment.path));
  } catch (error) {
    throw unwritable(segment.path, error);
  }
  const cut = isEmpty ? size : size - bytes;
  if (cut > 0) recovered({ stream: segment.stream, file: segment.file, bytes: cut, record: end });
}

async function namesIn(path: string): Promise<string[] | undefined> {
  try {
    return await readdir(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}
