import { TIME_ZONES } from '../time-zones.ts';
import type { ViewDialect } from './dialect.ts';

/**
 * Joins that find the user's offset from UTC at an instant, for rows without an offset of their own. The offset comes from
 * `user_time_zones`: directly, or from the transitions of its time zone.
 */
export function userOffset(
  { table }: ViewDialect,
  { from, alias, instant, own }: { from: (name: string) => string; alias: string; instant: string; own: string },
): { readonly joins: string; readonly offset_s: string } {
  const within = (span: string): string =>
    `${alias}.${instant} >= ${span}.from_at and (${span}.to_at is null or ${alias}.${instant} < ${span}.to_at)`;
  return {
    joins: `left join ${from('user_time_zones')} zone_span
    on zone_span.user_id = ${alias}.user_id and ${alias}.${own} is null and ${within('zone_span')}
  left join ${table(TIME_ZONES)} zone_rule
    on zone_rule.zone = zone_span.time_zone and zone_rule.time_basis = 'utc' and zone_span.offset_s is null and ${within('zone_rule')}`,
    offset_s: 'coalesce(zone_span.offset_s, zone_rule.offset_s)',
  };
}
