import { TIME_ZONES, timeZoneHash, timeZonesDoc, timeZoneText } from '../time-zones.ts';
import { type Comments, commentOn } from './comments.ts';
import type { Database } from './database.ts';
import { isMade, recordMade } from './made.ts';
import { text } from './sql/types.ts';

/** Creates and fills the table of time zones, unless it has this version's content. Returns whether it did. */
export async function fillTimeZones(database: Database, comments: Comments): Promise<boolean> {
  const step = 'filling the table of time zones';
  const isStanding = comments.get(TIME_ZONES) === timeZonesDoc;
  if (isStanding && (await isMade(database, step, 'time_zones', timeZoneHash))) return false;
  await database.transaction(step, () =>
    database.run(
      step,
      `create or replace table ${TIME_ZONES} (
  zone varchar not null, time_basis varchar not null, from_at timestamptz not null, to_at timestamptz not null,
  offset_s bigint not null
);
insert into ${TIME_ZONES} (zone, time_basis, from_at, to_at, offset_s)
select
  unnest(string_split(split_part(rule, '|', 1), ',')) as zone,
  part[1] as time_basis, make_timestamptz(part[2]::bigint * 1000000) as from_at,
  make_timestamptz(part[3]::bigint * 1000000) as to_at, part[4]::bigint as offset_s
from (
  select rule, string_split(unnest(string_split(split_part(rule, '|', 2), ',')), ' ') as part
  from (select unnest(string_split(${text(timeZoneText)}, ';')) as rule) rules
) spans;
${[commentOn({ of: 'table', name: TIME_ZONES, doc: timeZonesDoc }), ...recordMade('time_zones', timeZoneHash)].join(';\n')}`,
    ),
  );
  return true;
}
