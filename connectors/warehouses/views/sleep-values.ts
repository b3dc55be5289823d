import type { ViewDialect } from './dialect.ts';
import { END } from './local-time.ts';
import { plausibleValue } from './plausible.ts';

/** Durations that a session adds up. */
const sums: readonly string[] = ['total_s', 'awake_s', 'light_s', 'rem_s', 'deep_s'];

/** Columns with a mean over the fragments, weighted by the time asleep. Each is mapped to its column in `sleep`. */
const means: Readonly<Record<string, string>> = {
  hr_average_bpm: 'hr_average_bpm',
  hr_resting_bpm: 'hr_resting_bpm',
  hrv_ms: 'average_hrv_ms',
  respiratory_rate_per_min: 'respiratory_rate_per_min',
  temperature_delta_c: 'temperature_delta_c',
  skin_temperature_c: 'skin_temperature_c',
  hr_dip_pct: 'hr_dip_pct',
};

/** Scores of the provider. They cannot be added or averaged, so a session takes them from its longest fragment. */
const scores: readonly string[] = ['score', 'recovery_readiness_score'];

const read: readonly string[] = [...sums, ...Object.values(means), ...scores, 'efficiency', 'hr_lowest_bpm', 'latency_s'];

/** A number of seconds greater than any result of {@link beforeEnd}. */
const AGES_S = 1_000_000_000_000;

/** Condition that a record has usable times. */
export const USABLE = 'bedtime_stop > bedtime_start';

/** Expression for the time from start to end of a record; NULL if its times are not usable. */
export function usableLength({ secondsBetween }: ViewDialect): string {
  return `case when ${USABLE} then ${secondsBetween('bedtime_start', 'bedtime_stop')} end`;
}

const wholeLength = (dialect: ViewDialect): string => `cast(floor(${usableLength(dialect)}) as int64)`;

/** Expression for the time asleep of a record. If a record has none, its length counts, or else its duration. */
export function timeAsleep(dialect: ViewDialect): string {
  const [total, duration] = [plausibleValue('sleep', 'total_s'), plausibleValue('sleep', 'duration_s')];
  return `coalesce(${total}, ${wholeLength(dialect)}, ${duration}, 0)`;
}

/** Query for the plausible values of the records in `sleep`. It reads no other table. */
export function recordValues(dialect: ViewDialect, from: (name: string) => string): string {
  const plausible = (column: string): string => plausibleValue('sleep', column);
  return `  select
    user_id as record_user_id, id as record_id, bedtime_start, bedtime_stop, state,
    coalesce(${plausible('duration_s')}, ${wholeLength(dialect)}) as sent_duration_s,
    ${timeAsleep(dialect)} as weight_s,
    ${read.map((column) => `${plausible(column)} as ${column}`).join(',\n    ')}
  from ${from('sleep')}`;
}

/**
 * Expression that orders the fragments of a session: the earliest fragment has the highest value. No two fragments start at
 * the same time, because one would repeat the other. A record without a start is the only one of its session.
 */
export function beforeEnd({ secondsBetween, instant }: ViewDialect, start: string): string {
  return `coalesce(${secondsBetween(start, instant(END))}, 1)`;
}

/** Expressions that aggregate the fragments of a session, which come from {@link recordValues}. */
export function sessionValues(dialect: ViewDialect): Readonly<Record<string, string>> {
  const { latest, jsonList, floor } = dialect;
  const earliest = beforeEnd(dialect, 'bedtime_start');
  // The earlier one of two fragments with the same time asleep counts as the longer one.
  const longest = `1 + weight_s * ${AGES_S} + ${floor(earliest)}`;
  return {
    fragments: 'count(record_id)',
    ids: jsonList('record_id', ['bedtime_start', 'bedtime_stop', 'record_id']),
    sent_duration_s: 'max(sent_duration_s)',
    state: "case when max(case when state = 'tentative' then 1 end) = 1 then 'tentative' else min(state) end",
    ...Object.fromEntries(
      sums.map((name) => [name, `case when count(${name}) = count(record_id) then cast(sum(${name}) as int64) end`]),
    ),
    latency_s: latest('latency_s', earliest),
    hr_lowest_bpm: 'min(hr_lowest_bpm)',
    ...Object.fromEntries(Object.entries(means).map(([name, of]) => [name, weightedMean(of)])),
    ...Object.fromEntries(scores.map((name) => [name, latest(name, longest)])),
    sent_efficiency: weightedMean('efficiency'),
  };
}

/** Mean over the fragments that have a value, weighted by the time asleep. The value of a single fragment stays exact. */
function weightedMean(column: string): string {
  const weighted = `sum(${column} * weight_s) / nullif(sum(case when ${column} is not null then weight_s end), 0)`;
  return `case when count(${column}) = 1 then avg(${column}) else coalesce(${weighted}, avg(${column})) end`;
}
