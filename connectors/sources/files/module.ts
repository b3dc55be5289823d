import type { Source, SourceSurroundings } from '../../source.ts';
import { parseReceivedAt } from '../received-at.ts';
import { FilesCheckpoints } from './checkpoints.ts';
import type { FilesSettings } from './options.ts';
import { FilesSource } from './source.ts';

export { probe } from './probe.ts';

export async function open(settings: FilesSettings, surroundings: SourceSurroundings): Promise<Source> {
  return new FilesSource({
    paths: settings.paths,
    name: settings.name,
    checkpoints: await FilesCheckpoints.open(`${surroundings.state}.json`),
    documentBytes: surroundings.documentBytes,
    onProblem: surroundings.onProblem,
    ...(settings.received_at === undefined ? {} : { receivedAt: parseReceivedAt(settings.received_at) }),
  });
}
