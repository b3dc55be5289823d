import { unlistedNames } from '../../../schemas/time-zones/unlisted-names.ts';
import { offsetOfWallClock } from '../../../schemas/time-zones/wall-clock.fixture.ts';

/**
 * A model of local time, written from the rules in `docs/guides/querying.md`. It takes offsets from Intl. Times are in seconds
 * since 1970, and local times are written as if they were in UTC.
 */

export interface Sample {
  readonly at: number;
  readonly offset: number | null;
  readonly isFloating: boolean;
}

/** The rows of a user that say something about time zones. `zone` may be a fixed offset, or a name that does not exist. */
export interface Person {
  readonly user: string;
  readonly fallback: string | null;
  readonly activity: readonly { readonly day: number; readonly zone: string | null; readonly offset: number | null }[];
  /** Sleep cycles and electrocardiograms. */
  readonly sessions: readonly { readonly at: number; readonly zone: string | null; readonly isEcg: boolean }[];
  /** Sleep and workouts. */
  readonly summaries: readonly { readonly at: number; readonly offset: number | null; readonly isWorkout: boolean }[];
  readonly samples: readonly Sample[];
}

export interface Span {
  readonly from: number;
  readonly to: number | null;
  readonly zone: string | null;
  readonly offset: number | null;
  readonly basis: 'summary_zone' | 'offset' | 'fallback';
}

export interface LocalTime {
  readonly basis: string;
  readonly date: string | null;
  readonly at: string | null;
  readonly hour: number | null;
  readonly offset: number | null;
}

const DAY = 86_400;

/** A place in which a name of a time zone puts a user: a zone, or only an offset. */
interface Place {
  readonly zone: string | null;
  readonly offset: number | null;
}

const folded = (name: string): string =>
  name
    .toLowerCase()
    .split('_')
    .join(' ')
    .replace(/^ +| +$/g, '');

const zones = new Map([...Intl.supportedValuesOf('timeZone'), ...unlistedNames].map((name) => [folded(name), name]));

/** Reads a fixed offset such as `+3`, `GMT-03:30` or `Z`, character by character. */
function fixedOffset(name: string): number | null {
  if (name === 'z') return 0;
  const rest = ['gmt', 'utc'].some((prefix) => name.startsWith(prefix)) ? name.slice(3) : name;
  const sign = { '+': 1, '-': -1 }[rest[0] ?? ''];
  if (sign === undefined) return null;
  const clock = rest.slice(1);
  const digits = [...clock].map((one) => ('0123456789'.includes(one) ? 'd' : one)).join('');
  const cut = { d: 1, dd: 2, 'd:dd': 1, 'dd:dd': 2, dddd: 2 }[digits];
  if (cut === undefined) return null;
  const [hours, minutes] = [Number(clock.slice(0, cut)), Number(clock.slice(cut).replace(':', '') || '0')];
  const length = hours * 60 + minutes;
  if (minutes > 59 || length > (sign === 1 ? 14 : 12) * 60) return null;
  return length === 0 ? 0 : sign * length * 60;
}

/** Returns the place that a name means. Undefined if the name is not known. */
function placeNamed(name: string | null): Place | undefined {
  if (name === null) return undefined;
  const zone = zones.get(folded(name));
  if (zone !== undefined) return { zone, offset: null };
  const offset = fixedOffset(folded(name));
  return offset === null ? undefined : { zone: null, offset };
}

/** Returns the offset that a zone has at a local time. A skipped or repeated time has the offset before the change. */
function offsetAtLocal(zone: string, local: number): number {
  const before = offsetOfWallClock(zone, local - DAY);
  const after = offsetOfWallClock(zone, local + DAY);
  if (offsetOfWallClock(zone, local - before) === before) return before;
  return offsetOfWallClock(zone, local - after) === after ? after : before;
}

interface Observation extends Place {
  readonly at: number;
}

