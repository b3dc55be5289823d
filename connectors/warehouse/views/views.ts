import { type TableDeclaration, timeseriesResources } from '@aorta/schemas';
import { connectionsView } from './connections.ts';
import { continuousQueryRowsView } from './continuous-queries.ts';
import { historicalPullViews } from './historical-pulls.ts';
import { labOrderHistoryView, labOrderProgressView } from './lab-orders.ts';
import { listViews } from './list.ts';
import { mealFoodsView } from './meal-foods.ts';
import { resourceView } from './resource.ts';
import { sleepCycleStagesView } from './sleep-cycle-stages.ts';
import { workoutsHrZonesView } from './workouts-hr-zones.ts';

/** What views of both languages say in DuckDB. */
const duckDb = {
  table: (name: string): string => name,
  secondsBetween: (from: string, to: string): string => `epoch(${to} - ${from})`,
};

/**
 * The statements of every view, in the order in which they can be made, over tables of which some columns may not be
 * landed: a view names only columns of `tables`, or such as can never be withheld. `declared` are the same tables with all
 * of their columns.
 */
export function views(tables: readonly TableDeclaration[], declared: readonly TableDeclaration[]): string[] {
  const table = (name: string) => tables.find((one) => one.name === name)!;
  const timeseries = table('timeseries');
  return [
    ...timeseriesResources
      .filter(({ stream }) => stream === timeseries.stream)
      .map((resource) => resourceView(resource, timeseries)),
    connectionsView,
    mealFoodsView(table('meal')),
    sleepCycleStagesView,
    workoutsHrZonesView,
    ...tables.flatMap((landed, index) => listViews(landed, declared[index]!)),
    labOrderProgressView,
    labOrderHistoryView,
    continuousQueryRowsView,
    ...historicalPullViews(duckDb).map(({ name, query }) => `create or replace view ${name} as\n${query}`),
  ];
}
