import { readdir } from 'node:fs/promises';
import { type Finding, failure, type Source, type SourceSurroundings } from '@aorta/connectors';
import { counted } from '@aorta/runtime/quantity';
import type { LineFilesSettings } from './adapter.ts';
import { LineFilesSource } from './source.ts';

export async function open(
  settings: LineFilesSettings,
  { state, logger, metrics }: Pick<SourceSurroundings, 'state' | 'logger' | 'metrics'>,
): Promise<Source> {
  return new LineFilesSource(settings, { offsets: `${state}.offsets.json`, logger, metrics });
}

export async function probe(sources: readonly LineFilesSettings[]): Promise<readonly Finding[]> {
  return Promise.all(
    sources.map(async ({ name, folder }): Promise<Finding> => {
      const check = `folder of ${name}`;
      try {
        return { check, state: 'ok', found: counted((await readdir(folder)).length, 'partition') };
      } catch (error) {
        return failure(check, error);
      }
    }),
  );
}
