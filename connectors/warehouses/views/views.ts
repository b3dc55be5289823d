import { type TableDeclaration, timeseriesResources } from '@aorta/schemas';
import { completenessView } from './completeness.ts';
import { connectionsView } from './connections.ts';
import { continuousQueryRowsView } from './continuous-queries.ts';
import { deliveryCopiesView } from './copies.ts';
import { dailyView } from './daily.ts';
import type { View, ViewDialect } from './dialect.ts';
import { eventVolumeView } from './event-volume.ts';
import { freshnessView } from './freshness.ts';
import { historicalPullViews } from './historical-pulls.ts';
import { labOrderHistoryView, labOrderProgressView } from './lab-orders.ts';
import { latestSamplesView } from './latest.ts';
import { listViews } from './list.ts';
import { mealFoodsView } from './meal-foods.ts';
import { personDaysView } from './person-days.ts';
import { resourceView } from './resource.ts';
import { sleepCycleStagesView } from './sleep-cycle-stages.ts';
import { workoutsHrZonesView } from './workouts-hr-zones.ts';

/**
 * Returns all views, written in the given dialect, in the order in which they can be created. `tables` contain only the landed
 * columns, and the views use no other columns. `declared` are the same tables with all their columns.
 */
export function views(dialect: ViewDialect, tables: readonly TableDeclaration[], declared: readonly TableDeclaration[]): View[] {
  const table = (name: string) => tables.find((one) => one.name === name)!;
  const timeseries = table('timeseries');
  return [
    ...timeseriesResources
      .filter(({ stream }) => stream === timeseries.stream)
      .map((resource) => resourceView(dialect, resource, timeseries)),
    dailyView(dialect),
    latestSamplesView(dialect),
    deliveryCopiesView(dialect),
    connectionsView(dialect),
    mealFoodsView(dialect, table('meal')),
    sleepCycleStagesView(dialect),
    workoutsHrZonesView(dialect),
    ...tables.flatMap((landed, index) => listViews(dialect, landed, declared[index]!)),
    labOrderProgressView(dialect),
    labOrderHistoryView(dialect),
    continuousQueryRowsView(dialect),
    personDaysView(dialect),
    freshnessView(dialect),
    eventVolumeView(dialect),
    completenessView(dialect),
    ...historicalPullViews(dialect),
  ];
}
