import { tables, timeseriesResources } from '@aorta/schemas';
import { connectionsView } from './connections.ts';
import { listViews } from './list.ts';
import { resourceView } from './resource.ts';

/** The statements of every view, in the order in which they can be made. */
export const views: readonly string[] = [
  ...timeseriesResources.filter(({ stream }) => stream === 'timeseries').map(resourceView),
  connectionsView,
  ...tables.flatMap(listViews),
];
