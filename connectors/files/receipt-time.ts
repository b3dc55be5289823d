import type { AortaError } from '@aorta/runtime';
import { count, instant } from '@aorta/runtime/quantity';
import { isObject, type JsonObject } from '@aorta/schemas';
import { isAhead } from '../sources/delivery.ts';
import { type Content, EndlessLine } from './content.ts';
import { DamagedCompression } from './decompress.ts';
import { heldBy } from './delivery-line.ts';
import { entriesOf, type FileEntry } from './entries.ts';
import { FileError } from './errors.ts';
import { parsed, type ReadableFormat } from './format.ts';
import { isImpossible, isLate, isLateUpdate, LateTimeScan, type ReceiptClaim, timeOf } from './late-times.ts';

/** An open file, and how it is split into events. */
export interface FormattedContent {
  readonly content: Content;
  readonly format: ReadableFormat;
  /** Maximum size of a line in bytes. */
  readonly limit: number;
}

/**
 * Throws AORTA-FILE-AHEAD or AORTA-FILE-BEHIND if the events of a plain event file cannot have been received at the claimed
 * time. If `isStated`, the user has stated this time; otherwise it is the modification time of the file. The file is
 * - ahead if this time is in the future,
 * - behind if the `updated_at` of an event is more than 5 minutes later, or if the newest times of more than half of the
 *   events with times are more than 24 hours later. Times in the future do not count, because no receipt could be later.
 */
export async function checkReceipt(file: FormattedContent, claim: ReceiptClaim, isStated: boolean): Promise<void> {
  const { receivedAt, now } = claim;
  const isInFuture = !isStated && isAhead(receivedAt, now);
  // Times in the future do not count, so nothing in the data can contradict a claimed time of now or later.
  if (!isInFuture && receivedAt >= now * 1000) return;
  if (!(await needsReceiptTime(file))) return;
  if (isInFuture) throw aheadError(file.content.label, receivedAt);
  const scan = new LateTimeScan(claim);
  // The hash of the content needs a pass over the whole file in any case.
  await file.content.hash((chunk) => scan.push(chunk));
  const problem = scan.found ? await evidenceAgainst(file, claim) : undefined;
  if (problem === undefined) return;
  const origin = isStated ? 'as stated' : 'its modification time';
  throw new FileError('AORTA-FILE-BEHIND', { file: file.content.label, time: instant(receivedAt), origin, problem });
}

function aheadError(file: string, modifiedAt: number): AortaError {
  const date = new Date(modifiedAt / 1000);
  const time = Number.isNaN(date.getTime()) ? 'after the year 275759' : `at ${date.toISOString()}`;
  return new FileError('AORTA-FILE-AHEAD', { file, time });
}

/** Returns whether the entries of a file state no time of receipt. */
async function needsReceiptTime(file: FormattedContent): Promise<boolean> {
  const { format } = file;
  if (format.kind === 'lines' && format.holds !== undefined) return format.holds === 'events';
  let hasEntries = false;
  for await (const { bytes } of undamagedEntries(file)) {
    if (bytes === null) continue;
    hasEntries = true;
    const holds = heldBy(parsed(bytes));
    if (holds !== undefined) return holds === 'events';
  }
  return hasEntries;
}

async function evidenceAgainst(file: FormattedContent, claim: ReceiptClaim): Promise<string | undefined> {
  let dated = 0;
  let late = 0;
  for await (const { number, bytes } of undamagedEntries(file)) {
    const event = bytes === null ? undefined : parsed(bytes);
    const data = isObject(event) && isObject(event.data) ? event.data : {};
    if (isLateUpdate(timeOf(data.updated_at), claim)) return `earlier than \`updated_at\` in line ${number}`;
    const newest = newestTime(data, claim);
    if (newest === undefined) continue;
    dated += 1;
    if (isLate(newest, claim)) late += 1;
  }
  return late * 2 > dated
    ? `more than 24 hours earlier than the newest times of ${count(late)} of ${count(dated)} deliveries`
    : undefined;
}

/**
 * Members with the time of something that had already happened when the service sent the event. Others, such as `end_at`,
 * may be plans.
 */
const PAST = [
  'timestamp',
  'start',
  'end',
  'date',
  'calendar_date',
  'time_start',
  'time_end',
  'bedtime_start',
  'bedtime_stop',
  'session_start',
  'session_end',
  'created_at',
  'updated_at',
  'created_on',
];

/** Returns the newest possible time of an event's data, or undefined if it has none. */
function newestTime(data: JsonObject, claim: ReceiptClaim): number | undefined {
  let newest = Number.NEGATIVE_INFINITY;
  for (const part of [data, ...(Array.isArray(data.data) ? data.data : [])]) {
    if (!isObject(part)) continue;
    for (const member of PAST) {
      const time = timeOf(part[member]);
      if (time > newest && !isImpossible(time, claim)) newest = time;
    }
  }
  return newest === Number.NEGATIVE_INFINITY ? undefined : newest;
}

/** Yields the entries before any damage, which is reported when the file is read. */
async function* undamagedEntries({ content, format, limit }: FormattedContent): AsyncGenerator<FileEntry> {
  try {
    for await (const entries of entriesOf(content, format, limit, () => {})) yield* entries;
  } catch (error) {
    if (!(error instanceof DamagedCompression || error instanceof EndlessLine)) throw error;
  }
}
