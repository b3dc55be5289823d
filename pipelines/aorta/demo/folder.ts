import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AortaError } from '@aorta/runtime';
import { streamsInData } from '../config/data-location.ts';
import { ProgramError } from '../errors.ts';
import type { Days } from './period.ts';

/** Options of a demonstration. The same options give the same tables. */
export interface DemoOptions extends Days {
  readonly people: number;
  readonly seed: number;
}

/** The file that marks a folder as belonging to a demonstration. It contains the demonstration's options. */
const marker = 'demo.json';
export const hubsFolder = 'hubs';
/** The folder with the state of the service. */
export const serviceFolder = 'service';

/**
 * `new`: the folder is empty. `finished`: it holds the whole demonstration with these options. `unfinished`: the
 * demonstration with these options was interrupted. `other`: it holds a demonstration with other options.
 */
export type FolderState = 'new' | 'finished' | 'unfinished' | 'other';

/** Returns what the folder holds. Throws AORTA-USAGE if it is not a folder of a demonstration. */
export function folderState(folder: string, options: DemoOptions): FolderState {
  const entries = entriesOf(folder);
  if (entries.length === 0) return 'new';
  if (!entries.includes(marker))
    throw new ProgramError('AORTA-USAGE', {
      problem: `the folder ${folder} holds other files`,
      hint: 'The demonstration needs a new or empty folder: choose one with --folder.',
    });
  const found = readFileSync(join(folder, marker), 'utf8');
  if (found === textOf(options, true)) return 'finished';
  return found === textOf(options, false) ? 'unfinished' : 'other';
}

/**
 * Prepares the folder. Deletes the data of another demonstration, because its events have the same offsets as the new ones.
 * Also deletes the data of an interrupted demonstration, because the virtual time of its service cannot go back.
 */
export function prepareFolder(folder: string, options: DemoOptions): void {
  const state = folderState(folder, options);
  if (state === 'finished') return;
  if (state !== 'new') {
    const own = entriesOf(folder).filter(
      (name) => [hubsFolder, serviceFolder, streamsInData].includes(name) || name.startsWith('warehouse.'),
    );
    for (const name of own) rmSync(join(folder, name), { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mark(folder, options, false);
}

/** Notes that the tables contain the whole demonstration. */
export function noteFinished(folder: string, options: DemoOptions): void {
  mark(folder, options, true);
}

function mark(folder: string, options: DemoOptions, isFinished: boolean): void {
  const file = join(folder, marker);
  writeFileSync(`${file}.new`, textOf(options, isFinished), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return [];
    throw new AortaError('AORTA-FILE-UNREADABLE', { file: folder, code });
  }
}

function textOf({ people, days, seed, until }: DemoOptions, finished: boolean): string {
  return `${JSON.stringify({ people, days, seed, until, through: 'service', finished })}\n`;
}
