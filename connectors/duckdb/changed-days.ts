import type { TableDeclaration } from '@aorta/schemas';
import type { Database } from './database.ts';

const noting = 'noting changed days';

/** The dates of an event that spans more days than this are read from its samples. */
const MOST_DAYS = 31;

/** Landed samples: the view of their events, and their table. */
interface LandedSamples {
  readonly events: string;
  readonly samples: string;
}

/**
 * Notes the dates of landed samples. If an event spans at most {@link MOST_DAYS} days, this notes every date from its first to its
 * last sample, because reading all samples would take longer. An older version of a sample has the same time.
 */
export async function noteSamples(database: Database, landed: readonly LandedSamples[]): Promise<void> {
  const day = (micros: string): string => `make_timestamp(${micros}::bigint)::date`;
  const events = landed.map(({ events: view }) => `select no, c_user_id, samples, first_at, last_at from ${view}`);
  const samples = landed.map(({ samples: table }) => `select no, start_at from ${table}`);
  await database.run(
    noting,
    `insert into control.changed_days
with spans as (
  select no, c_user_id as user_id, ${day('first_at')} as first, ${day('last_at')} as last
  from (${events.join(' union all ')}) where samples > 0 and c_user_id is not null
)
select user_id, unnest(generate_series(first, last, interval 1 day))::date from spans where last - first <= ${MOST_DAYS}
union
select user_id, ${day('start_at')} from (${samples.join(' union all ')}) join spans using (no) where last - first > ${MOST_DAYS}`,
  );
}

/** Instants that decide the date of a night or a workout, whatever its `calendar_date` is. */
const instants = ['bedtime_start', 'bedtime_stop', 'time_start'];

/** Expression that yields each date of a row as a row of its own; undefined if the table has no dates. */
export function datesOf({ columns }: TableDeclaration): string | undefined {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  const dates = instants.filter(has).map((name) => `make_timestamp(epoch_us(${name}))::date`);
  return has('calendar_date') ? `unnest([${['calendar_date', ...dates].join(', ')}])` : undefined;
}

const hasUser = ({ columns }: TableDeclaration): boolean => columns.some(({ name }) => name === 'user_id');

/** Notes the dates of rows that a merge is about to replace. The temporary table `compared` contains these rows. */
export async function noteReplacedRows(database: Database, table: TableDeclaration): Promise<void> {
  if (!hasUser(table)) return;
  await database.run(
    noting,
    `insert into control.changed_days
select distinct user_id, ${datesOf(table) ?? 'null::date'} from ${table.name}
where user_id is not null and rowid in (select row from compared where superseded)`,
  );
}

/** Notes the dates of landed rows. `select` is the query that returns them. */
export async function noteLandedRows(database: Database, table: TableDeclaration, select: string): Promise<void> {
  if (!hasUser(table)) return;
  await database.run(
    noting,
    `insert into control.changed_days select distinct user_id, ${datesOf(table) ?? 'null::date'} from (
${select}
) where user_id is not null`,
  );
}

/** Notes the users of landed deliveries: a receipt may complete days. `select` is the query that returns the deliveries. */
export async function noteReceipts(database: Database, select: string): Promise<void> {
  await database.run(
    noting,
    `insert into control.changed_days select distinct coalesce(user_id, ''), null::date from (
${select}
)`,
  );
}