function observations({ activity, sessions, summaries, samples }: Person): Observation[] {
  const named = [
    ...activity.flatMap(({ day, zone }): Observation[] => {
      const place = placeNamed(zone);
      if (place === undefined) return [];
      return [{ ...place, at: day * DAY - (place.offset ?? offsetAtLocal(place.zone!, day * DAY)) }];
    }),
    ...sessions.flatMap(({ at, zone }): Observation[] => {
      const place = placeNamed(zone);
      return place === undefined ? [] : [{ ...place, at }];
    }),
  ];
  // The first and the last sample of each offset on each local date stand for the others.
  const dated = samples.flatMap(({ at, offset }) =>
    offset === null ? [] : [{ at, offset, date: Math.floor((at + offset) / DAY) }],
  );
  const ofSamples = [...Map.groupBy(dated, ({ date, offset }) => `${date} ${offset}`).values()].flatMap((some) => {
    const times = some.map(({ at }) => at);
    return [Math.min(...times), Math.max(...times)].map((at) => ({ at, offset: some[0]!.offset }));
  });
  const ofDays = activity.flatMap(({ day, zone, offset }) =>
    offset === null || placeNamed(zone) !== undefined ? [] : [{ at: day * DAY + DAY / 2 - offset, offset }],
  );
  const offsets = [...ofSamples, ...ofDays, ...summaries].flatMap(({ at, offset }) =>
    offset === null ? [] : [{ at, zone: null, offset }],
  );
  // At the same moment, a zone counts more than an offset, and the first name or the smallest offset counts.
  const byTime = Map.groupBy([...named, ...offsets], ({ at }) => at);
  return [...byTime]
    .toSorted(([a], [b]) => a - b)
    .map(([at, some]) => {
      const [zone = null] = some.flatMap((one) => one.zone ?? []).toSorted();
      return { at, zone, offset: zone === null ? Math.min(...some.map((one) => one.offset!)) : null };
    });
}

/** Returns the time zones of a person over time, by reading the observations in order. */
export function spansOf(person: Person): Span[] {
  const fallback = placeNamed(person.fallback);
  const spans: { from: number; to: number | null; zone: string | null; offset: number | null; basis: Span['basis'] }[] = [];
  const enter = (from: number, zone: string | null, offset: number | null, basis: Span['basis']): void => {
    const last = spans.at(-1);
    if (last !== undefined && last.zone === zone && last.offset === offset && last.basis === basis) return;
    if (last !== undefined) last.to = from;
    spans.push({ from: last === undefined ? 0 : from, to: null, zone, offset, basis });
  };
  if (fallback !== undefined) enter(0, fallback.zone, fallback.offset, 'fallback');
  let last: Place | undefined;
  for (const { at, zone, offset } of observations(person)) {
    if (zone !== null) last = { zone, offset: null };
    const place = last ?? fallback;
    const isThere = zone !== null || (place !== undefined && (place.offset ?? offsetOfWallClock(place.zone!, at)) === offset);
    if (isThere) enter(at, place!.zone, place!.offset, last === undefined ? 'fallback' : 'summary_zone');
    else enter(at, null, offset, 'offset');
  }
  return spans;
}

const isoOf = (local: number): string => new Date(local * 1000).toISOString().slice(0, 19).replace('T', ' ');

export function localTimeOf(spans: readonly Span[], { at, offset, isFloating }: Sample): LocalTime {
  const span = spans.find(({ from, to }) => from <= at && (to === null || at < to));
  const ofZone = (zone: string): number => (isFloating ? offsetAtLocal(zone, at) : offsetOfWallClock(zone, at));
  const ofUser = span === undefined ? null : span.zone === null ? span.offset : ofZone(span.zone);
  const known = offset ?? ofUser;
  const local = isFloating ? at : known === null ? null : at + known;
  const ofSpan = span === undefined ? 'none' : span.zone === null ? 'zone_offset' : 'zone';
  return {
    basis: isFloating ? 'floating' : offset === null ? ofSpan : 'offset',
    date: local === null ? null : isoOf(local).slice(0, 10),
    at: local === null ? null : isoOf(local),
    hour: local === null ? null : Math.floor((((local % DAY) + DAY) % DAY) / 3600),
    offset: known,
  };
}
