import { type TableDeclaration, timeseriesResources } from '@aorta/schemas';
import { completenessView } from './completeness.ts';
import { connectionsView } from './connections.ts';
import { continuousQueryRowsView } from './continuous-queries.ts';
import { labOrderHistoryView, labOrderProgressView } from './lab-orders.ts';
import { listViews } from './list.ts';
import { mealFoodsView } from './meal-foods.ts';
import { resourceView } from './resource.ts';
import { sleepCycleStagesView } from './sleep-cycle-stages.ts';
import { workoutsHrZonesView } from './workouts-hr-zones.ts';

/** What views of both languages say in DuckDB. */
const duckDb = {
  table: (name: string): string => name,
  part: (value: string, number: number): string => `nullif(split_part(${value}, '.', ${number}), '')`,
};

const statement = ({ name, query }: { readonly name: string; readonly query: string }): string =>
  `create or replace view ${name} as\n${query}`;

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
    statement(completenessView(duckDb)),
  ];
}
