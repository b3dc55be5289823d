import { TIME_ZONES } from '../time-zones.ts';
import type { ViewDialect } from './dialect.ts';

/**
 * Condition that a row of `users` has a fallback time zone. If no zone was set, the service answers with a zone whose source
 * is `service`.
 */
export const hasFallbackZone = "coalesce(fallback_time_zone_source, '') <> 'service'";

/** Hours and minutes, such as `3`, `03`, `03:30` or `0330`. `whole` matches the hours from 10 that may have minutes. */
const clock = (whole: string, last: number): string =>
  `((0?[0-9]|${whole})(:[0-5][0-9])?|(0[0-9]|${whole})[0-5][0-9]|${last}(:?00)?)`;

/** Spellings of a fixed offset, from 12 hours west to 14 hours east. */
const OFFSET = `^(gmt|utc)?([+]${clock('1[0-3]', 14)}|-${clock('1[01]', 12)})$`;

export interface NamedZone {
  readonly join: string;
  /** The name as the table of time zones spells it; NULL if the table has no such name. */
  readonly zone: string;
  /** The offset, if the name is not in the table but is a fixed offset; otherwise NULL. */
  readonly offset_s: string;
}

/**
 * Returns a join that looks up a time zone by its name, and the expressions that use it. Letter case, spaces around the name, and
 * spaces in place of underscores do not matter. `sent` is an expression.
 */
export function namedZone({ table, matches, text }: ViewDialect, sent: string): NamedZone {
  const spelled = `replace(lower(trim(${sent}, ' ')), ' ', '_')`;
  const digits = `replace(replace(replace(${spelled}, 'gmt', ''), 'utc', ''), ':', '')`;
  const number = `cast(${digits} as int64)`;
  return {
    join: `left join (select distinct zone, lower(zone) as spelled from ${table(TIME_ZONES)}) named on named.spelled = ${spelled}`,
    zone: 'named.zone',
    // `-0530` is the number -530. `mod` keeps the sign, so 36 × -530 + 24 × -30 is the offset in seconds.
    offset_s: `case
      when named.zone is not null then null
      when ${spelled} = 'z' then 0
      when not ${matches(spelled, text(OFFSET))} then null
      when length(${digits}) < 4 then ${number} * 3600
      else mod(${number}, 100) * 24 + ${number} * 36
    end`,
  };
}
