import { columnMeasures, type TableDeclaration } from '@aorta/schemas';
import type { From } from '../warehouses/kept/kept-table.ts';
import { CHANGED_PERSON_DAYS, CHANGES_KEPT_DAYS } from '../warehouses/views/changed-person-days.ts';
import { isShown } from '../warehouses/views/dialect.ts';
import { GMI_DAYS } from '../warehouses/views/glucose-days.ts';
import { GAP_S, LONGEST_S } from '../warehouses/views/sleep-sessions.ts';
import { DAYS_BEFORE } from '../warehouses/views/source-rank.ts';
import type { GroupedView } from '../warehouses/views/views.ts';
import { datesOf } from './changed-days.ts';
import type { Database } from './database.ts';
import { type BoundKind, type BoundScope, currentDate } from './day-bounds.ts';
import { type Definition, recordDefinition } from './kept-definitions.ts';
import { notSuppressed } from './sql/erase.ts';
import { text } from './sql/types.ts';

const step = 'following changed days of users';

/*
 * `control.changed_person_days` tells which days of a user may differ in the views by day, and since when. A recomputation of the
 * kept tables adds its days in the same transaction, so a reader sees the days and their rows together. A day that has lost its
 * rows stays in the table.
 */

/** The views match no longer workouts with others. */
const [, LONGEST_WORKOUT_S] = columnMeasures.find(({ id }) => id === 'workouts.moving_time_s')!.plausible!;

/** `quality_flags` compares a day with the whole history of the user. */
const notFollowed: readonly string[] = ['quality_flags', CHANGED_PERSON_DAYS];

/** First and last date of each calendar. */
const calendars = `select user_id, min(local_date) filter (kind = 'calendar') as from_date, min(local_date) filter (kind = 'current') as to_date
from control.day_bounds
where kind in ('calendar', 'current')
group by user_id
having count(*) = 2`;

/** The views by day that `changed_person_days` follows, as queries for their rows. */
export const followedViews = (views: readonly GroupedView[]): readonly string[] =>
  views
    .filter(isShown)
    .filter(({ group, name, columns }) => group === 'days' && !notFollowed.includes(name) && columns.some(isDate))
    .map(({ name }) => `from ${name}`);

const isDate = ({ name }: { readonly name: string }): boolean => name === 'local_date' || name === 'night_date';

/**
 * Queries for all days that may have rows in a view by day. The views themselves would take much memory. A night or a workout may
 * be a day away from the date of its record.
 */
export const allDays = (tables: readonly TableDeclaration[]): readonly string[] => [
  'select user_id, local_date from kept.source_days',
  ...tables.flatMap((table) => {
    const dates = datesOf(table);
    return dates === undefined
      ? []
      : [
          `select user_id, day + shift::integer from (select user_id, ${dates} as day from ${table.name}), range(-1, 2) shifts(shift)`,
        ];
  }),
  `select user_id, unnest(generate_series(from_date, to_date, interval 1 day))::date
from (
${calendars}
) calendars`,
];

/** Later than every change before, even if the clock of the system was set back. */
const now = `greatest(current_timestamp, (select max(changed_at) from control.changed_person_days) + interval 1 microsecond)`;

/** Marks days as changed. `days` is a query for `user_id` and `local_date`. */
const mark = (days: string): readonly string[] => [
  `create or replace temp table keeping_marks as
select distinct user_id, local_date, ${now} as changed_at
from (
${days}
) days
where local_date between date '0001-01-01' and date '9999-12-31'`,
  `delete from control.changed_person_days c using keeping_marks m where m.user_id = c.user_id and m.local_date = c.local_date`,
  'insert into control.changed_person_days from keeping_marks',
  'drop table keeping_marks',
];

/**
 * Finds the bounds of one kind that have moved, and stores the new ones. A bound that has only one date is new or gone. All later
 * days may differ then, or all earlier ones for the current date. A delayed date stands for itself.
 */
