import { FIRST_INSTANT_S, LAST_INSTANT_S } from '../time-zones/range.ts';
import { unlistedNames } from '../time-zones/unlisted-names.ts';
import { writeOrCheck } from './generated-files.ts';

// Node's copy of the IANA database decides the content, so `npm run generate` does not run this script. To adopt a newer
// database, run `node schemas/generate/time-zones.ts` with a newer Node.

const DAY_S = 86_400;

/** Returns a function that gives the offset of a zone, in seconds east of UTC, at an instant in seconds since 1970. */
function offsets(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  return (instant) => {
    const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(instant * 1000))!;
    const east = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
    return sign === '-' ? -east : east;
  };
}

/** Returns the offset at the first instant, then each later offset with the instant at which it begins. */
function rulesOf(zone: string): string {
  const offsetAt = offsets(zone);
  let offset = offsetAt(FIRST_INSTANT_S);
  const parts = [String(offset)];
  // No zone changes its offset and changes it back within a day.
  for (let day = FIRST_INSTANT_S; day < LAST_INSTANT_S; day += DAY_S) {
    const next = offsetAt(day + DAY_S);
    if (next === offset) continue;
    let [before, after] = [day, day + DAY_S];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offsetAt(middle) === offset) before = middle;
      else after = middle;
    }
    if (after < LAST_INSTANT_S) parts.push(`${after} ${next}`);
    offset = next;
  }
  return parts.join(' ');
}

function timeZonesModule(): string {
  const names = [...new Set([...Intl.supportedValuesOf('timeZone'), ...unlistedNames])].sort();
  const zones = Map.groupBy(names, rulesOf);
  const lines = [...zones].map(([rules, group]) => `  '${group.join(',')}|${rules}',`);
  return `// Generated from Node's copy of the IANA time-zone database by \`node schemas/generate/time-zones.ts\`. Do not edit.

/** Version of the IANA time-zone database. */
export const timeZoneVersion = '${process.versions.tz}';

/**
 * The zones that share a sequence of offsets, separated by commas. After \`|\` follows their first offset in seconds, and then
 * pairs of a transition (seconds since 1970) and the offset that it begins.
 */
export const timeZoneRules: readonly string[] = [
${lines.join('\n')}
];
`;
}

if (import.meta.main)
  writeOrCheck({ 'schemas/time-zones/rules.generated.ts': timeZonesModule() }, 'Node’s copy of the time-zone database');
