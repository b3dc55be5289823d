import { join } from 'node:path';
import { makeFolder, readIfThere, replaceFile } from '@aorta/runtime';
import type { DurableState, OpenState } from './durable-state.ts';

/** State in a folder beside the local streams, with one file per part. Each save replaces the whole file. */
export const stateInFiles =
  (folder: string): OpenState =>
  async (): Promise<DurableState> => ({
    besideStreams: true,
    open: async ({ empty, inFile }) => {
      const path = join(folder, inFile.name);
      const text = (await readIfThere(path))?.toString('utf8');
      return {
        content: (text === undefined ? undefined : inFile.read(text, path)) ?? empty,
        keep: async (content) => {
          await makeFolder(folder);
          // Builds the whole text before the write begins, so that later changes cannot affect it.
          await replaceFile(path, [...inFile.text(content)]);
        },
      };
    },
    close: async () => {},
  });
