import { type Ranks, ranksWith } from './source-oracle.ts';

/** Computes the nights of one user in plain code, from the rules alone. */

export interface SleepRecord {
  readonly id: string;
  readonly provider: string;
  readonly source_type: string;
  readonly calendar_date: string | null;
  readonly bedtime_start: string | null;
  readonly bedtime_stop: string | null;
  readonly sleep_type: string | null;
  readonly state: string | null;
  readonly timezone_offset_s: number | null;
  readonly duration_s: number | null;
  readonly total_s: number | null;
  readonly awake_s: number | null;
  readonly light_s: number | null;
  readonly rem_s: number | null;
  readonly deep_s: number | null;
  readonly score: number | null;
  readonly efficiency: number | null;
  readonly latency_s: number | null;
  readonly hr_lowest_bpm: number | null;
  readonly hr_average_bpm: number | null;
  readonly average_hrv_ms: number | null;
}

/** The user's offset at an instant, if it is known. */
export type OffsetAt = (milliseconds: number) => number | undefined;

export interface Night {
  readonly night_date: string;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly local_start_at: string | null;
  readonly local_end_at: string | null;
  readonly local_basis: string | null;
  readonly duration_s: number | null;
  readonly total_s: number | null;
  readonly awake_s: number | null;
  readonly light_s: number | null;
  readonly rem_s: number | null;
  readonly deep_s: number | null;
  readonly latency_s: number | null;
  readonly efficiency: number | null;
  readonly hr_lowest_bpm: number | null;
  readonly hr_average_bpm: number | null;
  readonly hrv_ms: number | null;
  readonly score: number | null;
  readonly state: string | null;
  readonly source: string;
  readonly fragments: number | null;
  readonly ids: readonly string[] | null;
  readonly naps: number;
  readonly nap_total_s: number;
  readonly other_sleeps: number;
  readonly other_sleeps_total_s: number;
  readonly others: number;
  readonly other_sources: readonly { provider: string; source_type: string; total_s: number | null }[];
}

interface Timed {
  readonly record: SleepRecord;
  readonly from: number;
  readonly to: number;
}

interface Session {
  readonly parts: readonly SleepRecord[];
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly nap: boolean;
}

const HOUR = 3_600_000;
const time = (text: string): number => Date.parse(text);
const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
const tentative = ({ state }: SleepRecord): boolean => state === 'tentative';
const isNap = ({ sleep_type }: SleepRecord): boolean => sleep_type === 'acknowledged_nap';

function spanOf(record: SleepRecord): Timed | undefined {
  if (record.bedtime_start === null || record.bedtime_stop === null) return undefined;
  const from = time(record.bedtime_start);
  const to = time(record.bedtime_stop);
  return to > from ? { record, from, to } : undefined;
}

function asleep(record: SleepRecord): number {
  const sent = record.bedtime_start !== null && record.bedtime_stop !== null;
  const between = sent ? (time(record.bedtime_stop!) - time(record.bedtime_start!)) / 1000 : null;
  return record.total_s ?? between ?? record.duration_s ?? 0;
}

/** Compares lists part by part. */
function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [index, one] of a.entries()) {
    if (one < b[index]!) return -1;
    if (one > b[index]!) return 1;
  }
  return 0;
}

const goodness = ({ record, from }: Timed): (number | string)[] => [
  ...[Number(tentative(record)), Number(isNap(record)), -asleep(record), from, record.id],
];

function sessionsOf(records: readonly SleepRecord[]): Session[] {
  const all = records.filter((record) => {
    const sent = record.bedtime_start !== null && record.bedtime_stop !== null;
    const length = sent
      ? (time(record.bedtime_stop!) - time(record.bedtime_start!)) / 1000
      : (record.duration_s ?? record.total_s ?? 0);
    return length <= 86_400;
  });
  const timed = all.flatMap((record) => spanOf(record) ?? []);
  const kept = timed.filter(
    (one) =>
      !timed.some((other) => {
        const shared = Math.min(one.to, other.to) - Math.max(one.from, other.from);
        const same = shared > 0 && 2 * shared >= Math.min(one.to - one.from, other.to - other.from);
        return same && compare(goodness(other), goodness(one)) < 0;
      }),
  );
  const sessions: Session[] = all
    .filter((record) => spanOf(record) === undefined)
    .map((record) => ({ parts: [record], from: undefined, to: undefined, nap: isNap(record) }));
  for (const nap of [true, false]) {
    let open: Timed[] = [];
    const close = (): void => {
      if (open.length === 0) return;
      const to = Math.max(...open.map((one) => one.to));
      sessions.push({ parts: open.map(({ record }) => record), from: open[0]!.from, to, nap });
      open = [];
    };
    const inOrder = kept
      .filter(({ record }) => isNap(record) === nap)
      .sort((a, b) => compare([a.from, a.to, a.record.id], [b.from, b.to, b.record.id]));
    for (const one of inOrder) {
      if (open.length > 0 && one.from - Math.max(...open.map(({ to }) => to)) > HOUR) close();
      open.push(one);
    }
    close();
  }
  return sessions;
}

