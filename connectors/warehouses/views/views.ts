import { type TableDeclaration, timeseriesResources } from '@aorta/schemas';
import type { Preferences } from '../../preferences.ts';
import { asView, keptView } from '../kept/kept-table.ts';
import { dailyTables, localTimes } from '../kept/kept-tables.ts';
import { samplesTables } from '../kept/user-offset-days.ts';
import { changedPersonDaysView } from './changed-person-days.ts';
import { completenessView } from './completeness.ts';
import { connectionsView } from './connections.ts';
import { continuousQueryRowsView } from './continuous-queries.ts';
import { deliveryCopiesView } from './copies.ts';
import { dataIssuesView } from './data-issues.ts';
import { heartrateHoursView, stepsHoursView } from './day-hours.ts';
import type { Group, View, ViewDialect } from './dialect.ts';
import { eventVolumeView } from './event-volume.ts';
import { freshnessView } from './freshness.ts';
import { glucoseDaysView } from './glucose-days.ts';
import { historicalPullViews } from './historical-pulls.ts';
import { labOrderHistoryView, labOrderProgressView } from './lab-orders.ts';
import { labResultHistoryView } from './lab-result-history.ts';
import { latestSamplesView } from './latest.ts';
import { listViews } from './list.ts';
import { localSamplesView } from './local-time.ts';
import { mealFoodsView } from './meal-foods.ts';
import { measuresView } from './measures.ts';
import { observationsView } from './observations.ts';
import { peopleView } from './people.ts';
import { personCalendarView } from './person-calendar.ts';
import { personDaysView } from './person-days.ts';
import { personSourcesView } from './person-sources.ts';
import { providerLatencyView } from './provider-latency.ts';
import { qualityDays, qualityFlagsView } from './quality-flags.ts';
import { resourceView } from './resource.ts';
import { sleepCycleStagesView } from './sleep-cycle-stages.ts';
import { sleepNights } from './sleep-nights.ts';
import { unitConversionsView } from './unit-conversions.ts';
import { workoutsDeduplicatedView } from './workouts-deduplicated.ts';
import { workoutsDuplicates } from './workouts-duplicates.ts';
import { workoutsHrZonesView } from './workouts-hr-zones.ts';

/** A view, and the group in which `aorta schema` lists it. */
export type GroupedView = View & { readonly group: Group };

/**
 * Returns all views, written in the given dialect, in the order in which they can be created. `tables` contain only the landed
 * columns, and the views use no other columns. `declared` are the same tables with all their columns.
 */
export function views(
  dialect: ViewDialect,
  tables: readonly TableDeclaration[],
  declared: readonly TableDeclaration[],
  preferences: Preferences,
): GroupedView[] {
  const table = (name: string) => tables.find((one) => one.name === name)!;
  const timeseries = table('timeseries');
  return [
    ...of('samples', [
      measuresView(dialect),
      unitConversionsView(dialect),
      ...localTimes.map((kept) => keptView(kept, dialect)),
      ...samplesTables.map((name) => localSamplesView(dialect, table(name))),
      ...timeseriesResources
        .filter(({ stream }) => stream === timeseries.stream)
        .map((resource) => resourceView(dialect, resource, timeseries)),
    ]),
    ...of(
      'days',
      dailyTables(preferences).map((kept) => keptView(kept, dialect)),
    ),
    ...of('samples', [observationsView(dialect), latestSamplesView(dialect)]),
    ...of('days', [asView(qualityDays, dialect), qualityFlagsView(dialect)]),
    ...of('operations', [dataIssuesView(dialect, tables), deliveryCopiesView(dialect), connectionsView(dialect)]),
    ...of('summaries', [mealFoodsView(dialect, table('meal')), sleepCycleStagesView(dialect), workoutsHrZonesView(dialect)]),
    ...tables.flatMap((landed, index) => of(groupOfTable(landed), listViews(dialect, landed, declared[index]!))),
    ...of('labs', [labOrderHistoryView(dialect), labOrderProgressView(dialect), labResultHistoryView(dialect)]),
    ...of('operations', [continuousQueryRowsView(dialect)]),
    ...of('days', [
      asView(sleepNights(preferences), dialect),
      asView(workoutsDuplicates(table('workouts'), preferences), dialect),
      workoutsDeduplicatedView(dialect, table('workouts')),
      stepsHoursView(dialect),
      heartrateHoursView(dialect),
      glucoseDaysView(dialect),
      personSourcesView(dialect),
      personDaysView(dialect, preferences),
      personCalendarView(dialect, preferences),
      changedPersonDaysView(dialect),
    ]),
    ...of('operations', [
      freshnessView(dialect),
      providerLatencyView(dialect),
      eventVolumeView(dialect),
      completenessView(dialect),
      ...historicalPullViews(dialect, table('historical_pull_tracks')),
    ]),
    ...of('days', [peopleView(dialect)]),
  ];
}

const of = (group: Group, some: readonly View[]): GroupedView[] => some.map((view) => ({ ...view, group }));

/** The group of a declared table, and of the views of its lists. */
export function groupOfTable({ name, shape, columns }: TableDeclaration): Group {
  if (name.startsWith('lab_')) return 'labs';
  if (shape === 'timeseries') return 'samples';
  return shape === 'summary' && columns.some((column) => column.path[0] === 'origin') ? 'summaries' : 'operations';
}
