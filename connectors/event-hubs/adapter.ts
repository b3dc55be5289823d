import { resolve } from 'node:path';
import type { SourceAdapter } from '../source.ts';
import { hubErrors } from './errors.ts';
import { hubMetrics } from './metrics.ts';
import { type EventHubsSettings, eventHubsSourceOptions, hubsOf } from './options.ts';

export const eventHubs: SourceAdapter<EventHubsSettings> = {
  type: 'event-hubs',
  errors: hubErrors,
  metrics: hubMetrics,
  options: eventHubsSourceOptions,
  placesName: 'hubs',
  places: hubsOf,
  resolvePaths: (settings, folder) => {
    const { checkpoints } = settings;
    if (checkpoints.type !== 'file' || checkpoints.folder === undefined) return settings;
    return { ...settings, checkpoints: { ...checkpoints, folder: resolve(folder, checkpoints.folder) } };
  },
  partitioned: true,
  // A claim in a file ends when the process that made it ends, so it does not block other workers.
  leavesClaims: ({ checkpoints }) => checkpoints.type === 'blob',
  check: 'hubs',
  // Loading the Event Hubs client takes a third of a second.
  load: () => import('./module.ts'),
};