function mean(parts: readonly SleepRecord[], of: (record: SleepRecord) => number | null): number | null {
  const having = parts.filter((part) => of(part) !== null);
  if (having.length === 0) return null;
  const weight = sum(having.map(asleep));
  if (weight === 0) return sum(having.map((part) => of(part)!)) / having.length;
  return sum(having.map((part) => of(part)! * asleep(part))) / weight;
}

const complete = (parts: readonly SleepRecord[], of: (record: SleepRecord) => number | null): number | null =>
  parts.every((part) => of(part) !== null) ? sum(parts.map((part) => of(part)!)) : null;

function offsetOf({ parts }: Session, offsetAt: OffsetAt): { offset: number; basis: string } | undefined {
  const own = parts.find(({ timezone_offset_s }) => timezone_offset_s !== null)?.timezone_offset_s;
  if (own !== undefined && own !== null) return { offset: own, basis: 'offset' };
  for (const { bedtime_start } of parts) {
    const found = bedtime_start === null ? undefined : offsetAt(time(bedtime_start));
    if (found !== undefined) return { offset: found, basis: 'zone' };
  }
  return undefined;
}

function dateOf(session: Session, offsetAt: OffsetAt): string | null {
  const local = offsetOf(session, offsetAt);
  if (session.from === undefined || session.to === undefined || local === undefined) {
    return session.parts.find(({ calendar_date }) => calendar_date !== null)?.calendar_date ?? null;
  }
  const middle = (session.from + session.to) / 2 + local.offset * 1000;
  const date = new Date(middle);
  const day = date.toISOString().slice(0, 10);
  // From 18:00 on, the night belongs to the next date.
  return date.getUTCHours() >= 18 ? new Date(time(`${day}T00:00:00Z`) + 24 * HOUR).toISOString().slice(0, 10) : day;
}

/** The main sleep of one source in one night, and its other sessions. */
function ofSource(sessions: readonly Session[]): { main: Session | undefined; naps: Session[]; others: Session[] } {
  const long = ({ parts }: Session): boolean =>
    parts.some(({ sleep_type }) => sleep_type === 'long_sleep') || sum(parts.map(asleep)) >= 3 * 3600;
  const short = ({ parts }: Session): boolean => parts.every(({ sleep_type }) => sleep_type === 'short_sleep');
  const hasLong = sessions.some((session) => !session.nap && long(session));
  const nap = (session: Session): boolean => session.nap || (short(session) && !long(session) && hasLong);
  const [main, ...others] = sessions.filter((one) => !nap(one)).sort((a, b) => compare(order(a), order(b)));
  return { main, naps: sessions.filter(nap), others };
}

const order = ({ parts, from }: Session): (number | string)[] => [
  Number(parts.some(tentative)),
  -sum(parts.map(asleep)),
  from ?? Number.POSITIVE_INFINITY,
  parts.map(({ id }) => id).sort()[0]!,
];

export function expectedNights(records: readonly SleepRecord[], offsetAt: OffsetAt, ranks: Ranks = ranksWith({})): Night[] {
  const bySource = Map.groupBy(records, ({ provider, source_type }) => `${provider}/${source_type}`);
  const dated = [...bySource].flatMap(([source, list]) =>
    sessionsOf(list).map((session) => ({ source, session, date: dateOf(session, offsetAt) })),
  );
  const nights: Night[] = [];
  for (const [date, ofDate] of Map.groupBy(dated, (one) => one.date)) {
    if (date === null) continue;
    const candidates = [...Map.groupBy(ofDate, (one) => one.source)]
      .map(([source, list]) => ({ source, first: list[0]!.session.parts[0]!, ...ofSource(list.map(({ session }) => session)) }))
      .sort((a, b) => {
        const key = ({ main, first }: typeof a): (number | string)[] => [
          main === undefined ? 1 : 0,
          ranks('sleep', first),
          main === undefined ? 0 : Number(main.parts.some(tentative)),
          main === undefined ? 0 : -sum(main.parts.map(asleep)),
          first.provider,
          first.source_type,
        ];
        return compare(key(a), key(b));
      });
    const [best, ...rest] = candidates;
    nights.push(nightOf(date, best!, rest, offsetAt));
  }
  return nights.sort((a, b) => compare([a.night_date], [b.night_date]));
}

