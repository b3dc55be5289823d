import { columnsOf } from './columns.ts';
import type { View, ViewDialect } from './dialect.ts';

/**
 * One row per heart rate zone of a workout. Zone 1 is below 50 % of the maximum heart rate. Zones 2 to 5 cover ten percentage
 * points each, and zone 6 is above 90 %.
 */
export function workoutsHrZonesView({ table, elements }: ViewDialect): View {
  const columns = ['user_id', 'id', 'provider', 'source_type'];
  return {
    name: 'workouts_hr_zones',
    doc: 'One heart rate zone of a workout.',
    columns: [
      ...columnsOf('workouts', columns),
      {
        name: 'zone',
        type: 'int64',
        doc: 'Number of the zone. Zone 1 is below 50 % of the maximum heart rate, zones 2 to 5 cover ten points each, and zone 6 is above 90 %.',
      },
      { name: 'duration_s', type: 'int64', unit: 's', doc: 'Time in the zone.' },
    ],
    query: `select ${columns.join(', ')}, ordinal as zone, element as duration_s
from (
  ${elements(table('workouts'), columns, 'hr_zones_s')}
) zones`,
  };
}
