import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AortaError, explained, isAortaError, systemCode, systemPath, visible } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Finding, failure } from '../adapter.ts';
import type { ProbeSurroundings, Source, SourceSurroundings } from '../source.ts';
import { parseReceivedAt } from '../sources/delivery.ts';
import { FilesCheckpoints } from './checkpoints.ts';
import { openContent } from './content.ts';
import { grownError } from './growth.ts';
import type { FilesSettings } from './options.ts';
import { isInside } from './paths.ts';
import { FilesSource } from './source.ts';

export async function open(settings: FilesSettings, surroundings: SourceSurroundings): Promise<Source> {
  return new FilesSource({
    paths: settings.paths,
    name: settings.name,
    followLinks: settings.follow_links,
    outputs: surroundings.outputs,
    checkpoints: await openCheckpoints(surroundings.state),
    documentBytes: surroundings.documentBytes,
    onProblem: surroundings.onProblem,
    now: surroundings.now,
    receivedAt: settings.received_at === undefined ? undefined : parseReceivedAt(settings.received_at),
  });
}

/** Returns an error for each file that has grown since it was read, unless the file has been removed, or for damaged checkpoints. */
export async function problems({ paths }: FilesSettings, state: string): Promise<readonly AortaError[]> {
  const folders = paths.map((path) => resolve(path));
  const errors: AortaError[] = [];
  const checkpoints = await openCheckpoints(state).catch((error: unknown) => {
    if (isAortaError(error)) return error;
    throw error;
  });
  if (isAortaError(checkpoints)) return [checkpoints];
  for (const position of checkpoints.grown()) {
    const { path: file } = position;
    const isConfigured = folders.some((folder) => isInside(folder, file));
    const content = isConfigured ? await openContent(file, 0).catch(() => undefined) : undefined;
    if (content === undefined) continue;
    errors.push(grownError(position, content.compression));
    await content[Symbol.asyncDispose]();
  }
  return errors;
}

function openCheckpoints(state: string): Promise<FilesCheckpoints> {
  return FilesCheckpoints.open(`${state}.json`);
}

/** Checks that the checkpoints and every path of the sources can be read. */
export async function probe(sources: readonly FilesSettings[], { stateOf }: ProbeSurroundings): Promise<readonly Finding[]> {
  const check = 'sources';
  const unusable: Finding[] = [];
  for (const { name } of sources)
    await openCheckpoints(stateOf(name)).catch((error: unknown) => unusable.push(failure(check, error)));
  if (unusable.length > 0) return unusable;
  const missing: string[] = [];
  for (const path of sources.flatMap(({ paths }) => paths)) {
    await access(systemPath(path), constants.R_OK).catch((error: unknown) =>
      missing.push(`${visible(path)} (${explained(systemCode(error))})`),
    );
  }
  if (missing.length === 0)
    return [{ check, state: 'ok', found: `${counted(sources.length, 'source')}, every path can be read` }];
  return [
    {
      check,
      state: 'warn',
      found: `cannot be read: ${missing.join(', ')}`,
      remedy: 'Create the folders, correct the paths of the sources, or give this user the permission to read them.',
    },
  ];
}
