import { existsSync } from 'node:fs';
import { link, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AortaError } from '../errors/aorta-error.ts';
import { FILE_MODE, syncFolder, systemCode, unwritable } from './file-operations.ts';

/** Suffix of a damaged file that was moved or kept. */
export const DAMAGED = '.damaged';
const KEPT = /^(.+?)(?:\.[0-9]+)?\.damaged$/;
/** Milliseconds between two checks whether the kept files are still there. */
const LOOK_MS = 1000;

/**
 * Moves a damaged file aside, to `<path>.damaged`, so that its reader starts over. `consequence` says how the reader continues.
 * Returns AORTA-STATE-DAMAGED for the log. Rejects with AORTA-DATA-UNWRITABLE.
 */
export async function setAside(path: string, consequence: string): Promise<AortaError> {
  const kept = `${path}${DAMAGED}`;
  try {
    await rename(path, kept);
    await syncFolder(dirname(path));
  } catch (error) {
    throw unwritable(path, error);
  }
  return new AortaError('AORTA-STATE-DAMAGED', { file: path, kept, consequence });
}

/**
 * Durably gives a damaged file a second name, `<path>.damaged` or `<path>.2.damaged` and so on, under which it stays if the file
 * is replaced or deleted. If the file is missing, an empty one takes its place. Returns the suffix of the second name. Rejects
 * with AORTA-DATA-UNWRITABLE.
 */
export async function keepAside(path: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? DAMAGED : `.${number}${DAMAGED}`;
    try {
      if (!(await isKeptAs(path, `${path}${suffix}`))) continue;
      await syncFolder(dirname(path));
      return suffix;
    } catch (error) {
      throw unwritable(`${path}${suffix}`, error);
    }
  }
}

/** Returns the name of the damaged file that {@link keepAside} gave this second name; undefined for other names. */
export function nameOfKept(name: string): string | undefined {
  return KEPT.exec(name)?.[1];
}

/** Returns false if a different file has the second name already. */
async function isKeptAs(path: string, kept: string): Promise<boolean> {
  const damaged = await inodeOf(path);
  try {
    if (damaged === undefined) await writeFile(kept, '', { flag: 'wx', mode: FILE_MODE });
    else await link(path, kept);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    // A process that crashed here has kept the file already.
    const { ino, size } = await stat(kept);
    return damaged === undefined ? size === 0 : ino === damaged;
  }
}

async function inodeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).ino;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reports damage until a person has deleted the kept file. */
export class OpenDamage {
  readonly #open = new Map<unknown, { readonly kept: string; readonly end: () => void }>();
  #timer: NodeJS.Timeout | undefined;

  /** `report` reports the damage and returns a function that ends the report. It is not called again while the damage is open. */
  add(damage: unknown, kept: string, report: () => () => void): void {
    if (this.#open.has(damage)) return;
    this.#open.set(damage, { kept, end: report() });
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { end } of this.#open.values()) end();
    this.#open.clear();
  }

  #look(): void {
    for (const [damage, { kept, end }] of this.#open) {
      if (existsSync(kept)) continue;
      end();
      this.#open.delete(damage);
    }
  }
}
