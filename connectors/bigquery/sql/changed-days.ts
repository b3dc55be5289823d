import type { TableDeclaration } from '@aorta/schemas';
import { CHANGES_KEPT_DAYS } from '../../warehouses/views/changed-person-days.ts';
import { EXPECTED_DAYS } from '../../warehouses/views/complete-days.ts';
import { countsAsReceived } from '../../warehouses/views/person-sources.ts';
import { DAYS_BEFORE } from '../../warehouses/views/source-rank.ts';
import type { TableField } from '../tables/fields.ts';
import { CHANGED_DAYS } from './control.ts';
import { notSuppressed } from './erase.ts';
import { type LandedRelation, landedRows, landedSamples } from './landed-rows.ts';
import { column, type Dataset, dates, tableName } from './types.ts';

/*
 * A merge notes which dates of a user it may change. Sources of a day are chosen by the days before it, and a time zone holds from
 * its first observation on. So a change of a date counts for all later dates. That costs little, because most data is of the last
 * days.
 */

/** The tables that the views by day read, except for `deliveries`. A test compares them with the views. */
export const followedTables: readonly string[] = [
  'activity',
  'blood_pressure',
  'body',
  'electrocardiogram',
  'meal',
  'notes',
  'sleep',
  'sleep_cycle',
  'timeseries',
  'users',
  'workouts',
];

/** Dates further from today than this are not listed one by one: all dates of the user count as changed. */
const LISTED_DAYS = 400;

/** A local date is at most a day from a date in UTC, and a row may depend on the day next to it. */
const MARGIN_DAYS = 2;

/** Earlier dates of samples that show that a time zone was known before. */
const KNOWN_BEFORE = [1, 2, 3];

/** Condition that the time of a receipt can be right, as in `lastReceipt` of the views. */
const IN_TIME = 'received_at <= TIMESTAMP_ADD(_loaded_at, INTERVAL 1 DAY)';

/** Columns with a date of a row. A row may have several, and a wrong `calendar_date`. */
const dated: readonly string[] = ['calendar_date', 'bedtime_stop', 'time_start', 'session_start', 'start_at'];
const zoned: readonly string[] = ['time_zone', 'timezone_offset_s'];

/** Batches that a merge reads, and its target. */
interface MergedBatches {
  readonly dataset: Dataset;
  readonly target: TableDeclaration;
  readonly batches: readonly LandedRelation[];
}

const among = (names: readonly string[], fields: readonly TableField[]): TableField[] =>
  names.flatMap((name) => fields.find((field) => field.name === name) ?? []);

/**
 * Returns the statement that notes the dates of the landed rows, and of the rows that the merge replaces. It runs before the merge,
 * in the same transaction. It marks from the first of the month on, because a month with three dates with data begins a calendar.
 * If the rows are the first that show the time zone of a user, earlier samples may move, too, so `from_date` is NULL. It is also NULL
 * for `users`, which has no dates. Returns nothing for a table that no view by day reads.
 */
export function changedDaysStatement(
  { dataset, target, batches }: MergedBatches,
  fields: readonly TableField[],
  bounds: readonly number[],
): string[] {
  if (!followedTables.includes(target.name)) return [];
  const isSamples = target.shape === 'timeseries';
  const read = among([...new Set(['user_id', ...(isSamples ? [] : target.key), ...dated, ...zoned])], fields);
  const selects = batches.map((batch) => (isSamples ? landedSamples : landedRows)(dataset, target, read, batch));
  const days = among(dated, fields).map(asDate);
  const of = (extreme: 'MIN' | 'MAX'): string =>
    days.length > 1 ? `(SELECT ${extreme}(day) FROM UNNEST([${days.join(', ')}]) AS day)` : (days[0] ?? 'CAST(NULL AS DATE)');
  const isZoned = `(${[...among(zoned, fields).map(({ name }) => `${name} IS NOT NULL`), 'FALSE'].join(' OR ')})`;
  const from = tableName(dataset, target.name);
  const key = column(target.key[0]!);
  const replaced = `
    UNION ALL
    SELECT user_id, ${of('MIN')} AS first_date, ${of('MAX')} AS last_date, ${isZoned} AS is_zoned
    FROM ${from}
    WHERE ${key} IN (SELECT ${key} FROM landed)`;
  const before = [...new Set(bounds.flatMap((day) => KNOWN_BEFORE.map((days) => day - days)))].sort((a, b) => a - b);
  const early = isSamples ? ` AND _day IN (${dates(before)})` : '';
  return [
    `INSERT INTO ${tableName(dataset, CHANGED_DAYS)} (user_id, from_date, to_date, changed_at)
WITH landed AS (
  SELECT *
  FROM (
${selects.join('\n    UNION ALL\n')}
  )
  WHERE user_id IS NOT NULL${isSamples ? ` AND _day IN (${dates(bounds)})` : ''}
    AND ${notSuppressed(dataset, ['user_id'])}
),
changed AS (
  SELECT
    user_id, MIN(first_date) AS first_day, MAX(last_date) AS last_day, LOGICAL_OR(is_zoned) AS is_zoned
  FROM (
    SELECT user_id, ${of('MIN')} AS first_date, ${of('MAX')} AS last_date, ${isZoned} AS is_zoned
    FROM landed${isSamples ? '' : replaced}
  )
  WHERE user_id IS NOT NULL
  GROUP BY user_id
),
known AS (
  SELECT user_id, MIN(${of('MAX')}) AS known_day
  FROM ${from}
  WHERE ${isZoned}${early}
  GROUP BY user_id
)
SELECT
  user_id, IF(is_far, NULL, DATE_TRUNC(DATE_SUB(first_day, INTERVAL ${MARGIN_DAYS} DAY), MONTH)),
  IF(is_far, NULL, GREATEST(DATE_ADD(last_day, INTERVAL ${MARGIN_DAYS + DAYS_BEFORE} DAY), DATE_ADD(CURRENT_DATE(), INTERVAL 1 DAY))), CURRENT_TIMESTAMP()
FROM (
  SELECT
    changed.*,
    (is_zoned AND NOT IFNULL(known_day < first_day, FALSE))
      OR ABS(DATE_DIFF(CURRENT_DATE(), first_day, DAY)) > ${LISTED_DAYS} OR ABS(DATE_DIFF(CURRENT_DATE(), last_day, DAY)) > ${LISTED_DAYS} AS is_far
  FROM changed
  LEFT JOIN known USING (user_id)
)`,
  ];
}

