import { FIRST_INSTANT_S, LAST_INSTANT_S } from './range.ts';
import { timeZoneRules } from './rules.generated.ts';

/** Whether a time is in UTC, or a local time in the form of a UTC time. */
export type TimeBasis = 'utc' | 'floating';

/** A period in which a zone has one offset. `from` and `to` (exclusive) are seconds since 1970. */
interface TimeZoneSpan {
  readonly basis: TimeBasis;
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

export interface TimeZoneRules {
  readonly zones: readonly string[];
  /** For each basis, the spans in order and without gaps. */
  readonly spans: readonly TimeZoneSpan[];
}

function spansOf(text: string): TimeZoneSpan[] {
  const [first, ...changes] = text.split(' ').map(Number) as [number, ...number[]];
  const starts = [{ from: FIRST_INSTANT_S, offset: first }];
  for (let at = 0; at < changes.length; at += 2) starts.push({ from: changes[at]!, offset: changes[at + 1]! });
  return starts.flatMap(({ from, offset }, at): TimeZoneSpan[] => {
    const next = starts[at + 1];
    return [
      { basis: 'utc', from, to: next?.from ?? LAST_INSTANT_S, offset },
      {
        basis: 'floating',
        from: at === 0 ? from : localChange(from, starts[at - 1]!.offset, offset),
        to: next === undefined ? LAST_INSTANT_S : localChange(next.from, offset, next.offset),
        offset,
      },
    ];
  });
}

/**
 * Returns the local time at which an offset ends. A local time that occurs twice belongs to the earlier offset, and so does one
 * that is skipped. JavaScript and iCalendar use the same rule.
 */
const localChange = (instant: number, before: number, after: number): number => instant + Math.max(before, after);

/** Returns the offsets of all zones from the pinned version of the IANA time-zone database. Zones with the same offsets are in one group. */
export function timeZones(): TimeZoneRules[] {
  return timeZoneRules.map((line) => {
    const [zones, rules] = line.split('|') as [string, string];
    return { zones: zones.split(','), spans: spansOf(rules) };
  });
}
