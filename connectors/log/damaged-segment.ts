import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AortaError,
  errorFields,
  isAortaError,
  keepAside,
  type Logger,
  type OpenDamage,
  type ProgressReports,
  readIfThere,
  replaceFile,
  syncFolder,
  systemCode,
  unwritable,
} from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { decodeBlockStart, decodeHeader } from './container.ts';
import type { Loss } from './durable-ends.ts';
import { SegmentError } from './errors.ts';
import { endOf, segmentIndex } from './readable-stream.ts';
import { framedPart } from './recovery.ts';
import { headerFor, type Salvage, salvageOf } from './salvage.ts';
import { Segment } from './segment.ts';

/** The part of a stream that changes if a segment is damaged. */
export interface DamageableStream {
  readonly name: StreamName;
  readonly path: string;
  readonly segments: Segment[];
  /** The position after the last visible record. */
  end: number;
  /** The records that damage destroyed, in order. */
  readonly losses: Loss[];
}

export interface DamageReports {
  /** Receives an error for each segment that was damaged without a loss of records. */
  readonly repaired: (error: AortaError) => void;
}

export function lossError({ segment, from, to, after, aside }: Loss): AortaError {
  const since = after === null ? 'the beginning' : new Date(after / 1000).toISOString();
  return new SegmentError('AORTA-SEGMENT-LOST', { file: segment, first: from, last: to - 1, since, aside });
}

/** Returns whether the damaged file is still there. */
export function isKept(folder: string, { aside }: Loss): boolean {
  return existsSync(join(folder, aside));
}

export interface LossReports {
  readonly open: OpenDamage;
  readonly folder: string;
  readonly logger: Logger;
  /** While a loss is open, the program is not ready. */
  readonly progress: Pick<ProgressReports, 'wait'>;
}

/** Reports the losses of a log until a person has deleted the damaged files. */
export function reportLosses(losses: readonly Loss[], { open, folder, logger, progress }: LossReports): void {
  for (const loss of losses.filter((one) => isKept(folder, one))) {
    open.add(loss, join(folder, loss.aside), () => {
      const error = lossError(loss);
      logger.error('records are lost', errorFields(error));
      return progress.wait('streams', error.message, { deadlineMs: 0 });
    });
  }
}

/**
 * Finds the segment that should hold a position, and replaces it with its intact blocks. Adds the lost records to `losses`.
 * Does nothing if the segment is intact. Returns whether anything changed. `until` is the position after the last durable
 * record; undefined if it is unknown. Rejects with AORTA-SEGMENT-CORRUPT if the segment holds more records than fit before
 * the next one, and with AORTA-DATA-UNWRITABLE.
 */
export async function replaceSegmentAt(
  stream: DamageableStream,
  position: number,
  { repaired }: DamageReports,
  until: number | undefined,
): Promise<boolean> {
  const { name, path, segments, losses } = stream;
  const start = losses.findLast(({ to }) => to <= position)?.to ?? 0;
  const index = segmentIndex(segments, position);
  const found = segments[index];
  const isFound = found !== undefined && found.first >= start;
  const segment = isFound ? found : new Segment(name, path, start);
  const { first } = segment;
  const bounds = [losses.find(({ from }) => from >= first)?.from, segments[index + 1]?.first].filter((one) => one !== undefined);
  const isLast = bounds.length === 0;
  const file = await readIfThere(segment.path);
  const place = { stream: name, first, until: isLast ? until : Math.min(...bounds), isLast };
  const salvage = salvageOf(await withoutMoved(file ?? Buffer.alloc(0), segments[index + 1]), place);
  if (salvage === undefined) throw new SegmentError('AORTA-SEGMENT-CORRUPT', { file: segment.file, record: first });
  if (isLast) stream.end = salvage.end;
  if (salvage.lost.length === 0 && salvage.bytes === file?.length) return false;

  const replacement = await replaceDamaged(segment, path, file, salvage);
  segments.splice(isFound ? index : index + 1, isFound ? 1 : 0, ...replacement.segments);
  losses.push(...replacement.losses);
  losses.sort((a, b) => a.from - b.from);
  if (replacement.losses.length === 0) repaired(new SegmentError('AORTA-STREAM-REPAIRED', { file: segment.file }));
  return true;
}

