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

/** The rows of a user that say something about time zones. `zone` may be a name that does not exist. */
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

function isZone(name: string | null): name is string {
  try {
    return name !== null && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the offset that a zone has at a local time. A skipped or repeated time has the offset before the change. */
function offsetAtLocal(zone: string, local: number): number {
  const before = offsetOfWallClock(zone, local - DAY);
  const after = offsetOfWallClock(zone, local + DAY);
  if (offsetOfWallClock(zone, local - before) === before) return before;
  return offsetOfWallClock(zone, local - after) === after ? after : before;
}

interface Observation {
  readonly at: number;
  readonly zone: string | null;
  readonly offset: number | null;
}

function observations({ activity, sessions, summaries, samples }: Person): Observation[] {
  const zones = [
    ...activity.flatMap(({ day, zone }) =>
      isZone(zone) ? [{ at: day * DAY - offsetAtLocal(zone, day * DAY), zone, offset: null }] : [],
    ),
    ...sessions.flatMap(({ at, zone }) => (isZone(zone) ? [{ at, zone, offset: null }] : [])),
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
    offset === null || isZone(zone) ? [] : [{ at: day * DAY + DAY / 2 - offset, offset }],
  );
  const offsets = [...ofSamples, ...ofDays, ...summaries].flatMap(({ at, offset }) =>
    offset === null ? [] : [{ at, zone: null, offset }],
  );
  // At the same moment, a zone counts more than an offset, and the first name or the smallest offset counts.
  const byTime = Map.groupBy([...zones, ...offsets], ({ at }) => at);
  return [...byTime]
    .toSorted(([a], [b]) => a - b)
    .map(([at, some]) => {
      const [zone = null] = some.flatMap((one) => one.zone ?? []).toSorted();
      return { at, zone, offset: zone === null ? Math.min(...some.map((one) => one.offset!)) : null };
    });
}

/** Returns the time zones of a person over time, by reading the observations in order. */
export function spansOf(person: Person): Span[] {
  const fallback = isZone(person.fallback) ? person.fallback : null;
  const spans: { from: number; to: number | null; zone: string | null; offset: number | null; basis: Span['basis'] }[] = [];
  const enter = (from: number, zone: string | null, offset: number | null, basis: Span['basis']): void => {
    const last = spans.at(-1);
    if (last !== undefined && last.zone === zone && last.offset === offset && last.basis === basis) return;
    if (last !== undefined) last.to = from;
    spans.push({ from: last === undefined ? 0 : from, to: null, zone, offset, basis });
  };
  if (fallback !== null) enter(0, fallback, null, 'fallback');
  let lastZone: string | null = null;
  for (const { at, zone, offset } of observations(person)) {
    lastZone = zone ?? lastZone;
    const candidate = lastZone ?? fallback;
    const isConfirmed = zone !== null || (candidate !== null && offsetOfWallClock(candidate, at) === offset);
    if (isConfirmed) enter(at, candidate, null, lastZone === null ? 'fallback' : 'summary_zone');
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
