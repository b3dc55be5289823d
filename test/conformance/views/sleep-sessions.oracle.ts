import { nameOf, type Source } from './source-oracle.ts';

/** Computes the sleep sessions of one user in plain code, from the rules alone. */

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

export interface Session extends Source {
  readonly parts: readonly SleepRecord[];
  /** Usable start and end, in milliseconds. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly acknowledged: boolean;
  readonly asleep: number;
  readonly tentative: boolean;
  readonly id: string;
  readonly local: { readonly offset: number; readonly basis: string } | undefined;
  /** The date of its night by its own midpoint, and the local hour of this midpoint. */
  readonly date: string | null;
  readonly hour: number | undefined;
}

interface Timed {
  readonly record: SleepRecord;
  readonly from: number;
  readonly to: number;
}

const HOUR = 3_600_000;
const time = (text: string): number => Date.parse(text);
export const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
const tentative = ({ state }: SleepRecord): boolean => state === 'tentative';
const isNap = ({ sleep_type }: SleepRecord): boolean => sleep_type === 'acknowledged_nap';

/** Plausible ranges. Values outside of them are no values. */
const ranges: readonly (readonly [column: keyof SleepRecord, low: number, high: number])[] = [
  ['duration_s', 60, 86_400],
  ['awake_s', 0, 86_400],
  ['light_s', 0, 86_400],
  ['rem_s', 0, 86_400],
  ['deep_s', 0, 86_400],
  ['latency_s', 0, 86_400],
  ['score', 1, 100],
  ['hr_lowest_bpm', 20, 300],
  ['hr_average_bpm', 20, 300],
  ['average_hrv_ms', 1, 500],
  ['efficiency', 0.01, 1],
];

/** The record with its plausible values only. A record of an impossible time asleep is none. */
function plausible(sent: SleepRecord): SleepRecord[] {
  if (sent.total_s !== null && (sent.total_s < 60 || sent.total_s > 86_400)) return [];
  const share = sent.efficiency !== null && sent.efficiency > 1 ? sent.efficiency / 100 : sent.efficiency;
  const record = { ...sent, efficiency: share };
  const impossible = ranges.filter(([column, low, high]) => {
    const value = record[column] as number | null;
    return value !== null && (value < low || value > high);
  });
  return [{ ...record, ...Object.fromEntries(impossible.map(([column]) => [column, null])) }];
}

export function spanOf(record: SleepRecord): Timed | undefined {
  if (record.bedtime_start === null || record.bedtime_stop === null) return undefined;
  const from = time(record.bedtime_start);
  const to = time(record.bedtime_stop);
  return to > from ? { record, from, to } : undefined;
}

function lengthOf(record: SleepRecord): number | null {
  const span = spanOf(record);
  return span === undefined ? null : Math.floor((span.to - span.from) / 1000);
}

export const asleepOf = (record: SleepRecord): number => record.total_s ?? lengthOf(record) ?? record.duration_s ?? 0;

/** Compares lists part by part. */
export function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [index, one] of a.entries()) {
    if (one < b[index]!) return -1;
    if (one > b[index]!) return 1;
  }
  return 0;
}

const goodness = ({ record, from }: Timed): (number | string)[] => [
  Number(tentative(record)),
  Number(isNap(record)),
  -asleepOf(record),
  from,
  record.id,
];

/** The overlap of two spans as a share of the shorter one. */
export function overlap(one: { from: number; to: number }, other: { from: number; to: number }): number {
  const shared = Math.min(one.to, other.to) - Math.max(one.from, other.from);
  return Math.max(0, shared) / Math.min(one.to - one.from, other.to - other.from);
}

/** Records of one source, without repetitions, in groups that are one session. */
function groupsOf(records: readonly SleepRecord[]): SleepRecord[][] {
  const timed = records.flatMap((record) => spanOf(record) ?? []);
  const kept = timed.filter(
    (one) => !timed.some((other) => overlap(one, other) >= 0.5 && compare(goodness(other), goodness(one)) < 0),
  );
  const groups = records.filter((record) => spanOf(record) === undefined).map((record) => [record]);
  for (const nap of [true, false]) {
    let open: Timed[] = [];
    const close = (): void => {
      if (open.length > 0) groups.push(open.map(({ record }) => record));
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
  return groups;
}

function localOf(parts: readonly SleepRecord[], offsetAt: OffsetAt): Session['local'] {
  const own = parts.find(({ timezone_offset_s }) => timezone_offset_s !== null)?.timezone_offset_s;
  if (own !== undefined && own !== null) return { offset: own, basis: 'offset' };
  for (const { bedtime_start } of parts) {
    const found = bedtime_start === null ? undefined : offsetAt(time(bedtime_start));
    if (found !== undefined) return { offset: found, basis: 'zone' };
  }
  return undefined;
}

/** The date of a midpoint in local time. From 18:00 on, it belongs to the next date. */
function nightAt(middle: number): string {
  const date = new Date(middle);
  return new Date(date.getUTCHours() >= 18 ? middle + 24 * HOUR : middle).toISOString().slice(0, 10);
}

function sessionOf(parts: readonly SleepRecord[], offsetAt: OffsetAt): Session {
  const spans = parts.flatMap((part) => spanOf(part) ?? []);
  const [from, to] =
    spans.length === 0 ? [] : [Math.min(...spans.map((one) => one.from)), Math.max(...spans.map((one) => one.to))];
  const local = localOf(parts, offsetAt);
  const middle =
    from === undefined || to === undefined || local === undefined ? undefined : (from + to) / 2 + local.offset * 1000;
  const { provider, source_type } = parts[0]!;
  return {
    provider,
    source_type,
    parts,
    from,
    to,
    local,
    acknowledged: isNap(parts[0]!),
    asleep: sum(parts.map(asleepOf)),
    tentative: parts.some(tentative),
    id: parts.map(({ id }) => id).sort()[0]!,
    date:
      middle === undefined ? (parts.find(({ calendar_date }) => calendar_date !== null)?.calendar_date ?? null) : nightAt(middle),
    hour: middle === undefined ? undefined : new Date(middle).getUTCHours(),
  };
}

/** The sessions of all sources. */
export function sessionsOf(records: readonly SleepRecord[], offsetAt: OffsetAt): Session[] {
  const usable = records
    .flatMap(plausible)
    .filter((record) => (lengthOf(record) ?? record.duration_s ?? record.total_s ?? 0) <= 86_400);
  return [...Map.groupBy(usable, nameOf).values()].flatMap(groupsOf).map((parts) => sessionOf(parts, offsetAt));
}
