import type { AortaError } from '@aorta/runtime';
import { instant } from '@aorta/runtime/quantity';
import { shellWord } from '@aorta/runtime/shell-word';
import type { Content } from './content.ts';
import type { Compression } from './decompress.ts';
import { FileError } from './errors.ts';

export const webPage: ForeignFormat = { name: 'a web page or an XML document', kind: 'download' };

/** A format that Aorta recognizes, but does not read. */
export interface ForeignFormat {
  /** Completes `FILE is …`. */
  readonly name: string;
  /**
   * How to get the events. `filter`: a command that reads one stream, from a file or standard input. `archive`: a command that
   * writes the content of all files in an archive. `download`: a server sent the wrong file. `export`: no command helps. `own`:
   * Aorta writes such files, so one that is found in a folder is left out.
   */
  readonly kind: Kind;
}

type Kind =
  | { readonly filter: string; readonly archive?: undefined }
  | { readonly archive: string; readonly filter?: undefined }
  | 'download'
  | 'export'
  | 'own';

/** Number of bytes at the start of the uncompressed content that determine the format. A tar header needs all of them. */
export const START_BYTES = 512;

type Row = readonly [is: (start: Buffer) => boolean, format: ForeignFormat];

const starts =
  (magic: string, at = 0) =>
  (start: Buffer): boolean =>
    start.toString('latin1', at, at + magic.length) === magic;

const filter = (name: string, command: string): ForeignFormat => ({ name, kind: { filter: command } });
const archive = (name: string, command: string): ForeignFormat => ({ name, kind: { archive: command } });
const other = (name: string): ForeignFormat => ({ name, kind: 'export' });
const own = (name: string): ForeignFormat => ({ name, kind: 'own' });
const utf = (encoding: string): ForeignFormat => filter(`${encoding.slice(0, 6)} text`, `iconv -f ${encoding} -t UTF-8`);

/**
 * Formats by their first bytes. JSON in UTF-8 begins with a bracket, a quote, a letter, a digit or white space, and contains
 * no zero byte, so no row matches it. Gzip and zstd are here because a file may be compressed twice.
 */
const rows: readonly Row[] = [
  [starts('\x1f\x8b'), filter('gzip data', 'gzip -dc')],
  [starts('\x28\xb5\x2f\xfd'), filter('zstd data', 'zstd -dc')],
  [starts('\xfd7zXZ\0'), filter('xz data', 'xz -dc')],
  [starts('\x5d\0\0'), filter('LZMA data', 'xz -dc')],
  [
    (start) => starts('BZh')(start) && ['1AY&SY', '\x17rE8P\x90'].some((block) => starts(block, 4)(start)),
    filter('bzip2 data', 'bzip2 -dc'),
  ],
  [starts('\x04\x22\x4d\x18'), filter('lz4 data', 'lz4 -dc')],
  [starts('LZIP'), filter('lzip data', 'lzip -dc')],
  [starts('\x89LZO\0'), filter('lzop data', 'lzop -dc')],
  [starts('\x1f\x9d'), filter('`compress` data', 'gzip -dc')],
  [(start) => starts('PK\x03\x04')(start) || starts('PK\x05\x06')(start), archive('a ZIP archive', 'unzip -p')],
  [starts("7z\xbc\xaf'\x1c"), archive('a 7z archive', '7z x -so')],
  [starts('Rar!\x1a\x07'), archive('a RAR archive', 'unrar p -inul')],
  [isTar, archive('a tar archive', 'tar -xOf')],
  [(start) => starts('\xff\xfe\0\0')(start) || starts('{\0\0\0')(start) || starts('[\0\0\0')(start), utf('UTF-32LE')],
  [(start) => starts('\0\0\xfe\xff')(start) || starts('\0\0\0{')(start) || starts('\0\0\0[')(start), utf('UTF-32BE')],
  [(start) => starts('\xff\xfe')(start) || starts('{\0')(start) || starts('[\0')(start), utf('UTF-16LE')],
  [(start) => starts('\xfe\xff')(start) || starts('\0{')(start) || starts('\0[')(start), utf('UTF-16BE')],
  [starts('-----BEGIN PGP MESSAGE'), filter('encrypted with PGP', 'gpg -d')],
  [starts('PAR1'), other('a Parquet file')],
  [starts('Obj\x01'), other('an Avro file')],
  [starts('ORC'), other('an ORC file')],
  [starts('ARROW1\0'), other('an Arrow file')],
  [starts('SQLite format 3\0'), other('an SQLite database')],
  [isDuckDb, own('a DuckDB database')],
  [starts('d\0be\0'), own('a write-ahead log of DuckDB')],
  [starts('%PDF-'), other('a PDF document')],
];

