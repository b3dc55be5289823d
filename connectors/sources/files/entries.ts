import type { Content } from './content.ts';
import { type Format, withoutMark } from './format.ts';
import { isBlank, type Line, LineSplitter } from './lines.ts';

/** One event or delivery of a file, as bytes. */
export interface FileEntry {
  /** Number of the line that it begins on, from 1. */
  readonly number: number;
  /** Of an element of an array: its ordinal, from 1. An array may stand on one line. */
  readonly element?: number;
  /** Null where the line is longer than may be held. */
  readonly bytes: Buffer | null;
}

/** The entries of a file in order, some at a time; blank lines are none. `onRead` hears the bytes read from the disk. */
export async function* entriesOf(
  content: Content,
  format: Exclude<Format, { kind: 'too-large' }>,
  limit: number,
  onRead: (bytes: number) => void,
): AsyncGenerator<readonly FileEntry[]> {
  if (format.kind !== 'lines') {
    yield format.kind === 'binary' ? [{ number: 1, bytes: format.bytes }] : elements(format);
    onRead(content.size);
    return;
  }
  const splitter = new LineSplitter(limit);
  for await (const chunk of content.chunks(onRead)) yield lines(splitter.push(chunk));
  const last = splitter.end();
  if (last !== undefined) yield lines([last]);
}

function elements({ elements, array }: Extract<Format, { kind: 'document' }>): readonly FileEntry[] {
  return elements.map(({ bytes, line }, index) => ({ number: line, bytes, ...(array ? { element: index + 1 } : {}) }));
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
