import { columnsOf, withSource } from './columns.ts';
import type { View, ViewDialect } from './dialect.ts';
import { sourceName } from './source-rank.ts';

/**
 * One row per heart rate zone of a workout. Zone 1 is below 50 % of the maximum heart rate. Zones 2 to 5 cover ten percentage
 * points each, and zone 6 is above 90 %.
 */
export function workoutsHrZonesView(dialect: ViewDialect): View {
  const { table, elements } = dialect;
  const columns = ['user_id', 'id', 'provider', 'source_type'];
  return {
    name: 'workouts_hr_zones',
    doc: 'One heart rate zone of a workout.',
    columns: [
      ...withSource(columnsOf('workouts', columns)),
      {
        name: 'zone',
        type: 'int64',
        doc: 'Number of the zone. Zone 1 is below 50 % of the maximum heart rate, zones 2 to 5 cover ten points each, and zone 6 is above 90 %.',
      },
      { name: 'duration_s', type: 'int64', unit: 's', doc: 'Time in the zone.' },
    ],
    query: `select ${columns.join(', ')}, ${sourceName(dialect)} as source, ordinal as zone, element as duration_s
from (
  ${elements(table('workouts'), columns, 'hr_zones_s')}
) zones`,
  };
}
