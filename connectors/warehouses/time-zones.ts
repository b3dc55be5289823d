import { createHash } from 'node:crypto';
import { type Column, timeZones } from '@aorta/schemas';

/** Table with the offsets of every time zone. It is part of each warehouse, so that all use the same version of the IANA database. */
export const TIME_ZONES = 'time_zone_transitions';
export const timeZonesDoc = 'One period in which a time zone has the same offset, from 2010 to 2037.';

const column = (name: string, type: Column['type'], doc: string, unit?: string): TimeZoneColumn => ({
  name,
  type,
  doc,
  unit,
});

interface TimeZoneColumn extends Pick<Column, 'name' | 'type' | 'doc' | 'unit'> {}

export const timeZoneColumns: readonly TimeZoneColumn[] = [
  column('zone', 'string', 'IANA name of the time zone, or an older name of it.'),
  column('time_basis', 'string', '`utc`, or `floating` if the bounds are local times marked as UTC.'),
  column('from_at', 'timestamp', 'First moment with this offset.'),
  column('to_at', 'timestamp', 'First moment after it.'),
  column('offset_s', 'int64', 'Offset of local time from UTC, positive to the east.', 's'),
];

/**
 * The rows as text. Groups of zones with the same offsets are separated by `;`. A group has its zones, `|` and its spans, both
 * separated by `,`. A span has its columns in order, separated by spaces, with times in seconds since 1970.
 */
export const timeZoneText: string = timeZones()
  .map(({ zones, spans }) => {
    const rows = spans.map(({ basis, from, to, offset }) => `${basis} ${from} ${to} ${offset}`);
    return `${zones.join(',')}|${rows.join(',')}`;
  })
  .join(';');

/** Identifies the content. A warehouse with different content is filled again. */
export const timeZoneHash: string = createHash('sha256').update(timeZoneText).digest('hex').slice(0, 16);
