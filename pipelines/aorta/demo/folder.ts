import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AortaError } from '@aorta/runtime';
import { streamsInData } from '../configuration/data-location.ts';
import { ProgramError } from '../errors.ts';

/** Options of a demonstration. The same options give the same tables. */
export interface DemoOptions {
  readonly people: number;
  readonly days: number;
  readonly seed: number;
}

/** The file that marks a folder as belonging to a demonstration. It contains the demonstration's options. */
const marker = 'demo.json';
export const hubsFolder = 'hubs';
/** The folder from which the demonstration read deliveries in earlier versions of Aorta. */
const formerFolder = 'deliveries';

export type FolderState = 'new' | 'same' | 'other';

/**
 * Returns `new` if the folder is empty, `same` if it holds a demonstration with the same options, and `other` if the
 * options differ. Throws AORTA-USAGE if the folder holds anything else.
 */
export function folderState(folder: string, options: DemoOptions): FolderState {
  const entries = entriesOf(folder);
  if (entries.length === 0) return 'new';
  if (!entries.includes(marker))
    throw new ProgramError('AORTA-USAGE', {
      problem: `the folder ${folder} holds other files`,
      hint: 'The demonstration needs a new or empty folder: choose one with --folder.',
    });
  return readFileSync(join(folder, marker), 'utf8') === textOf(options) ? 'same' : 'other';
}

/**
 * Prepares the folder. If it holds a demonstration with other options, deletes the data of that demonstration, because the
 * old events have the same offsets as the new ones.
 */
export function prepareFolder(folder: string, options: DemoOptions): void {
  if (folderState(folder, options) === 'other') {
    const own = entriesOf(folder).filter(
      (name) => [hubsFolder, formerFolder, streamsInData].includes(name) || name.startsWith('warehouse.'),
    );
    for (const name of own) rmSync(join(folder, name), { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, marker), textOf(options), { mode: 0o600 });
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

function textOf({ people, days, seed }: DemoOptions): string {
  return `${JSON.stringify({ people, days, seed, through: 'event-hubs' })}\n`;
}
