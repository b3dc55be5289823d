import { randomUUID } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type FileOperations,
  makeFolder,
  readJson,
  systemCode,
  UNFINISHED,
  unreadable,
  unwritable,
  writeDurably,
} from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { z } from 'zod';
import { SegmentError } from './errors.ts';
import { GroupPositions } from './group-positions.ts';
import { examineSegment, type RecoveredTail, type SegmentState } from './recovery.ts';
import { firstOf, Segment } from './segment.ts';

const streamFile = z.object({ incarnation: z.string().min(1) });

/** The incarnation that a read-only log reports for a stream that was never written. */
const NO_INCARNATION = '00000000-0000-0000-0000-000000000000';

export interface StreamFolder {
  readonly name: StreamName;
  readonly path: string;
  readonly incarnation: string;
  /** Whether the stream's folder and incarnation exist on the disk. */
  made: boolean;
  readonly segments: Segment[];
  /** The position after the last visible record. */
  end: number;
  /** Damage in the last segment. The number of lost records is unknown, so no record can be appended. */
  readonly damage: { readonly file: string; readonly record: number } | undefined;
  readonly positions: GroupPositions;
}

export type Access =
  | { readonly writable: false }
  /** Torn tails are cut and reported to `recovered`. */
  | { readonly writable: true; readonly operations: FileOperations; readonly recovered: (tail: RecoveredTail) => void };

/**
 * Opens a stream's folder. Examines only the last segment, and only the starts and ends of its blocks. With write access, cuts
 * off a torn tail that a crash left behind. Then syncs the rest, because the previous process may have ended between a write and
 * its sync. Without write access, ignores an incomplete tail, because another process may still be writing it.
 */
export async function openStreamFolder(folder: string, name: StreamName, access: Access): Promise<StreamFolder> {
  const path = join(folder, name);
  const names = await namesIn(path);
  const firsts = (names ?? []).map(firstOf).filter((first) => first !== undefined);
  const segments = firsts.sort((a, b) => a - b).map((first) => new Segment(name, path, first));
  const file = join(path, 'stream.json');
  const content = names === undefined ? undefined : await readJson(file);
  const known = streamFile.safeParse(content);
  if (!known.success && content !== undefined) throw new SegmentError('AORTA-INCARNATION-DAMAGED', { file });
  const positions = new GroupPositions(path);
  const incarnation = known.data?.incarnation ?? (access.writable ? randomUUID() : NO_INCARNATION);
  if (!known.success) {
    if (segments.length === 0) return { name, path, incarnation, made: false, segments, end: 0, damage: undefined, positions };
    // The file is durable before the first segment is created. So a user has deleted it, because it was damaged.
    if (access.writable) await writeDurably(file, { incarnation });
  }

  await positions.load(incarnation, access.writable);
  const { end, damage } = await settleLastSegment(segments, access);
  if (access.writable) {
    for (const unfinished of names!) if (unfinished.endsWith(UNFINISHED)) await unlink(join(path, unfinished));
  }
  return { name, path, incarnation, made: true, segments, end, damage, positions };
}

/** Creates a stream's folder and its incarnation on the disk before the first write. Rejects with AORTA-DATA-UNWRITABLE if that fails. */
export async function makeStreamFolder(stream: StreamFolder): Promise<void> {
  if (stream.made) return;
  await makeFolder(stream.path);
  await writeDurably(join(stream.path, 'stream.json'), { incarnation: stream.incarnation });
  stream.made = true;
}

async function settleLastSegment(segments: Segment[], access: Access): Promise<Pick<StreamFolder, 'end' | 'damage'>> {
  for (;;) {
    const last = segments.at(-1);
    if (last === undefined) return { end: 0, damage: undefined };
    const state = await examineSegment(last);
    last.bytes = state.bytes;
    if (state.kind === 'damaged') {
      // The damaged block holds at least one record, so the end is after that record.
      return { end: state.end + 1, damage: { file: last.file, record: state.end } };
    }
    const empty = state.end === last.first;
    if (access.writable) await cutOff(last, state, empty, access);
    // A segment without records was only just started, so the segment before it is now the last one.
    if (!empty) return { end: state.end, damage: undefined };
    segments.pop();
  }
}

/** Cuts off and reports a torn tail that a crash left. Removes a segment without records. */
async function cutOff(
  segment: Segment,
  state: SegmentState,
  empty: boolean,
  { operations, recovered }: Extract<Access, { writable: true }>,
): Promise<void> {
  await settleFile(segment, empty ? 'remove' : state, operations);
  const torn = state.kind === 'torn' ? state.torn : 0;
  const cut = empty ? state.bytes + torn : torn;
  if (cut > 0) recovered({ stream: segment.stream, file: segment.file, bytes: cut, record: state.end });
}

/** Removes a segment, or cuts its torn tail and syncs the rest. */
async function settleFile(segment: Segment, state: 'remove' | SegmentState, operations: FileOperations): Promise<void> {
  try {
    if (state === 'remove') {
      await unlink(segment.path);
    } else {
      await using file = await operations.openSegment(segment.path, 'r+');
      if (state.kind === 'torn') await file.truncate(state.bytes);
      await file.datasync();
    }
    await operations.syncFolder(dirname(segment.path));
  } catch (error) {
    throw unwritable(segment.path, error);
  }
}

async function namesIn(path: string): Promise<string[] | undefined> {
  try {
    return await readdir(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}
