import { type AortaError, isAortaError } from '@aorta/runtime';
import { type Content, EndlessLine } from './content.ts';
import { DamagedCompression } from './decompress.ts';
import { FileError } from './errors.ts';
import { foreignError, ownError } from './foreign.ts';
import { detectFormat, type Format, type ReadableFormat } from './format.ts';
import { checkReceipt } from './receipt-time.ts';

/** How a source reads its files. */
export interface AcceptanceOptions {
  /** Maximum size of a line or JSON document in bytes. */
  readonly limit: number;
  /** Time of receipt that the user stated, in microseconds since 1970. Default: the modification time of each file. */
  readonly receivedAt: number | undefined;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the caller named the file. An output of Aorta that was found in a folder is left out. Default: true. */
  readonly named?: boolean;
}

/** Codes of the errors that refuse a whole file. */
const refusals: ReadonlySet<string> = new Set(['AORTA-FILE-FORMAT', 'AORTA-FILE-BEHIND', 'AORTA-FILE-OWN']);

/**
 * Returns the format of a file that has not been read yet. `path` is empty for input that can be read only once. Returns an
 * error if the whole file is refused until the file, the stated time of receipt or the rules change. Throws other errors.
 */
export async function accept(content: Content, path: string, options: AcceptanceOptions): Promise<ReadableFormat | AortaError> {
  const { limit, receivedAt: stated, now } = options;
  try {
    const format = await formatOf(content, path, options);
    const claim = { receivedAt: stated ?? content.modifiedAt, now: now() };
    await checkReceipt({ content, format, limit }, claim, stated !== undefined);
    return format;
  } catch (error) {
    if (isAortaError(error) && refusals.has(error.code)) return error;
    throw error;
  }
}

/** Returns the format of a file. Throws AORTA-FILE-FORMAT, AORTA-FILE-OWN and AORTA-FILE-TOO-LARGE. */
export async function formatOf(
  content: Content,
  path: string,
  { limit, receivedAt, named = true }: AcceptanceOptions,
): Promise<ReadableFormat> {
  let format: Format = { kind: 'lines' };
  try {
    format = await detectFormat(content, limit);
  } catch (error) {
    // The lines before the damage are still read.
    if (!(error instanceof DamagedCompression || error instanceof EndlessLine)) throw error;
  }
  if (format.kind === 'too-large') throw tooLarge(content.label, 1, limit);
  if (format.kind === 'foreign' && format.format.kind === 'own' && !named) throw ownError(content.label, format.format.name);
  if (format.kind === 'foreign') throw foreignError(content, format.format, path, receivedAt);
  return format;
}

export function tooLarge(file: string, line: number, limit: number): AortaError {
  return new FileError('AORTA-FILE-TOO-LARGE', { file, line, limit });
}
