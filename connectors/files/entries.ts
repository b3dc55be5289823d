import type { Content } from './content.ts';
import { type Format, isJsonObject, type ReadableFormat, withoutMark } from './format.ts';
import { isBlank, type Line, LineSplitter } from './lines.ts';

/** The bytes of one event or delivery in a file. */
export interface FileEntry {
  /** Number of the entry's first line, counted from 1. */
  readonly number: number;
  /** Index of an array element, counted from 1. Several elements may be on one line. */
  readonly element?: number;
  /** Null if the line exceeds the limit, or is incomplete. */
  readonly bytes: Buffer | null;
  /** Set if the file ends in the middle of this entry, which then is not a delivery. */
  readonly incomplete?: 'line' | 'document';
}

/** Yields the entries of a file in order, in groups. Blank lines are skipped. `onRead` is called with the number of bytes read from disk. */
export async function* entriesOf(
  content: Content,
  format: ReadableFormat,
  limit: number,
  onRead: (bytes: number) => void,
): AsyncGenerator<readonly FileEntry[]> {
  if (format.kind !== 'lines') {
    if (format.kind === 'incomplete') yield [{ number: format.line, bytes: null, incomplete: 'document' }];
    else yield elements(format);
    onRead(content.size);
    return;
  }
  const splitter = new LineSplitter(limit);
  for await (const chunk of content.chunks(onRead)) yield lines(splitter.push(chunk));
  const last = splitter.end();
  if (last !== undefined) yield lines([last]).map(checkEnd);
}

function elements({ elements, array }: Extract<Format, { kind: 'document' }>): readonly FileEntry[] {
  return elements.map(({ bytes, line }, index) => ({ number: line, bytes, element: array ? index + 1 : undefined }));
}

/**
 * Marks a last line without a line end as incomplete unless it is one whole JSON object. A program may still be writing
 * the line, so a dead letter would keep half an event.
 */
function checkEnd(last: FileEntry): FileEntry {
  if (last.bytes === null || isJsonObject(withoutMark(last.bytes))) return last;
  return { number: last.number, bytes: null, incomplete: 'line' };
}

function lines(lines: readonly Line[]): readonly FileEntry[] {
  const entries: FileEntry[] = [];
  for (const line of lines) {
    if (line.bytes === null) entries.push(line);
    else {
      const bytes = line.number === 1 ? withoutMark(line.bytes) : line.bytes;
      if (!isBlank(bytes)) entries.push(bytes === line.bytes ? line : { number: line.number, bytes });
    }
  }
  return entries;
}
