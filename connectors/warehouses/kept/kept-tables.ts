import type { Preferences } from '../../preferences.ts';
import type { KeptTable } from './kept-table.ts';
import { metricDays } from './metric-days.ts';
import { sourceDays } from './source-days.ts';
import { timeseriesDaily } from './timeseries-daily.ts';
import { userOffsetDays } from './user-offset-days.ts';
import { userTimeZones } from './user-time-zones.ts';

/** The kept tables that determine the local time of samples. */
export const localTimes: readonly KeptTable[] = [userOffsetDays, userTimeZones];

/** The kept tables with rows by local date. They are computed after {@link localTimes}. */
export const dailyTables = (preferences: Preferences): readonly KeptTable[] => [
  timeseriesDaily,
  sourceDays,
  metricDays(preferences),
];

export const keptTables = (preferences: Preferences): readonly KeptTable[] => [...localTimes, ...dailyTables(preferences)];
