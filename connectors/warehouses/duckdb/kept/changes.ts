import type { TableDeclaration } from '@aorta/schemas';
import type { Database } from '../database.ts';

/**
 * Changes that the kept tables do not contain yet. A merge adds its changes in its own transaction. `day` is a date of samples in
 * UTC, or a local date of summaries. It is NULL if only the user is known.
 */
export const changesTable = 'create table if not exists control.changed_days (user_id varchar not null, day date)';

const step = 'noting changed days';

/** Landed samples: the view of their events, and their table. */
interface LandedSamples {
  readonly events: string;
  readonly samples: string;
}

/** The dates of an event that spans more days than this are read from its samples. */
const MOST_DAYS = 31;

/**
 * Notes the dates of landed samples. If an event spans at most {@link MOST_DAYS} days, this notes every date from its first to its
 * last sample, because reading all samples would take longer. An older version of a sample has the same time.
 */
export async function noteSamples(database: Database, landed: readonly LandedSamples[]): Promise<void> {
  const day = (micros: string): string => `make_timestamp(${micros}::bigint)::date`;
  const events = landed.map(({ events: view }) => `select no, c_user_id, samples, first_at, last_at from ${view}`);
  const samples = landed.map(({ samples: table }) => `select no, start_at from ${table}`);
  await database.run(
    step,
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

/** Column with the local date of a table's rows; undefined if they have none. */
const dateOf = ({ columns }: TableDeclaration): string | undefined =>
  columns.some(({ name }) => name === 'calendar_date') ? 'calendar_date' : undefined;

const hasUser = ({ columns }: TableDeclaration): boolean => columns.some(({ name }) => name === 'user_id');

/** Notes the dates of rows that a merge is about to replace. They are those of the temporary table `compared`. */
export async function noteReplacedRows(database: Database, table: TableDeclaration): Promise<void> {
  if (!hasUser(table)) return;
  await database.run(
    step,
    `insert into control.changed_days
select distinct user_id, ${dateOf(table) ?? 'null::date'} from ${table.name}
where user_id is not null and rowid in (select row from compared where superseded)`,
  );
}

/** Notes the dates of landed rows. `select` is the query that returns them. */
export async function noteLandedRows(database: Database, table: TableDeclaration, select: string): Promise<void> {
  if (!hasUser(table)) return;
  await database.run(
    step,
    `insert into control.changed_days select distinct user_id, ${dateOf(table) ?? 'null::date'} from (
${select}
) where user_id is not null`,
  );
}
