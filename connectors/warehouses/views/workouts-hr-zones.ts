import type { View, ViewDialect } from './dialect.ts';

/**
 * One row per heart rate zone of a workout. Zone 1 is below 50 % of the maximum heart rate. Zones 2 to 5 cover ten percentage
 * points each, and zone 6 is above 90 %.
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
