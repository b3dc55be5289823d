/**
 * SQL that fills the tables of a new DuckDB warehouse with a year of 200 users: about 10 million samples, and summaries. The rows
 * are in the order in which merges append them, which no view prefers: day by day, with the users mixed every six
 * hours. One user in five connects in May and sends the earlier months at once.
 */

const USERS = 200;
const DAYS = 366;
/** The first date with data. */
const FIRST = '2024-01-01';

/** A series of samples that a user has on each day. */
interface Series {
  readonly resource: string;
  /** 1 is a watch, which sends offsets for most users. 2 is a ring, which sends none. */
  readonly source: 1 | 2;
  readonly beginsMinute: number;
  readonly everyMinutes: number;
  readonly count: number;
  readonly lowest: number;
  readonly range: number;
  readonly unit: string;
  readonly isInterval?: boolean;
  /** Condition on the columns `user` (a number) and `day`. */
  readonly when?: string;
}

/** All users together have 137 samples a day on average. */
const series: readonly Series[] = [
  watch('heartrate', { everyMinutes: 15, count: 96, lowest: 48, range: 90, unit: 'bpm' }),
  watch('steps', { beginsMinute: 420, everyMinutes: 60, count: 15, lowest: 0, range: 1200, unit: 'count', isInterval: true }),
  watch('weight', { beginsMinute: 430, everyMinutes: 60, count: 1, lowest: 60, range: 40, unit: 'kg', when: 'day % 3 = 0' }),
  ring('heartrate', { everyMinutes: 30, count: 14, lowest: 44, range: 40, unit: 'bpm' }),
  ring('hrv', { everyMinutes: 60, count: 6, lowest: 20, range: 80, unit: 'rmssd' }),
  ring('blood_oxygen', { everyMinutes: 120, count: 3, lowest: 93, range: 7, unit: '%' }),
  ring('glucose', { everyMinutes: 60, count: 24, lowest: 70, range: 70, unit: 'mg/dL', when: 'user % 10 = 0' }),
];

type Pace = Omit<Series, 'resource' | 'source' | 'beginsMinute'> & { readonly beginsMinute?: number };

function watch(resource: string, pace: Pace): Series {
  return { resource, source: 1, beginsMinute: 0, ...pace };
}

function ring(resource: string, pace: Pace): Series {
  return { resource, source: 2, beginsMinute: 0, ...pace };
}

export const userId = (user: number): string => `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`;

const provider = "case source when 1 then case when user % 3 = 0 then 'garmin' else 'apple_health_kit' end else 'oura' end";
const sourceType = "case source when 1 then 'watch' else 'ring' end";
const user = "'00000000-0000-4000-8000-' || lpad(user::varchar, 12, '0')";
/** One user in five has no offsets. The others are in zones without summer time. */
const offset = '(case user % 5 when 0 then null when 1 then -18000 when 2 then -18000 when 3 then 3600 else 28800 end)::bigint';
const zone =
  "case user % 5 when 0 then 'Europe/Berlin' when 1 then 'America/Bogota' when 2 then 'America/Bogota' when 3 then 'Africa/Lagos' else 'Asia/Singapore' end";
/** Garmin sends some local times without an offset. */
const isFloating = 'source = 1 and user % 6 = 0';
/** A number from 0 up to but not including `limit`, which follows from the given columns. */
const some = (limit: number, ...of: readonly string[]): string => `(hash(${of.join(', ')}) % ${limit})::double`;
const midnight = `(timestamptz '${FIRST} 00:00:00+00' + to_days(day::integer))`;
const date = `(date '${FIRST}' + day::integer)`;
/** The users who connect late have all earlier data on this day. */
const CONNECTED_DAY = 120;
const arrives = `case when user % 5 = 4 and day < ${CONNECTED_DAY} then ${CONNECTED_DAY} else day end`;
const receivedAt = `timestamptz '${FIRST} 06:00:00+00' + to_days((${arrives})::integer)`;
const days = `(select unnest(range(${USERS})) as user) cross join (select unnest(range(${DAYS})) as day)`;
const sources = '(select unnest([1, 2]) as source)';

/** The constants of rows of all tables. */
const merged = `1 as _origin, row_number() over () as _offset, 1 as _reader`;
const summary = `'daily.data.created' as event_type, ${user} as user_id, ${provider} as provider, ${sourceType} as source_type,
  ${date} as calendar_date, ${receivedAt} as created_at, ${receivedAt} as updated_at,
  ${receivedAt} as _version_time, ${receivedAt} as _received_at, ${merged}, ${receivedAt} as _loaded_at`;

