import type { Content } from './content.ts';
import { type Format, withoutMark } from './format.ts';
import { isBlank, type Line, LineSplitter } from './lines.ts';

/** One event or delivery of a file, as bytes. */
export interface FileEntry {
  /** Number of its line, from 1; of an element of an array, its ordinal from 1. For errors. */
  readonly number: number;
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
  if (format.kind === 'document') {
    yield format.elements.map((bytes, index) => ({ number: index + 1, bytes }));
    onRead(content.size);
    return;
  }
  const splitter = new LineSplitter(limit);
  for await (const chunk of content.chunks(onRead)) yield lines(splitter.push(chunk));
  const last = splitter.end();
  if (last !== undefined) yield lines([last]);
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
