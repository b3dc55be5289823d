import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { counted } from '@aorta/runtime/quantity';
import type { Finding } from '../../finding.ts';
import type { FilesSettings } from './options.ts';

/** Checks that every path of the sources can be read. */
export async function probe(sources: readonly FilesSettings[]): Promise<readonly Finding[]> {
  const check = 'sources';
  const missing: string[] = [];
  for (const path of sources.flatMap(({ paths }) => paths)) {
    await access(path, constants.R_OK).catch(() => missing.push(path));
  }
  if (missing.length === 0)
    return [{ check, state: 'ok', found: `${counted(sources.length, 'source')}, every path can be read` }];
  return [
    {
      check,
      state: 'warn',
      found: `cannot be read: ${missing.join(', ')}`,
      remedy: 'Create the folders, or correct the paths of the sources.',
    },
  ];
}
