import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AortaError } from '../errors/aorta-error.ts';
import { setAside } from './damaged-file.ts';
import { makeFolder, readIfThere, replaceFile } from './durable-file.ts';
import { unreadable, unwritable, writeFully } from './file-operations.ts';
import { sealJson, unsealJson } from './sealed-json.ts';

/** Increase this number if the entries must be derived from the streams again. */
const FORMAT = 1;
const HEADER = JSON.stringify({ format: FORMAT });
const LINE_END = 0x0a;
/** Bytes of obsolete lines, in addition to the size of the entries, after which the file is rewritten. */
const SLACK_BYTES = 1024 * 1024;

const NONE: Lines = { entries: new Map(), bytes: 0, sum: 0 };

/** If the text is null, the entry is deleted. */
type Change = readonly [name: string, text: string | null];

/** Named strings in a file. */
export interface FileEntries {
  /** Set if the file was damaged, and was moved aside. There are no entries then. */
  readonly damage: AortaError | undefined;
  /** Returns the entries that were found when the file was opened, and releases them from memory. Call it once. */
  take(): ReadonlyMap<string, string>;
  /**
   * Writes the entries durably, in this order. If the call fails, the first few may already be stored. Rejects with
   * AORTA-DATA-UNWRITABLE, and with AORTA-FILE-UNREADABLE if it notices damage.
   */
  write(entries: readonly Change[]): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

/**
 * Named strings in a file that only one process writes. Each write appends one line for each changed entry, and a line replaces
 * all earlier lines of its entry. The file is rewritten when most of its lines are obsolete, and when it is closed after a
 * deletion. Each line ends with a CRC-32, which continues the CRC-32 of the line before. So a reader notices a changed,
 * missing or repeated line.
 */
class KeptFile implements FileEntries {
  readonly damage: AortaError | undefined;
  readonly #path: string;
  readonly #slack: number;
  #entries: ReadonlyMap<string, string>;
  /** Length of the complete and durable lines; 0 if there is no file yet. */
  #bytes: number;
  /** CRC-32 of these lines. */
  #sum: number;
  /** Length of the file when it was last rewritten. */
  #rewritten: number;
  /** The open file, from the first write on. */
  #file: FileHandle | undefined;
  #deletes = false;
  /** The last write. It never rejects. */
  #last: Promise<void> = Promise.resolve();

  constructor(path: string, slack: number, { entries, bytes, sum }: Lines, damage: AortaError | undefined) {
    this.damage = damage;
    this.#path = path;
    this.#slack = slack;
    this.#entries = entries;
    this.#bytes = bytes;
    this.#sum = sum;
    this.#rewritten = bytes;
  }

  take(): ReadonlyMap<string, string> {
    const entries = this.#entries;
    this.#entries = new Map();
    return entries;
  }

  write(changes: readonly Change[]): Promise<void> {
    const written = this.#last.then(() => this.#append(changes));
    this.#last = written.catch(() => {});
    return written;
  }

  async close(): Promise<void> {
    await this.#last;
    if (this.#deletes) await this.#rewrite().catch(() => {});
    await this.#release();
  }

  async #append(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    if (this.#bytes === 0) await this.#replace([]);
    const { text, sum } = linesOf(changes.map(lineOf), this.#sum);
    const lines = Buffer.from(text, 'utf8');
    try {
      this.#file ??= await this.#open();
      await writeFully(this.#file, lines, this.#bytes);
      await this.#file.datasync();
    } catch (error) {
      await this.#release();
      throw unwritable(this.#path, error);
    }
    this.#bytes += lines.length;
    this.#sum = sum;
    this.#deletes ||= changes.some(([, text]) => text === null);
    if (this.#bytes > 2 * this.#rewritten + this.#slack) await this.#rewrite();
  }

  async #open(): Promise<FileHandle> {
    await using opening = new AsyncDisposableStack();
    const file = opening.use(await open(this.#path, 'r+'));
    // A crash or a failed write may have left lines behind.
    await file.truncate(this.#bytes);
    opening.move();
    return file;
  }

  async #release(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => {});
  }

  async #rewrite(): Promise<void> {
    const lines = await linesIn(this.#path);
    if (lines === undefined) throw unreadable(this.#path, { code: 'damaged' });
    await this.#replace([...lines.entries]);
    this.#deletes = false;
  }

  async #replace(changes: readonly Change[]): Promise<void> {
    const { text, sum } = linesOf([HEADER, ...changes.map(lineOf)], 0);
    await this.#release();
    await makeFolder(dirname(this.#path));
    await replaceFile(this.#path, [text]);
    this.#bytes = Buffer.byteLength(text, 'utf8');
    this.#sum = sum;
    this.#rewritten = this.#bytes;
  }
}

const lineOf = ([name, text]: Change): string => JSON.stringify(text === null ? [name] : [name, text]);

/** Returns the lines with their CRC-32s. `before` is that of the line before. */
function linesOf(lines: readonly string[], before: number): { readonly text: string; readonly sum: number } {
  let text = '';
  let sum = before;
  for (const line of lines) {
    const sealed = sealJson(line, sum);
    text += `${sealed.text}\n`;
    ({ sum } = sealed);
  }
  return { text, sum };
}

interface Lines {
  readonly entries: ReadonlyMap<string, string>;
  /** Length of the complete lines; 0 if the file is missing or in an earlier format. */
  readonly bytes: number;
  /** CRC-32 of these lines. */
  readonly sum: number;
}

/**
 * Reads the complete lines of the file. A crash may leave an incomplete line at its end. That line was never reported as
 * durable. Returns undefined if the file is damaged.
 */
async function linesIn(path: string): Promise<Lines | undefined> {
  const content = await readIfThere(path);
  if (content === undefined) return NONE;
  const entries = new Map<string, string>();
  let at = 0;
  let sum = 0;
  for (let end = content.indexOf(LINE_END); end !== -1; end = content.indexOf(LINE_END, at)) {
    const line = unsealJson(content.subarray(at, end), sum);
    if (line === undefined) return undefined;
    if (at === 0) {
      const { format } = JSON.parse(line.json) as { readonly format: number };
      if (format > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found: format, known: FORMAT });
      if (format !== FORMAT) return NONE;
    } else {
      const [name, text] = JSON.parse(line.json) as readonly [string, string?];
      if (text === undefined) entries.delete(name);
      else entries.set(name, text);
    }
    at = end + 1;
    ({ sum } = line);
  }
  // The file is created with its first line.
  return at === 0 ? undefined : { entries, bytes: at, sum };
}

interface KeptFileOptions {
  /** How the caller continues if the file was damaged, as a phrase for the log. */
  readonly consequence?: string;
  /** See {@link SLACK_BYTES}. Only tests set it. */
  readonly slack?: number;
}

/**
 * Opens the entries in a file, which the first write creates. Moves a damaged file aside, and sets `damage`. Rejects with
 * AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE, and with AORTA-DATA-UNWRITABLE if a damaged file cannot be moved aside.
 */
export async function openKeptFile(path: string, options: KeptFileOptions = {}): Promise<FileEntries> {
  const { consequence = 'the job starts over, and does its work again', slack = SLACK_BYTES } = options;
  const lines = await linesIn(path);
  const damage = lines === undefined ? await setAside(path, consequence) : undefined;
  return new KeptFile(path, slack, lines ?? NONE, damage);
}

/**
 * Reads the entries of a file that another process may be writing. Returns undefined if the file is damaged. Rejects with
 * AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE.
 */
export async function readKeptFile(path: string): Promise<ReadonlyMap<string, string> | undefined> {
  return (await linesIn(path))?.entries;
}