type Candidate = { source: string; first: SleepRecord; main: Session | undefined; naps: Session[]; others: Session[] };

function nightOf(date: string, { source, main, naps, others }: Candidate, rest: readonly Candidate[], offsetAt: OffsetAt): Night {
  const parts = main?.parts ?? [];
  const local = main === undefined ? undefined : offsetOf(main, offsetAt);
  const times = main?.from !== undefined && main.to !== undefined ? { from: main.from, to: main.to } : undefined;
  const wall = (at: number | undefined): string | null =>
    at === undefined || local === undefined ? null : new Date(at + local.offset * 1000).toISOString().slice(0, -1);
  const total = complete(parts, (part) => part.total_s);
  const sentDuration = parts[0]?.duration_s ?? null;
  const broken =
    parts[0]?.bedtime_start && parts[0].bedtime_stop ? (time(parts[0].bedtime_stop) - time(parts[0].bedtime_start)) / 1000 : null;
  const duration = times === undefined ? (sentDuration ?? broken) : Math.floor((times.to - times.from) / 1000);
  const sent = mean(parts, ({ efficiency }) => (efficiency !== null && efficiency > 1 ? efficiency / 100 : efficiency));
  const efficiency = sent ?? (total === null || !duration ? null : total / duration);
  const longest = [...parts].sort((a, b) => asleep(b) - asleep(a) || (spanOf(a)?.from ?? 0) - (spanOf(b)?.from ?? 0));
  return {
    night_date: date,
    start_at: times === undefined ? null : new Date(times.from).toISOString(),
    end_at: times === undefined ? null : new Date(times.to).toISOString(),
    local_start_at: wall(times?.from),
    local_end_at: wall(times?.to),
    local_basis: main === undefined ? null : times === undefined || local === undefined ? 'calendar_date' : local.basis,
    duration_s: main === undefined ? null : duration,
    total_s: main === undefined ? null : total,
    awake_s: main === undefined ? null : complete(parts, (part) => part.awake_s),
    light_s: main === undefined ? null : complete(parts, (part) => part.light_s),
    rem_s: main === undefined ? null : complete(parts, (part) => part.rem_s),
    deep_s: main === undefined ? null : complete(parts, (part) => part.deep_s),
    latency_s: parts.find(({ latency_s }) => latency_s !== null)?.latency_s ?? null,
    efficiency: efficiency !== null && efficiency >= 0 && efficiency <= 1 ? efficiency : null,
    hr_lowest_bpm: parts.reduce<number | null>(
      (least, { hr_lowest_bpm: one }) => (one === null ? least : least === null ? one : Math.min(least, one)),
      null,
    ),
    hr_average_bpm: mean(parts, (part) => part.hr_average_bpm),
    hrv_ms: mean(parts, (part) => part.average_hrv_ms),
    score: longest.find(({ score }) => score !== null)?.score ?? null,
    state: parts.some(tentative)
      ? 'tentative'
      : (parts
          .map(({ state }) => state)
          .filter((one) => one !== null)
          .sort()[0] ?? null),
    source,
    fragments: main === undefined ? null : parts.length,
    ids: main === undefined ? null : parts.map(({ id }) => id),
    naps: naps.length,
    nap_total_s: sum(naps.flatMap((nap) => nap.parts.map(asleep))),
    other_sleeps: others.length,
    other_sleeps_total_s: sum(others.flatMap((other) => other.parts.map(asleep))),
    others: rest.length,
    other_sources: rest.map(({ first, main: theirs }) => ({
      provider: first.provider,
      source_type: first.source_type,
      total_s: theirs === undefined ? null : complete(theirs.parts, (part) => part.total_s),
    })),
  };
}
