import { tables } from '@aorta/schemas';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import { localTimes } from '../../../connectors/warehouses/kept/kept-tables.ts';
import { timeseriesDaily } from '../../../connectors/warehouses/kept/timeseries-daily.ts';
import { dataIssuesView } from '../../../connectors/warehouses/views/data-issues.ts';
import type { View, ViewDialect } from '../../../connectors/warehouses/views/dialect.ts';
import { latestSamplesView } from '../../../connectors/warehouses/views/latest.ts';
import { localSamplesView } from '../../../connectors/warehouses/views/local-time.ts';
import { metricDaysView } from '../../../connectors/warehouses/views/metric-days.ts';
import { personDaysView } from '../../../connectors/warehouses/views/person-days.ts';
import { sleepNights } from '../../../connectors/warehouses/views/sleep-nights.ts';
import { unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import { workoutsDeduplicatedView } from '../../../connectors/warehouses/views/workouts-deduplicated.ts';
import { workoutsDuplicates } from '../../../connectors/warehouses/views/workouts-duplicates.ts';
import type { Relation, Row } from './loaded-views.ts';

/** The tables that the views of days, of latest samples and of issues read, with some rows, and those views. */

const read = new Set([
  ...['timeseries', 'blood_pressure', 'notes', 'users'],
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

const declared = (name: string) => tables.find((table) => table.name === name)!;

/** The views of single days, in the order in which they can be created. */
export const dayViews = (dialect: ViewDialect): View[] => [
  asView(sleepNights, dialect),
  asView(workoutsDuplicates(declared('workouts')), dialect),
  workoutsDeduplicatedView(dialect, declared('workouts')),
  personDaysView(dialect),
];

export const storedViews = (dialect: ViewDialect): View[] => [
  unitConversionsView(dialect),
  ...localTimes.map((table) => asView(table, dialect)),
  localSamplesView(dialect, declared('timeseries')),
  asView(timeseriesDaily, dialect),
  latestSamplesView(dialect),
  dataIssuesView(dialect, tables),
  metricDaysView(dialect),
  ...dayViews(dialect),
];
