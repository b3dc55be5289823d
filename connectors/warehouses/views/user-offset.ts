import { TIME_ZONES } from '../time-zones.ts';
import type { ViewDialect } from './dialect.ts';
import { END } from './local-time.ts';

/**
 * Joins that find the user's offset from UTC at an instant, for rows without an offset of their own. The offset comes from
 * `user_time_zones`: directly, or from the transitions of its time zone. Each condition compares a row with a joined row, because
 * DuckDB compares all pairs of rows if it finds an OR in a join.
 */
export function userOffset(
  { table, instant: constant }: ViewDialect,
  { from, alias, instant, own }: { from: (name: string) => string; alias: string; instant: string; own: string },
): { readonly joins: string; readonly offset_s: string } {
  const within = (span: string): string =>
    `${alias}.${instant} >= ${span}.from_at and ${alias}.${instant} < coalesce(${span}.to_at, ${constant(END)})`;
  return {
    joins: `left join ${from('user_time_zones')} zone_span
    on zone_span.user_id = case when ${alias}.${own} is null then ${alias}.user_id end and zone_span.user_id = ${alias}.user_id
    and ${within('zone_span')}
  left join ${table(TIME_ZONES)} zone_rule
    on zone_rule.zone = case when zone_span.offset_s is null then zone_span.time_zone end and zone_rule.time_basis = 'utc'
    and ${within('zone_rule')}`,
    offset_s: 'coalesce(zone_span.offset_s, zone_rule.offset_s)',
  };
}
