import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AortaError } from '@aorta/runtime';
import { z } from 'zod';
import { streamsInData } from '../config/data-location.ts';
import { ProgramError } from '../errors.ts';
import { DAY_MS, type Days } from './period.ts';

/** Options of a demonstration. The same options give the same tables. */
export interface DemoPlan extends Days {
  readonly people: number;
  readonly seed: number;
}

/** The file that marks a folder as belonging to a demonstration. It contains the demonstration's options. */
const marker = 'demo.json';
export const hubsFolder = 'hubs';
/** The folder with the state of the service. */
export const serviceFolder = 'service';

/**
 * The content of a folder. `new`: nothing. `ours`: a demonstration of the same people, which a run continues. `first` was the
 * last day of its first run, and `until` that of its latest. `other`: another demonstration, which a run replaces.
 */
export type FolderState =
  | { readonly kind: 'new' | 'other' }
  | { readonly kind: 'ours'; readonly first: string; readonly until: string };

const marked = z.object({
  people: z.int(),
  days: z.int(),
  seed: z.int(),
  first: z.string(),
  until: z.string(),
});

/**
 * Returns the content of the folder. A demonstration counts as `other` if it ended after the plan's last day, or more than
 * the plan's number of days before it. Throws AORTA-USAGE if the folder does not belong to a demonstration.
 */
export function folderState(folder: string, plan: DemoPlan): FolderState {
  const entries = entriesOf(folder);
  if (entries.length === 0) return { kind: 'new' };
  if (!entries.includes(marker))
    throw new ProgramError('AORTA-USAGE', {
      problem: `the folder ${folder} holds other files`,
      hint: 'The demonstration needs a new or empty folder: choose one with --folder.',
    });
  const found = markIn(folder);
  if (found === undefined) return { kind: 'other' };
  const { people, days, seed, first, until } = found;
  const isSame = people === plan.people && days === plan.days && seed === plan.seed;
  const later = (Date.parse(plan.until) - Date.parse(until)) / DAY_MS;
  return isSame && later >= 0 && later <= days ? { kind: 'ours', first, until } : { kind: 'other' };
}

/**
 * Prepares the folder for a run. Deletes the data of another demonstration. Returns the last day of the first run, from which
 * the days of all later runs follow.
 */
export function prepareFolder(folder: string, plan: DemoPlan): string {
  const state = folderState(folder, plan);
  if (state.kind === 'other') {
    const own = entriesOf(folder).filter(
      (name) => [hubsFolder, serviceFolder, streamsInData].includes(name) || name.startsWith('warehouse.'),
    );
    for (const name of own) rmSync(join(folder, name), { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const first = state.kind === 'ours' ? state.first : plan.until;
  const file = join(folder, marker);
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...plan, first })}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return first;
}

function markIn(folder: string): z.output<typeof marked> | undefined {
  try {
    return marked.parse(JSON.parse(readFileSync(join(folder, marker), 'utf8')));
  } catch {
    return undefined;
  }
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
