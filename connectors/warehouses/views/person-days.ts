import type { View, ViewDialect } from './dialect.ts';

/** Daily measures from a summary table. Each measure is an aggregate, because several sources may have a row for the same day. */
interface Part {
  readonly table: string;
  readonly measures: Readonly<Record<string, string>>;
}

/**
 * Several providers may report the same day, so their values are never added up. Counts and durations use the maximum, and levels
 * use the mean.
 */
const parts: readonly Part[] = [
  {
    table: 'activity',
    measures: {
      steps: 'max(steps)',
      distance_m: 'max(distance_m)',
      calories_active_kcal: 'max(calories_active_kcal)',
      calories_total_kcal: 'max(calories_total_kcal)',
      floors_climbed: 'max(floors_climbed)',
      heart_rate_resting_bpm: 'avg(heart_rate_resting_bpm)',
    },
  },
  {
    table: 'sleep',
    measures: {
      sleep_total_s: 'max(total_s)',
      sleep_deep_s: 'max(deep_s)',
      sleep_rem_s: 'max(rem_s)',
      sleep_awake_s: 'max(awake_s)',
      sleep_efficiency: 'avg(efficiency)',
      sleep_hrv_avg_ms: 'avg(average_hrv_ms)',
      sleep_respiratory_rate_per_min: 'avg(respiratory_rate_per_min)',
    },
  },
  {
    table: 'body',
    measures: { weight_kg: 'avg(weight_kg)', fat_pct: 'avg(fat_pct)' },
  },
  {
    table: 'workouts',
    measures: { workouts: 'count(*)', workouts_distance_m: 'max(distance_m)', workouts_calories_kcal: 'max(calories_kcal)' },
  },
];

/** Daily measures from samples, in the unit that the resource declares. */
const ofSamples: Readonly<Record<string, string>> = {
  heartrate_min_bpm: "min(case when resource = 'heartrate' then value end)",
  heartrate_avg_bpm: "avg(case when resource = 'heartrate' then value end)",
  heartrate_max_bpm: "max(case when resource = 'heartrate' then value end)",
  glucose_avg_mmol_l: "avg(case when resource = 'glucose' and lower(unit) = 'mmol/l' then value end)",
  blood_oxygen_avg_pct: "avg(case when resource = 'blood_oxygen' then value end)",
  samples: 'count(*)',
};

/** One row per user and day, combined from all tables. Days are the user's local dates. */
export function personDaysView({ table }: ViewDialect): View {
  const all: readonly { alias: string; query: string; names: readonly string[] }[] = [
    ...parts.map(({ table: name, measures }) => ({
      alias: name,
      names: Object.keys(measures),
      query: daily(table(name), 'calendar_date', measures),
    })),
    { alias: 'sampled', names: Object.keys(ofSamples), query: daily(table('timeseries'), 'local_date', ofSamples) },
  ];
  const days = all.map(({ alias }) => `  select user_id, calendar_date from ${alias}_days`);
  return {
    name: 'person_days',
    query: `with
${all.map(({ alias, query }) => `${alias}_days as (\n${query}\n)`).join(',\n')},
days as (
${days.join('\n  union distinct\n')}
)
select
  days.user_id, days.calendar_date,
  ${all.map(({ alias, names }) => names.map((name) => `${alias}_days.${name}`).join(', ')).join(',\n  ')}
from days
${all.map(({ alias }) => `left join ${alias}_days on ${alias}_days.user_id = days.user_id and ${alias}_days.calendar_date = days.calendar_date`).join('\n')}`,
  };
}

function daily(relation: string, date: string, measures: Readonly<Record<string, string>>): string {
  const selected = Object.entries(measures).map(([name, value]) => `${value} as ${name}`);
  return `  select user_id, ${date} as calendar_date, ${selected.join(', ')}
  from ${relation}
  where ${date} is not null
  group by user_id, ${date}`;
}