function moveBounds({ name, isOfAll, query }: BoundKind, scope: BoundScope): readonly string[] {
  const known = `select user_id from control.day_bounds where kind = '${name}'`;
  const users = isOfAll ? `${known} union ${scope.users}` : scope.users;
  const stored = `from control.day_bounds where kind = '${name}'${isOfAll ? '' : ` and user_id in (${users})`}`;
  const orIfAlone = (date: string, alone: string): string => `case when count(*) = 1 then date '${alone}' else ${date} end`;
  const from = name === 'current' ? orIfAlone('min(local_date)', '0001-01-01') : 'min(local_date)';
  const to = name === 'current' || name === 'delayed' ? 'max(local_date)' : orIfAlone('max(local_date)', '9999-12-31');
  return [
    `create or replace temp table keeping_bounds as
select user_id, '${name}' as kind, bound, local_date
from (
${query({ ...scope, users })}
) bounds
where local_date is not null and user_id is not null`,
    `insert into keeping_moves
select user_id, ${from}, ${to}
from (
  (from keeping_bounds except select user_id, kind, bound, local_date ${stored})
  union all
  (select user_id, kind, bound, local_date ${stored} except from keeping_bounds)
) differing
group by user_id, bound`,
    `delete ${stored}`,
    'insert into control.day_bounds from keeping_bounds',
  ];
}

/** Known days between the old and the new date of a bound, and the days of the calendar between them. */
const betweenBounds = `select c.user_id, c.local_date
from control.changed_person_days c
join keeping_moves m on m.user_id = c.user_id and c.local_date between m.from_date and m.to_date
union all
select
  m.user_id,
  unnest(generate_series(greatest(m.from_date, c.from_date), least(m.to_date, c.to_date), interval 1 day))::date
from keeping_moves m
join (
${calendars}
) c on c.user_id = m.user_id`;

/**
 * Days of the recomputed scope, and the known days in a period whose time zone has changed. `keeping_days` contains the days after a
 * change that depend on it, even if there is nothing yet.
 */
const recomputed = `select user_id, local_date
from (
  select user_id, day as local_date from keeping_days
  union all
  -- The glucose management indicator looks back.
  select k.user_id, k.day + shift::integer
  from keeping_days k
  join control.day_bounds b on b.user_id = k.user_id and b.kind = 'measure' and b.bound = 'glucose',
  range(1, ${GMI_DAYS}) shifts(shift)
  union all
  select c.user_id, c.local_date + shift::integer
  from control.changed_person_days c
  join keeping_moved m on m.user_id = c.user_id
    and c.local_date >= m.from_at::date - 2 and c.local_date <= m.to_at::date + 2,
  range(-1, ${DAYS_BEFORE + GMI_DAYS + 1}) shifts(shift)
) dated
left join (
  select user_id, max(last_date) as last_date
  from (
    select user_id, max(day) + 1 as last_date from control.changed_days group by user_id
    union all
    select user_id, max(local_date) from kept.source_days group by user_id
    union all
    -- The last day may have lost its rows.
    select user_id, max(local_date) from control.changed_person_days group by user_id
    union all
    select user_id, local_date from control.day_bounds where kind = 'current'
  ) lasts
  group by user_id
) known using (user_id)
where local_date <= last_date`;

/**
 * Days of sleeps and workouts that overlap in a chain. A record counts only if a better one that overlaps it does not, so a change at one
 * end of a chain can reach the other end. Chains of at most two days do not matter, because the scope contains the days next to a
 * change.
 */
