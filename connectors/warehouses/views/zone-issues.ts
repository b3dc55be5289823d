import type { ViewDialect } from './dialect.ts';
import { hasFallbackZone, namedZone } from './zone-names.ts';

/**
 * Query for the rows of `data_issues` about names of time zones that are neither in the table of time zones nor a fixed offset.
 * It reads the same columns as `user_time_zones`. A row without a name has no issue.
 */
export function unknownTimeZones(dialect: ViewDialect): string {
  const { startOfDay, table, text } = dialect;
  const none = 'cast(null as string)';
  const summaries = (name: string, at: string): string => `    select
      user_id, provider, source_type, ${text(name)} as origin_table, time_zone, ${at} as occurred_at, _received_at
    from ${table(name)}`;
  const { join, zone, offset_s } = namedZone(dialect, 'time_zone');
  return `  select
    user_id, provider, source_type, origin_table, ${none} as measure, ${none} as unit, 'unknown_time_zone' as issue, occurred_at,
    _received_at, time_zone
  from (
${summaries('activity', startOfDay('calendar_date'))}
    union all
${summaries('sleep_cycle', 'session_start')}
    union all
${summaries('electrocardiogram', 'session_start')}
    union all
    select user_id, ${none}, ${none}, 'users', fallback_time_zone, fallback_time_zone_updated_at, _received_at
    from ${table('users')}
    where ${hasFallbackZone}
  ) named_zones
  ${join}
  where trim(time_zone, ' ') <> '' and ${zone} is null and ${offset_s} is null`;
}