const asDate = ({ name, type }: TableField): string => (type === 'DATE' ? column(name) : `DATE(${column(name)})`);

/** Notes that all dates of a user may have changed, or with `NULL` all dates of all users. `user` is an expression. */
export const changedUserStatement = (dataset: Dataset, user: string): string =>
  `INSERT INTO ${tableName(dataset, CHANGED_DAYS)} (user_id, changed_at) VALUES (${user}, CURRENT_TIMESTAMP())`;

/**
 * Returns the statement that notes which dates the calendars of all others lose when a user is erased, because this user had the last
 * receipt of anybody. It runs before the deliveries are deleted. `user` is an expression.
 */
export function shortenedCalendarsStatement(dataset: Dataset, user: string): string {
  const deliveries = tableName(dataset, 'deliveries');
  return `INSERT INTO ${tableName(dataset, CHANGED_DAYS)} (user_id, from_date, to_date, changed_at)
SELECT others.user_id, DATE_SUB(DATE(others_last), INTERVAL 1 DAY), DATE_ADD(DATE(own_last), INTERVAL 1 DAY), CURRENT_TIMESTAMP()
FROM (
  SELECT MAX(IF(user_id = ${user}, received_at, NULL)) AS own_last, MAX(IF(user_id = ${user}, NULL, received_at)) AS others_last
  FROM ${deliveries}
  WHERE ${IN_TIME}
) AS receipts
CROSS JOIN (SELECT DISTINCT user_id FROM ${deliveries} WHERE user_id <> ${user}) AS others
WHERE own_last > others_last`;
}

/**
 * Relation of the view `changed_person_days`. Receipts also change days: the last receipt of anybody adds a day to all calendars, and a
 * source that was silent completes days when it sends again. These days follow from `deliveries`, so no merge notes them.
 */
export function changedDaysRelation(dataset: Dataset): string {
  const deliveries = tableName(dataset, 'deliveries');
  const since = `TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${CHANGES_KEPT_DAYS} DAY)`;
  return `(
  SELECT user_id, local_date, MAX(changed_at) AS changed_at
  FROM (
    SELECT user_id, local_date, changed_at
    FROM ${tableName(dataset, CHANGED_DAYS)}
    LEFT JOIN UNNEST(GENERATE_DATE_ARRAY(from_date, to_date)) AS local_date
    UNION ALL
    SELECT user_id, local_date, changed_at
    FROM (SELECT DISTINCT user_id FROM ${deliveries} WHERE user_id IS NOT NULL) AS users
    CROSS JOIN (
      SELECT day, changed_at, LAG(day, 1, day) OVER (ORDER BY day) AS day_before
      FROM (
        SELECT DATE(received_at) AS day, MAX(_loaded_at) AS changed_at
        FROM ${deliveries}
        WHERE ${IN_TIME}
        GROUP BY day
      )
    ) AS received
    CROSS JOIN UNNEST(
      GENERATE_DATE_ARRAY(DATE_SUB(day_before, INTERVAL 1 DAY), DATE_ADD(day, INTERVAL 1 DAY))
    ) AS local_date
    WHERE changed_at >= ${since}
    UNION ALL
    SELECT user_id, local_date, _loaded_at
    FROM (
      SELECT
        user_id, received_at, _loaded_at,
        LAG(received_at) OVER (PARTITION BY user_id, provider, source_type ORDER BY received_at) AS received_before
      FROM ${deliveries}
      WHERE ${countsAsReceived}
    ) AS returned
    CROSS JOIN UNNEST(
      GENERATE_DATE_ARRAY(DATE_SUB(DATE(received_before), INTERVAL 1 DAY), DATE_ADD(DATE(received_before), INTERVAL ${EXPECTED_DAYS + MARGIN_DAYS} DAY))
    ) AS local_date
    WHERE _loaded_at >= ${since} AND received_at >= TIMESTAMP_ADD(received_before, INTERVAL 1 DAY)
  ) AS changes
  GROUP BY user_id, local_date
)`;
}
