import type { AortaError } from '@aorta/runtime';
import type { Source, SourceSurroundings } from '../../source.ts';
import { parseReceivedAt } from '../received-at.ts';
import { FilesCheckpoints } from './checkpoints.ts';
import type { FilesSettings } from './options.ts';
import { FilesSource } from './source.ts';

export { probe } from './probe.ts';

export async function open(settings: FilesSettings, surroundings: SourceSurroundings): Promise<Source> {
  const source = new FilesSource({
    paths: settings.paths,
    name: settings.name,
    checkpoints: await FilesCheckpoints.open(`${surroundings.state}.json`),
    documentBytes: surroundings.documentBytes,
    ...(settings.received_at === undefined ? {} : { receivedAt: parseReceivedAt(settings.received_at) }),
  });
  return telling(source, surroundings.onProblem);
}

/** The source, saying at the end of its batches what was wrong with its files. */
function telling(source: FilesSource, tell: (error: AortaError) => void): Source {
  return {
    name: source.name,
    commit: (positions) => source.commit(positions as Parameters<FilesSource['commit']>[0]),
    async *batches(signal) {
      try {
        yield* source.batches(signal);
      } finally {
        for (const error of source.errors) tell(error);
      }
    },
  };
}
