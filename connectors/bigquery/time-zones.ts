import { TIME_ZONES, timeZoneHash, timeZoneText } from '../warehouses/time-zones.ts';
import type { JobRunner } from './client/jobs.ts';
import { type Dataset, tableName, text } from './sql/types.ts';
import { LABEL, timeZoneTable } from './tables/declared.ts';
import type { Difference } from './tables/difference.ts';

/** Label with the hash of the rows in the table. It is set after the rows are written. */
const CONTENT_LABEL = 'aorta_content';

/** Returns the statements that replace the rows in one transaction. */
export function fillStatements(dataset: Dataset): string[] {
  const table = tableName(dataset, TIME_ZONES);
  return [
    'BEGIN TRANSACTION',
    `DELETE FROM ${table} WHERE TRUE`,
    `INSERT INTO ${table} (zone, time_basis, from_at, to_at, offset_s)
SELECT
  zone, part[OFFSET(0)], TIMESTAMP_SECONDS(CAST(part[OFFSET(1)] AS INT64)), TIMESTAMP_SECONDS(CAST(part[OFFSET(2)] AS INT64)),
  CAST(part[OFFSET(3)] AS INT64)
FROM (
  SELECT SPLIT(SPLIT(rule, '|')[OFFSET(0)], ',') AS zones, SPLIT(span, ' ') AS part
  FROM UNNEST(SPLIT(${text(timeZoneText)}, ';')) AS rule, UNNEST(SPLIT(SPLIT(rule, '|')[OFFSET(1)], ',')) AS span
) AS spans, UNNEST(zones) AS zone`,
    'COMMIT TRANSACTION',
  ];
}

/** A table as the API describes it. Undefined if it does not exist. */
type Found = { readonly labels?: Readonly<Record<string, string>> } | undefined;

const isFilled = (found: Found): boolean => found?.labels?.[CONTENT_LABEL] === timeZoneHash;

/** Fills the table of time zones, unless it has this version's rows. Several workers may do so at once: all write the same rows. */
export async function fillTimeZones(jobs: JobRunner, found: Found): Promise<void> {
  if (isFilled(found)) return;
  await jobs.bookkeep('filling the table of time zones', `${fillStatements(jobs.client).join(';\n')};`);
  const labels = { ...found?.labels, ...timeZoneTable.labels, [CONTENT_LABEL]: timeZoneHash };
  await jobs.call('labelling the table of time zones', () => jobs.client.patchTable(TIME_ZONES, { labels }), { of: TIME_ZONES });
}

/** Returns the change that fills the table, if it needs one. The change shows no statement, because it would be too long. */
export function timeZoneDifferences(found: Found): Difference[] {
  // If the table is missing, this round creates it and the next one fills it. The plan ignores a table that someone else created.
  if (found?.labels?.[LABEL] === undefined || isFilled(found)) return [];
  const what = found.labels[CONTENT_LABEL] === undefined ? 'has no rows' : 'has the rows of another version';
  return [{ kind: 'change', of: 'table', name: TIME_ZONES, what, fills: true, sql: '-- aorta apply writes the rows' }];
}
