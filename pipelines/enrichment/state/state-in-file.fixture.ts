import { join } from 'node:path';
import { openKeptFile } from '@aorta/runtime';
import { type OpenState, stateIn } from './durable-state.ts';

/** The state of a job in a file of this folder, as with local streams. */
export const stateInFile = (folder: string, job = 'job'): OpenState =>
  stateIn(() => openKeptFile(join(folder, `${job}.ndjson`)), true);
