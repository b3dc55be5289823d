import { join } from 'node:path';
import { makeFolder, readIfThere, replaceFile } from '@aorta/runtime';
import type { DurableState, OpenState } from './durable-state.ts';

/** A state in a folder beside local streams: a file for each part, replaced as a whole. */
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
          // All of it as it is now: what goes on meanwhile is not mixed into it.
          await replaceFile(path, [...inFile.text(content)]);
        },
      };
    },
    close: async () => {},
  });