const columnsOf = (one: Series, index: number): string =>
  `(${index}, '${one.resource}', ${one.source}, ${one.beginsMinute}, ${one.everyMinutes}, ${one.count}, ${one.lowest}, ${one.range}, '${one.unit}', ${one.isInterval ?? false})`;

const conditions = series.flatMap(({ when }, index) => (when === undefined ? [] : [`when ${index} then ${when}`]));

/** Each event has six hours of samples of one series, because many providers send samples that often. */
const samples: readonly string[] = [
  `create temp table declared_series (declared integer, resource varchar, source integer, begins_minute integer, every_minutes integer, count integer, lowest double, range double, unit varchar, is_interval boolean)`,
  `insert into declared_series values ${series.map(columnsOf).join(', ')}`,
  `insert into control.series
select declared * ${USERS} + user + 1, ${user}, resource, ${provider}, ${sourceType}, '', ''
from declared_series, (select unnest(range(${USERS})) as user)`,
  `create temp table sent as
select
  row_number() over (order by ${arrives}, quarter, hash(user, declared, day)) as event,
  declared, user, day, resource, source, unit, is_interval, begins_minute, every_minutes, lowest, range,
  quarter * per_quarter as from_nth, least(count, (quarter + 1) * per_quarter) as to_nth
from (
  select *, unnest(range(quarters)) as quarter
  from (
    select *, case when count >= 48 then 4 else 1 end as quarters, count // case when count >= 48 then 4 else 1 end as per_quarter
    from ${days} cross join declared_series
  )
)
where case declared ${conditions.join(' ')} else true end`,
  `insert into control.timeseries_events by name
select
  event as id, 'daily.data.' || resource || '.created' as event_type, case when ${isFloating} then 'floating' else 'utc' end as time_basis,
  unit, ${receivedAt} as _loaded_at
from sent order by event`,
  `insert into control.timeseries_samples by name
select
  series, event, start_at, timezone_offset_s, case when is_interval then start_at + interval 1 hour end as end_at,
  lowest + (hash(event, start_at) % (range * 10)::bigint)::double / 10 as value, make_timestamp(epoch_us(start_at))::date as _day, _received_at,
  1 as _origin, event as _offset, 1 as _reader
from (
  select
    *, declared * ${USERS} + user + 1 as series, case when source = 1 and not (${isFloating}) then ${offset} end as timezone_offset_s,
    ${midnight} + to_minutes(begins_minute + every_minutes * unnest(range(from_nth, to_nth))) as start_at, ${receivedAt} as _received_at
  from sent
)
order by event`,
  `insert into deliveries by name
select
  'webhook' as source, '0' as source_partition, event as source_offset, ${receivedAt} as received_at,
  'daily.data.' || resource || '.created' as event_type, 'msg_' || event as delivery_id, ${user} as user_id,
  'customer-' || user as client_user_id, ${provider} as provider, ${sourceType} as source_type, resource, to_nth - from_nth as samples, 'timeseries' as stream, false as redelivered, 1000 as body_bytes,
  (hash(event) % 4294967296)::bigint as body_crc32, 1 as _reader, make_timestamp(epoch_us(${receivedAt}))::date as _day, ${receivedAt} as _loaded_at
from sent order by event`,
  'drop table sent',
];

/** Two devices record each night. One night in ten, the second device sends two fragments. */
const nights = `insert into sleep by name
select
  *, bedtime_start + to_seconds(duration_s) as bedtime_stop, duration_s - 1800 as total_s, 1800 as awake_s, duration_s // 2 as light_s,
  duration_s // 4 as rem_s, duration_s - 1800 - duration_s // 2 - duration_s // 4 as deep_s
from (
  select
    ${summary}, 'sleep-' || source || '-' || user || '-' || day || '-' || fragment as id, 'long_sleep' as sleep_type,
    case when source = 1 then ${offset} end as timezone_offset_s, 50 + ${some(50, 'user', 'day')} as score,
    48 as hr_lowest_bpm, 55 + ${some(20, 'user', 'day')} as hr_average_bpm, 0.9 as efficiency, 30 + ${some(60, 'day', 'user')} as average_hrv_ms,
    14.5 as respiratory_rate_per_min, 'confirmed' as state,
    ${midnight} - to_seconds(coalesce(${offset}, 0)) - interval 1 hour + to_minutes((${some(120, 'user', 'day')})::integer + 5 * source + 240 * fragment) as bedtime_start,
    case when fragments = 2 then 12600 else 27000 end as duration_s
  from (
    select *, unnest(range(fragments)) as fragment
    from (select *, case when source = 2 and (user + day) % 10 = 0 then 2 else 1 end as fragments from ${days} cross join ${sources})
  )
)
order by _received_at, hash(user_id, calendar_date)`;

