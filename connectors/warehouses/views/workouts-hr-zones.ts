import type { View, ViewDialect } from './dialect.ts';

/**
 * A row for each zone of the heart rate in a workout: 1 is below 50 % of the highest rate, 2 to 5 are ten points wide each,
 * 6 is above 90 %.
 */
export function workoutsHrZonesView({ table, elements }: ViewDialect): View {
  const columns = ['user_id', 'id', 'provider', 'source_type'];
  return {
    name: 'workouts_hr_zones',
    query: `select ${columns.join(', ')}, ordinal as zone, element as duration_s
from (
  ${elements(table('workouts'), columns, 'hr_zones_s')}
) zones`,
  };
}