const chained = `select c.user_id, unnest(generate_series(c.from_date, c.to_date, interval 1 day))::date as local_date
from (
  select user_id, min(start_at)::date - 1 as from_date, max(end_at)::date + 1 as to_date
  from (
    select *, sum(begins::integer) over (partition by user_id, kind order by start_at, end_at) as chain
    from (
      select
        *,
        coalesce(start_at > max(end_at) over (
          partition by user_id, kind order by start_at, end_at rows between unbounded preceding and 1 preceding
        ), true) as begins
      from (
        select user_id, 'sleep' as kind, bedtime_start as start_at, bedtime_stop + to_seconds(${GAP_S}) as end_at
        from sleep semi join keeping_users using (user_id)
        where bedtime_stop - bedtime_start between interval 0 second and to_seconds(${LONGEST_S})
        union all
        select user_id, 'workout', time_start, time_end
        from workouts semi join keeping_users using (user_id)
        where time_end - time_start between interval 0 second and to_seconds(${LONGEST_WORKOUT_S})
      ) recorded
    ) compared
  ) linked
  group by user_id, kind, chain
  having max(end_at) - min(start_at) > interval 2 day
) c
where exists (from keeping_days k where k.user_id = c.user_id and k.day between c.from_date and c.to_date)`;

const endOfErased = `current_timestamp - interval ${CHANGES_KEPT_DAYS} day`;

const forgetErased = `delete from control.changed_person_days
where changed_at < ${endOfErased} and user_id in (
  select user_id from (select distinct user_id from control.changed_person_days) users where not (${notSuppressed(['user_id'])})
)`;

/** A kind of bound, and everything that its query reads. */
interface DefinedBound extends Definition {
  readonly kind: BoundKind;
}

/** What {@link followChanges} needs besides the scope of the recomputation. */
export interface Followed {
  readonly definition: Definition;
  readonly bounds: readonly DefinedBound[];
  /** See {@link allDays}. */
  readonly days: readonly string[];
}

const everyone: BoundScope = {
  from: (name) => name,
  users: 'select distinct user_id from deliveries where user_id is not null',
};

const createMoves = 'create or replace temp table keeping_moves (user_id varchar, from_date date, to_date date)';
const dropMoves = 'drop table keeping_moves; drop table if exists keeping_bounds';

/** The users of a recomputation. Undefined if a rule has changed, so that all days of all users count as changed. */
export interface FollowedUsers {
  readonly from: From;
  /** Whether a recomputation may have changed what a query reads. */
  isAffected(definition: Definition): boolean;
}

/** Marks the days that a recomputation may have changed, within its transaction and with its scope. */
export async function followChanges(database: Database, followed: Followed, of: FollowedUsers | undefined): Promise<void> {
  const { definition, bounds, days } = followed;
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await database.run(step, statement);
  };
  await run([createMoves]);
  const scope = of === undefined ? everyone : { from: of.from, users: 'from keeping_users' };
  for (const bound of bounds) if (of === undefined || of.isAffected(bound)) await run(moveBounds(bound.kind, scope));
  if (of === undefined) {
    const known = `select user_id, local_date from control.changed_person_days where ${notSuppressed(['user_id'])}`;
    await run(mark([known, ...days].join('\nunion all\n')));
    await run(recordDefinition(definition));
  } else await run(mark([recomputed, betweenBounds, chained].join('\nunion all\n')));
  await run([dropMoves]);
  const [old] = await database.rows(step, `select exists (from control.suppressed where suppressed_at < ${endOfErased})`);
  if (old![0] === true) await run([forgetErased]);
}

/**
 * Statements of an erasure, which run before the user is deleted from the kept tables. They mark all days of the user. If the last
 * receipt of anybody was that of the user, all other calendars become shorter, so they mark these days, too.
 */
export const followErasure = (user: string): readonly string[] => [
  ...mark(`select user_id, local_date from control.changed_person_days where user_id = ${text(user)}
union all
select user_id, day + shift::integer from control.changed_days, range(-1, 3) shifts(shift) where user_id = ${text(user)}`),
  `delete from control.day_bounds where user_id = ${text(user)}`,
  createMoves,
  ...moveBounds(currentDate, everyone),
  ...mark(betweenBounds),
  dropMoves,
];
