import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AortaError } from '@aorta/runtime';
import { streamsInData } from '../configuration/place.ts';
import { ProgramError } from '../errors.ts';

/** What a demonstration is made of. The same gives the same tables. */
export interface DemoOptions {
  readonly people: number;
  readonly days: number;
  readonly seed: number;
}

/** Says in the folder that it is a demonstration's, and of what. */
const marker = 'demo.json';
/** The hubs, and what was published to them. */
export const hubsFolder = 'hubs';
/** Where versions before Event Hubs had the deliveries. */
const formerFolder = 'deliveries';

export type FolderState = 'new' | 'same' | 'other';

/** What stands in the folder: nothing, this demonstration, or one of other people. Throws AORTA-USAGE where it is something else. */
export function folderState(folder: string, options: DemoOptions): FolderState {
  const entries = entriesOf(folder);
  if (entries.length === 0) return 'new';
  if (!entries.includes(marker))
    throw new ProgramError('AORTA-USAGE', {
      problem: `the folder ${folder} holds other files`,
      hint: 'A demonstration needs a folder of its own: name another with --folder.',
    });
  return readFileSync(join(folder, marker), 'utf8') === textOf(options) ? 'same' : 'other';
}

/**
 * Makes the folder ready. People of another number or seed have other events at the same positions of the source, so
 * what was made for them goes first.
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