/** Returns the part of a file before the blocks that an interrupted replacement has already moved to the next segment. */
async function withoutMoved(file: Buffer, next: Segment | undefined): Promise<Buffer> {
  const moved = next === undefined ? undefined : await readIfThere(next.path);
  const header = decodeHeader(moved ?? Buffer.alloc(0));
  if (moved === undefined || typeof header === 'string') return file;
  const whole = decodeBlockStart(moved, header.bytes)?.whole ?? 0;
  const at = whole === 0 ? -1 : file.indexOf(moved.subarray(header.bytes, header.bytes + whole));
  return at === -1 ? file : file.subarray(0, at);
}

/** Reads. If a segment is damaged, calls `replace` and then reads again. */
export async function readReplacing<T>(read: () => Promise<T>, replace: (position: number) => Promise<void>): Promise<T> {
  for (let replaced: unknown; ; ) {
    try {
      return await read();
    } catch (error) {
      const position = isAortaError(error) && error.code === 'AORTA-SEGMENT-CORRUPT' ? error.details.record : undefined;
      if (typeof position !== 'number' || position === replaced) throw error;
      replaced = position;
      await replace(position);
    }
  }
}

/**
 * Looks for sound segments that an operator has restored before deleting the damaged files. Removes the segments that Aorta
 * made from the damaged ones, and shortens the losses. Returns whether it found any.
 */
export async function takeRestored(folder: string, stream: DamageableStream): Promise<boolean> {
  const { segments, losses } = stream;
  let isRestored = false;
  for (const segment of [...segments]) {
    const settled = losses.filter((loss) => loss.segment === segment.file && !isKept(folder, loss));
    if (settled.length === 0) continue;
    const { end } = await framedPart(segment);
    if (settled.every(({ from }) => end <= from)) continue;
    isRestored = true;
    // The last segment may hold records that were appended later.
    const covered = segments.slice(0, -1).filter((one) => one.first > segment.first && endOf(stream, one) <= end);
    for (const one of covered) {
      await unlink(one.path);
      segments.splice(segments.indexOf(one), 1);
    }
    for (const loss of settled) {
      if (end < loss.to) loss.from = Math.max(end, loss.from);
      else losses.splice(losses.indexOf(loss), 1);
    }
  }
  return isRestored;
}

/** The segments that replace a damaged one, and the positions that they do not hold. */
interface Replacement {
  readonly segments: readonly Segment[];
  readonly losses: readonly Loss[];
}

/**
 * Replaces a damaged segment with segments of its intact blocks. If records are lost, keeps the damaged file, or an empty
 * file in its place if it was missing. After a crash, the folder holds the damaged segment and perhaps some of the new ones, so
 * a second call does the rest. `file` is the content of the damaged file, if it exists. Rejects with AORTA-DATA-UNWRITABLE.
 */
async function replaceDamaged(
  segment: Segment,
  folder: string,
  file: Buffer | undefined,
  salvage: Salvage,
): Promise<Replacement> {
  const { lost, bytes } = salvage;
  try {
    const suffix = lost.length > 0 ? await keepAside(segment.path) : '';
    const aside = `${segment.file}${suffix}`;
    const losses = lost.map((range) => ({ ...range, segment: segment.file, aside }));
    const isUnchanged = file !== undefined && bytes === file.length;
    if (isUnchanged) segment.bytes = bytes;
    const segments = isUnchanged ? [segment] : await writeRuns(segment, folder, salvage);
    await syncFolder(folder);
    return { segments, losses };
  } catch (error) {
    throw unwritable(segment.path, error);
  }
}

/**
 * Writes the last run first. After a crash, the damaged segment is still there and shows that work remains, because the
 * first run replaces it last.
 */
async function writeRuns(segment: Segment, folder: string, { runs, schema, sync }: Salvage): Promise<readonly Segment[]> {
  const written: Segment[] = [];
  for (const { position, blocks } of runs.toReversed()) {
    const { bytes: header } = headerFor(segment.stream, position, schema, sync);
    const content = Buffer.concat([header, ...blocks]);
    const one = new Segment(segment.stream, folder, position);
    await replaceFile(one.path, [content]);
    Object.assign(one, { bytes: content.length, header: { schema, sync, bytes: header.length } });
    written.unshift(one);
  }
  if (written[0]?.first !== segment.first) await unlink(segment.path).catch(ignoreMissing);
  return written;
}

function ignoreMissing(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error;
}
