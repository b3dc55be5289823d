import { join } from 'node:path';
import { FilesCheckpoints, FilesSource, parseReceivedAt, type Source } from '@aorta/consumers';
import { type AortaError, errorFields, type Logger } from '@aorta/telemetry';
import type { Setting } from './configuration/configuration.ts';
import type { Configuration } from './configuration/schema.ts';

type SourceConfiguration = Configuration['sources'][number];

/** The configured sources, to be opened again for every look at them. */
export interface ConfiguredSources {
  open(): Promise<readonly Source[]>;
  /** What was wrong with single files, over all looks; the others were taken. */
  readonly problems: readonly AortaError[];
}

/** Positions of sources stand beside the streams that they belong to. */
const folderOfPositions = 'sources';

/** The sources of the configuration. What is wrong with single files is logged once, however often they are looked at. */
export function configuredSources({ configuration, place }: Setting, logger: Logger): ConfiguredSources {
  const problems: AortaError[] = [];
  const told = new Set<string>();
  return {
    problems,
    open: () =>
      Promise.all(
        configuration.sources.map(async (source) =>
          telling(await openFiles(source, configuration, join(place.streams, folderOfPositions)), (error) => {
            if (told.has(error.message)) return;
            told.add(error.message);
            problems.push(error);
            logger.warn('file not taken whole', { source: source.name, ...errorFields(error) });
          }),
        ),
      ),
  };
}

async function openFiles(source: SourceConfiguration, { limits }: Configuration, folder: string): Promise<FilesSource> {
  return new FilesSource({
    paths: source.paths,
    name: source.name,
    checkpoints: await FilesCheckpoints.open(join(folder, `${encodeURIComponent(source.name)}.json`)),
    documentBytes: limits.document_bytes,
    ...(source.received_at === undefined ? {} : { receivedAt: parseReceivedAt(source.received_at) }),
  });
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

/** Milliseconds between two looks at the sources: the shortest that is configured. */
export function pollPause({ sources }: Configuration): number {
  return 1000 * Math.min(60, ...sources.map(({ poll_s }) => poll_s));
}