/** Four workouts a week. The second device records six of ten of them too. */
const workouts = `insert into workouts by name
select *, time_start + to_seconds(moving_time_s) as time_end
from (
  select
    ${summary}, 'workout-' || source || '-' || user || '-' || day as id, ${offset} as timezone_offset_s, 'Run' as sport_name, 'running' as sport_slug,
    130 + ${some(30, 'user', 'day')} as average_hr_bpm, [0, 600, 900, 300, 0, 0] as hr_zones_s, 5000 + ${some(5000, 'day', 'user', 'source')} as distance_m,
    300 + ${some(300, 'day', 'user', 'source')} as calories_kcal, 1800 + (${some(1800, 'user', 'day')})::bigint as moving_time_s,
    ${midnight} + interval 16 hour + to_minutes(3 * source) as time_start
  from ${days} cross join ${sources}
  where (user + day) % 7 < 4 and (source = 1 or (user + day) % 10 < 6)
)
order by _received_at, hash(id)`;

const activities = `insert into activity by name
select
  ${summary}, 'activity-' || source || '-' || user || '-' || day as id, 1500 + ${some(1500, 'user', 'day', 'source')} as calories_total_kcal,
  200 + ${some(600, 'day', 'user')} as calories_active_kcal, 2000 + (${some(10_000, 'user', 'day')})::bigint + 100 * source as steps,
  1500 + ${some(8000, 'user', 'day')} as distance_m, (${some(30, 'user', 'day')})::bigint as floors_climbed,
  case when user % 2 = 0 then ${zone} end as time_zone, ${offset} as timezone_offset_s, 52 + ${some(20, 'user', 'day')} as heart_rate_resting_bpm
from ${days} cross join ${sources}
order by _received_at, hash(id)`;

const bodies = `insert into body by name
select
  ${summary}, 'body-' || source || '-' || user || '-' || day as id, 60 + ${some(40, 'user', 'day')} as weight_kg, 15 + ${some(20, 'user', 'day')} as fat_pct
from ${days} cross join (select 1 as source)
where day % 7 = user % 7
order by _received_at, hash(id)`;

/** One user in five measures the blood pressure in the morning and in the evening. */
const pressures: readonly string[] = [
  `insert into control.series select 1000000 + user, ${user}, 'blood_pressure', 'omron', 'cuff', '', '' from (select unnest(range(0, ${USERS}, 5)) as user)`,
  `create temp table readings as select row_number() over () as event, user, day, evening
from ${days} cross join (select unnest([0, 1]) as evening) where user % 5 = 0`,
  `insert into control.blood_pressure_events by name
select event as id, 'daily.data.blood_pressure.created' as event_type, 'utc' as time_basis, 'mmHg' as unit, ${receivedAt} as _loaded_at from readings`,
  `insert into control.blood_pressure_samples by name
select
  1000000 + user as series, event, ${midnight} + to_hours(8 + 12 * evening) as start_at, 110 + ${some(40, 'user', 'day', 'evening')} as systolic_mmhg,
  70 + ${some(20, 'user', 'day', 'evening')} as diastolic_mmhg, ${date} as _day, ${receivedAt} as _received_at, 1 as _origin, event as _offset, 1 as _reader
from readings order by day, hash(user, evening)`,
  'drop table readings',
];

const people = `insert into users by name
select
  'user' as event_type, ${user} as user_id, ${zone} as fallback_time_zone, 'manual' as fallback_time_zone_source, ${merged},
  timestamptz '${FIRST} 00:00:00+00' as _received_at, timestamptz '${FIRST} 00:00:00+00' as _loaded_at
from (select unnest(range(${USERS})) as user)`;

export const statements: readonly string[] = [people, ...samples, ...pressures, activities, bodies, nights, workouts];
