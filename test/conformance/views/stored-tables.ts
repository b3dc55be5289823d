import type { Preferences } from '@aorta/connectors';
import { columnMeasures, tables } from '@aorta/schemas';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import { localTimes } from '../../../connectors/warehouses/kept/kept-tables.ts';
import { metricDays } from '../../../connectors/warehouses/kept/metric-days.ts';
import { sourceDays } from '../../../connectors/warehouses/kept/source-days.ts';
import { timeseriesDaily } from '../../../connectors/warehouses/kept/timeseries-daily.ts';
import { dataIssuesView } from '../../../connectors/warehouses/views/data-issues.ts';
import { heartrateHoursView, stepsHoursView } from '../../../connectors/warehouses/views/day-hours.ts';
import type { View, ViewDialect } from '../../../connectors/warehouses/views/dialect.ts';
import { glucoseDaysView } from '../../../connectors/warehouses/views/glucose-days.ts';
import { latestSamplesView } from '../../../connectors/warehouses/views/latest.ts';
import { localSamplesView } from '../../../connectors/warehouses/views/local-time.ts';
import { measuresView } from '../../../connectors/warehouses/views/measures.ts';
import { observationsView } from '../../../connectors/warehouses/views/observations.ts';
import { personCalendarView } from '../../../connectors/warehouses/views/person-calendar.ts';
import { personDaysView } from '../../../connectors/warehouses/views/person-days.ts';
import { personSourcesView } from '../../../connectors/warehouses/views/person-sources.ts';
import { sleepNights } from '../../../connectors/warehouses/views/sleep-nights.ts';
import { unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import { workoutsDeduplicatedView } from '../../../connectors/warehouses/views/workouts-deduplicated.ts';
import { workoutsDuplicates } from '../../../connectors/warehouses/views/workouts-duplicates.ts';
import type { Relation, Row } from './loaded-views.ts';

/** The tables that the views of days, of latest samples and of issues read, with some rows, and those views. */

const read = new Set([
  'timeseries',
  'blood_pressure',
  'notes',
  'users',
  'deliveries',
  ...columnMeasures.map(({ table }) => table),
  ...tables.filter(({ columns }) => columns.some(({ name }) => name === 'updated_at')).map(({ name }) => name),
]);

export function storedTables(rows: Readonly<Record<string, readonly Row[]>>): Relation[] {
  return [
    ...[...read].map((name) => ({ name, rows: rows[name] ?? [] })),
    {
      name: 'time_zone_transitions',
      columns: { zone: 'string', time_basis: 'string', from_at: 'timestamp', to_at: 'timestamp', offset_s: 'int64' },
      rows: [],
    },
  ];
}

export const declared = (name: string) => tables.find((table) => table.name === name)!;

/** The views of single days, in the order in which they can be created. */
export const dayViews = (dialect: ViewDialect, preferences: Preferences = {}): View[] => [
  asView(sourceDays, dialect),
  personSourcesView(dialect),
  asView(metricDays(preferences), dialect),
  stepsHoursView(dialect),
  heartrateHoursView(dialect),
  glucoseDaysView(dialect),
  asView(sleepNights(preferences), dialect),
  asView(workoutsDuplicates(declared('workouts'), preferences), dialect),
  workoutsDeduplicatedView(dialect, declared('workouts')),
  personDaysView(dialect, preferences),
  personCalendarView(dialect, preferences),
];

export const storedViews = (dialect: ViewDialect, preferences: Preferences = {}): View[] => [
  unitConversionsView(dialect),
  ...localTimes.map((table) => asView(table, dialect)),
  localSamplesView(dialect, declared('timeseries')),
  localSamplesView(dialect, declared('blood_pressure')),
  localSamplesView(dialect, declared('notes')),
  asView(timeseriesDaily, dialect),
  measuresView(dialect),
  observationsView(dialect),
  latestSamplesView(dialect),
  dataIssuesView(dialect, tables),
  ...dayViews(dialect, preferences),
];
