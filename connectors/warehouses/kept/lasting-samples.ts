import { resourcesKeyedByType } from '@aorta/schemas';
import type { ViewDialect } from '../views/dialect.ts';
import { countedSamples } from '../views/unit-conversions.ts';
import type { From } from './kept-table.ts';

/** Maximum duration of a sample without an end, in seconds. Most devices send at least this often. */
const LASTS_S = 10 * 60;
/** The same for glucose, because its sensors send at least every 15 minutes. */
const GLUCOSE_LASTS_S = 20 * 60;
export const HOUR_US = 3_600_000_000;
export const DAY_US = 24 * HOUR_US;

/** Key of a sample's source and resource. No two samples with the same key start at the same time. */
export function sourceKey({ groupKey: keyOf }: ViewDialect, row: string): string {
  const typed = resourcesKeyedByType.map((resource) => `'${resource}'`).join(', ');
  return keyOf([
    ...['user_id', 'resource', 'provider', 'source_type'].map((name) => `${row}.${name}`),
    `case when ${row}.resource in (${typed}) then ${row}.sample_type else '' end`,
  ]);
}

/** Expression that divides a number of local microseconds or hours since 1970 by `per` and rounds down, even before 1970. */
export const whole = (number: string, per: number): string =>
  `cast((${number} - mod(mod(${number}, ${per}) + ${per}, ${per})) / ${per} as int64)`;

/**
 * Query for samples with what decides how long they last: `own_us` is the duration of a sample with an end, and `most_us` the
 * maximum duration of other samples. An implausible value is NULL, but its sample still ends the sample before it. `also` are
 * further expressions over a row `s` of `timeseries_local`.
 */
export function lastingSamples(dialect: ViewDialect, from: From, resources: readonly string[], also: readonly string[]): string {
  const { join, value, knownUnit, implausible } = countedSamples(dialect, 's');
  const start = dialect.micros('s.start_at');
  return `select
        ${[`${sourceKey(dialect, 's')} as source_key`, ...also].join(', ')}, ${start} as start_us,
        ${start} + case when s.time_basis = 'floating' then 0 else coalesce(s.local_offset_s, 0) * 1000000 end as local_us,
        case when s.end_at > s.start_at then ${dialect.micros('s.end_at')} - ${start} end as own_us,
        case when s.resource = 'glucose' then ${GLUCOSE_LASTS_S}000000 else ${LASTS_S}000000 end as most_us,
        case when not ${implausible} then s.value end as value, case when ${knownUnit} then ${value} end as canonical
      from ${from('timeseries_local')} s
      ${join}
      where s.resource in (${resources.map((resource) => `'${resource}'`).join(', ')})`;
}

/**
 * Query for the plausible samples of {@link lastingSamples}, with the columns `keys`. `local_period` is the number of the local
 * hour or day since 1970 in which a sample starts, and `lasts_us` how long it lasts in this period. `of` identifies a source: a
 * condition on one of these columns reaches the tables.
 */
export function lasting(samples: string, keys: readonly string[], period: number, of = ['source_key']): string {
  return `  select
    ${keys.join(', ')}, ${whole('local_us', period)} as local_period, value, canonical,
    least(
      ${period} - mod(mod(local_us, ${period}) + ${period}, ${period}),
      coalesce(own_us, most_us), coalesce(next_us - start_us, own_us, most_us)
    ) as lasts_us
  from (
    select *, lead(start_us) over (partition by ${of.join(', ')} order by start_us) as next_us
    from (
      ${samples}
    ) sent
  ) followed
  where value is not null`;
}
