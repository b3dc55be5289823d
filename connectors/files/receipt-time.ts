import type { AortaError } from '@aorta/runtime';
import { isAhead } from '../sources/delivery.ts';
import { type Content, EndlessLine } from './content.ts';
import { DamagedCompression } from './decompress.ts';
import { entriesOf, type FileEntry } from './entries.ts';
import { FileError } from './errors.ts';
import { kindOf } from './file-reader.ts';
import type { ReadableFormat } from './format.ts';

/** An open file, and how it is split into events. */
export interface FormattedContent {
  readonly content: Content;
  readonly format: ReadableFormat;
  /** Maximum size of a line in bytes. */
  readonly limit: number;
}

/** Throws AORTA-FILE-AHEAD if the modification time of a plain event file, in microseconds since 1970, is in the future. */
export async function checkReceipt(file: FormattedContent, modifiedAt: number, now: number): Promise<void> {
  if (isAhead(modifiedAt, now) && (await needsReceiptTime(file))) throw aheadError(file.content.label, modifiedAt);
}

function aheadError(file: string, modifiedAt: number): AortaError {
  const date = new Date(modifiedAt / 1000);
  const time = Number.isNaN(date.getTime()) ? 'after the year 275759' : `at ${date.toISOString()}`;
  return new FileError('AORTA-FILE-AHEAD', { file, time });
}

/** Returns whether the entries of a file state no time of receipt. */
async function needsReceiptTime(file: FormattedContent): Promise<boolean> {
  let hasEntries = false;
  for await (const { bytes } of undamagedEntries(file)) {
    if (bytes === null) continue;
    hasEntries = true;
    const kind = kindOf(bytes);
    if (kind !== undefined) return kind === 'events';
  }
  return hasEntries;
}

/** Yields the entries before any damage, which is reported when the file is read. */
async function* undamagedEntries({ content, format, limit }: FormattedContent): AsyncGenerator<FileEntry> {
  try {
    for await (const entries of entriesOf(content, format, limit, () => {})) yield* entries;
  } catch (error) {
    if (!(error instanceof DamagedCompression || error instanceof EndlessLine)) throw error;
  }
}