/** Returns the foreign format of a file whose uncompressed content starts with these bytes, or undefined. */
export function foreignFormatOf(start: Buffer): ForeignFormat | undefined {
  return rows.find(([is]) => is(start))?.[1];
}

export const binaryData = other('binary data of an unknown format');
export const textWithoutJson = other('text without JSON objects');
export const stateOfAorta = own('a state file of Aorta');
export const logOfAorta = own('a log in the format of Aorta');
export const largeZstd = filter('zstd data that needs more than 128 MiB of memory', 'zstd -dc --long=31');

/** Whether the bytes are the header of a DuckDB file. The upper bytes of its version number are 0, which no text contains. */
function isDuckDb(start: Buffer): boolean {
  return starts('DUCK', 8)(start) && start.subarray(14, 20).equals(Buffer.alloc(6));
}

/** Whether the bytes are a tar header: its checksum is the sum of its bytes, with spaces in place of the checksum (POSIX ustar). */
function isTar(start: Buffer): boolean {
  if (start.length < START_BYTES) return false;
  const stated = /^ *([0-7]+)[\0 ]/.exec(start.toString('latin1', 148, 156))?.[1];
  if (stated === undefined) return false;
  let sum = 8 * 32;
  for (let at = 0; at < START_BYTES; at += 1) if (at < 148 || at >= 156) sum += start[at]!;
  return sum === Number.parseInt(stated, 8);
}

/**
 * Returns the error for a file in a foreign format. `path` is empty for input that can be read only once. The printed command
 * gives the events the same time of receipt as a plain file would have: the `stated` time in microseconds since 1970, or the
 * modification time.
 */
export function foreignError(
  { label: file, compression, modifiedAt }: Pick<Content, 'label' | 'compression' | 'modifiedAt'>,
  { name, kind }: ForeignFormat,
  path: string,
  stated: number | undefined,
): AortaError {
  const format = compression === undefined ? name : `${name}, compressed with ${compression}`;
  const receivedAt = stated ?? (path === '' ? undefined : modifiedAt);
  const ending = `aorta load -${receivedAt === undefined ? '' : ` --received-at ${instant(receivedAt)}`}`;
  const word = path === '' ? 'FILE' : shellWord(path);
  return new FileError('AORTA-FILE-FORMAT', { file, format, advice: adviceFor(kind, compression, word, ending) });
}

/** Returns the error for an output of Aorta that was found in a folder, and is left out. `what` completes `FILE is …`. */
export function ownError(file: string, what: string): AortaError {
  return new FileError('AORTA-FILE-OWN', { file, what });
}

/** Returns the error for an output of Aorta that the caller named as input. */
export function namedError(file: string, what: string): AortaError {
  return new FileError('AORTA-FILE-FORMAT', { file, format: what, advice: adviceFor('own', undefined, '', '') });
}

function adviceFor(kind: Kind, outer: Compression | undefined, file: string, ending: string): string {
  if (kind === 'export') return 'Export the events as JSON.';
  if (kind === 'own') return 'Name the files with the events instead.';
  if (kind === 'download')
    return 'A server may have sent it in place of the events, for example because a link had expired. Download the file again.';
  if (kind.filter !== undefined) {
    const filters = outer === undefined ? `${kind.filter} ${file}` : `${outer} -dc ${file} | ${kind.filter}`;
    return `Run \`${filters} | ${ending}\`.`;
  }
  // Only tar detects by itself that an archive is compressed.
  if (outer !== undefined && !kind.archive.startsWith('tar ')) return 'Unpack it, and load the files.';
  return `Run \`${kind.archive} ${file} | ${ending}\`. If it holds several JSON documents, unpack it and load the files instead.`;
}
