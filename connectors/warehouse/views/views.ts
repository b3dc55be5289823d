import { tables, timeseriesResources } from '@aorta/schemas';
import { connectionsView } from './connections.ts';
import { continuousQueryRowsView } from './continuous-queries.ts';
import { labOrderHistoryView, labOrderProgressView } from './lab-orders.ts';
import { listViews } from './list.ts';
import { mealFoodsView } from './meal-foods.ts';
import { resourceView } from './resource.ts';
import { sleepCycleStagesView } from './sleep-cycle-stages.ts';
import { workoutsHrZonesView } from './workouts-hr-zones.ts';

/** The statements of every view, in the order in which they can be made. */
export const views: readonly string[] = [
  ...timeseriesResources.filter(({ stream }) => stream === 'timeseries').map(resourceView),
  connectionsView,
  mealFoodsView,
  sleepCycleStagesView,
  workoutsHrZonesView,
  ...tables.flatMap(listViews),
  labOrderProgressView,
  labOrderHistoryView,
  continuousQueryRowsView,
];
