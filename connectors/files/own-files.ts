import { fstatSync, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { LOGGER_NAME, readJson, unsealJson } from '@aorta/runtime';
import { isObject } from '@aorta/schemas';
import type { Outputs } from '../source.ts';
import { type ForeignFormat, logOfAorta, stateOfAorta } from './foreign.ts';

export const streamsOfAorta = 'a folder with streams of Aorta';

/** Maximum size of the file that marks a folder with streams, in bytes. */
const MARK_BYTES = 4096;

/** Recognizes the outputs of this process, even under another name or through a link. */
export class OwnFiles {
  readonly #paths: ReadonlyMap<string, string>;
  readonly #inodes: ReadonlyMap<string, string>;

  private constructor(paths: ReadonlyMap<string, string>, inodes: ReadonlyMap<string, string>) {
    this.#paths = paths;
    this.#inodes = inodes;
  }

  static async of(outputs: Outputs | undefined): Promise<OwnFiles> {
    const { paths = new Map<string, string>(), descriptors = new Map<number, string>() } = outputs ?? {};
    const real = [...paths].map(async ([path, what]) => [await realPathOf(path), what] as const);
    return new OwnFiles(new Map(await Promise.all(real)), new Map([...descriptors].flatMap(openFile)));
  }

  /** If a file or folder is an output, or inside one, returns what it is. `real` is its real path. */
  whatIs(real: string, facts: Stats): string | undefined {
    const written = facts.isFile() ? this.#inodes.get(inodeOf(facts)) : undefined;
    if (written !== undefined) return written;
    for (const [path, what] of this.#paths) if (real === path || real.startsWith(`${path}${sep}`)) return what;
    return undefined;
  }
}

const inodeOf = ({ dev, ino }: Stats): string => `${dev} ${ino}`;

function openFile([descriptor, what]: readonly [number, string]): [string, string][] {
  try {
    const facts = fstatSync(descriptor);
    return facts.isFile() ? [[inodeOf(facts), what]] : [];
  } catch {
    // The descriptor is closed.
    return [];
  }
}

/** Returns the real path of a file that may not exist yet, and whose folders may not exist yet. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(await realPathOf(folder), basename(path));
  }
}

/** Returns whether a folder with a file `format.json` holds streams of any installation of Aorta. */
export async function holdsStreams(folder: string): Promise<boolean> {
  const mark = join(folder, 'format.json');
  try {
    const facts = await stat(mark);
    const content = facts.isFile() && facts.size <= MARK_BYTES ? await readJson(mark) : undefined;
    return isObject(content) && typeof content.format === 'number';
  } catch {
    // The scan reports the file itself if it cannot be read.
    return false;
  }
}

/** Returns the format of a file that Aorta wrote, judging by its first line that is a JSON object. */
export function ownFormatOf(line: Buffer, object: unknown): ForeignFormat | undefined {
  if (!isObject(object) || 'event_type' in object) return undefined;
  if ('crc32' in object && unsealJson(line) !== undefined) return stateOfAorta;
  const { name, level, time, msg } = object;
  const isLog = name === LOGGER_NAME && typeof level === 'number' && typeof time === 'string' && typeof msg === 'string';
  return isLog ? logOfAorta : undefined;
}
