import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AortaError, makeFolder, readIfThere, replaceFile, unwritable, writeFully } from '@aorta/runtime';
import type { KeptEntries } from '../ownership.ts';

/** Increase this number if the entries must be derived from the streams again. */
const FORMAT = 1;
const HEADER = `${JSON.stringify({ format: FORMAT })}\n`;
const LINE_END = 0x0a;
/** Bytes of obsolete lines, in addition to the size of the entries, after which the file is rewritten. */
const SLACK_BYTES = 1024 * 1024;

type Change = readonly [name: string, text: string | null];

/**
 * Named strings in a file, for a job that only one process runs. Each write appends one line for each changed entry, and a
 * line replaces all earlier lines of its entry. The file is rewritten when most of its lines are obsolete, and when it is closed
 * after a deletion. A damaged file counts as missing.
 */
class KeptFile implements KeptEntries {
  readonly #path: string;
  readonly #slack: number;
  #entries: ReadonlyMap<string, string>;
  /** Length of the complete and durable lines; 0 if there is no file yet. */
  #bytes: number;
  /** Length of the file when it was last rewritten. */
  #rewritten: number;
  #deletes = false;
  /** The last write. It never rejects. */
  #last: Promise<void> = Promise.resolve();

  constructor(path: string, slack: number, { entries, bytes }: Lines) {
    this.#path = path;
    this.#slack = slack;
    this.#entries = entries;
    this.#bytes = bytes;
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
  }

  async #append(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    if (this.#bytes === 0) await this.#replace(HEADER);
    const lines = Buffer.from(changes.map(lineOf).join(''), 'utf8');
    try {
      await using file = await open(this.#path, 'r+');
      // A failed write may have left lines behind.
      await file.truncate(this.#bytes);
      await writeFully(file, lines, this.#bytes);
      await file.datasync();
    } catch (error) {
      throw unwritable(this.#path, error);
    }
    this.#bytes += lines.length;
    this.#deletes ||= changes.some(([, text]) => text === null);
    if (this.#bytes > 2 * this.#rewritten + this.#slack) await this.#rewrite();
  }

  async #rewrite(): Promise<void> {
    const { entries } = await linesIn(this.#path);
    await this.#replace(`${HEADER}${[...entries].map(lineOf).join('')}`);
    this.#deletes = false;
  }

  async #replace(text: string): Promise<void> {
    await makeFolder(dirname(this.#path));
    await replaceFile(this.#path, [text]);
    this.#bytes = Buffer.byteLength(text, 'utf8');
    this.#rewritten = this.#bytes;
  }
}

const lineOf = ([name, text]: Change): string => `${JSON.stringify(text === null ? [name] : [name, text])}\n`;

interface Lines {
  readonly entries: ReadonlyMap<string, string>;
  /** Length of the complete lines; 0 if the file is missing, damaged or in an earlier format. */
  readonly bytes: number;
}

const NONE: Lines = { entries: new Map(), bytes: 0 };

/** Reads the complete lines of the file. A crash may leave an incomplete line at its end, which nobody was told is durable. */
async function linesIn(path: string): Promise<Lines> {
  const content = await readIfThere(path);
  if (content === undefined) return NONE;
  const entries = new Map<string, string>();
  let at = 0;
  try {
    for (let end = content.indexOf(LINE_END); end !== -1; end = content.indexOf(LINE_END, at)) {
      const line: unknown = JSON.parse(content.toString('utf8', at, end));
      if (at === 0) {
        const { format } = line as { readonly format: number };
        if (format > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path, found: format, known: FORMAT });
        if (format !== FORMAT) return NONE;
      } else {
        const [name, text] = line as readonly [string, string?];
        if (text === undefined) entries.delete(name);
        else entries.set(name, text);
      }
      at = end + 1;
    }
  } catch (error) {
    if (error instanceof AortaError) throw error;
    return NONE;
  }
  return { entries, bytes: at };
}

/**
 * Opens the entries of a job in a file, which the first write creates. `slack`: see {@link SLACK_BYTES}; only tests set it.
 * Rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE. Writes reject with AORTA-DATA-UNWRITABLE.
 */
export async function openKeptFile(path: string, slack = SLACK_BYTES): Promise<KeptEntries> {
  return new KeptFile(path, slack, await linesIn(path));
}
