import { type Ranks, ranksWith } from './source-oracle.ts';

/** Finds the workouts that two sources recorded in plain code, from the rules alone. */

export interface WorkoutRecord {
  readonly id: string;
  readonly provider: string;
  readonly source_type: string;
  readonly calendar_date: string | null;
  readonly time_start: string | null;
  readonly time_end: string | null;
  readonly sport_slug: string | null;
  readonly hr_zones_s: readonly number[];
  /** Values of measures, by column. */
  readonly measures: Readonly<Record<string, number | null>>;
}

export interface Duplicate {
  readonly id: string;
  readonly kept_id: string;
  readonly overlap_share: number;
}

/** Families of the sports in the tests. */
const families: Readonly<Record<string, string>> = {
  ...{ running: 'run', treadmill_running: 'run', cycling: 'ride', indoor_cycling: 'ride', triathlon: 'tri', swimming: 'swim' },
};

const from = ({ time_start }: WorkoutRecord): number => Date.parse(time_start ?? '');
const to = ({ time_end }: WorkoutRecord): number => Date.parse(time_end ?? '');
const lasts = (one: WorkoutRecord): number => to(one) - from(one);

function completeness({ measures, hr_zones_s }: WorkoutRecord): number {
  return Object.values(measures).filter((value) => value !== null).length + (hr_zones_s.length > 0 ? 1 : 0);
}

function inOrder(ranks: Ranks): (a: WorkoutRecord, b: WorkoutRecord) => number {
  const rank = (record: WorkoutRecord): number => ranks('workouts', record);
  return (a, b) => completeness(b) - completeness(a) || rank(a) - rank(b) || from(a) - from(b) || (a.id < b.id ? -1 : 1);
}

const share = (a: WorkoutRecord, b: WorkoutRecord): number =>
  (Math.min(to(a), to(b)) - Math.max(from(a), from(b))) / Math.max(lasts(a), lasts(b));

function isSame(a: WorkoutRecord, b: WorkoutRecord): boolean {
  const sameSource = a.provider === b.provider && a.source_type === b.source_type;
  const [one, other] = [a, b].map(({ sport_slug }) => families[sport_slug ?? '']);
  return !sameSource && share(a, b) >= 0.5 && (one === undefined || other === undefined || one === other);
}

/** Returns the workouts that are duplicates of a kept one. */
export function expectedDuplicates(records: readonly WorkoutRecord[], ranks: Ranks = ranksWith({})): Duplicate[] {
  const kept: WorkoutRecord[] = [];
  const duplicates: Duplicate[] = [];
  for (const record of records.filter((one) => lasts(one) > 0).sort(inOrder(ranks))) {
    const same = kept.find((one) => isSame(one, record));
    if (same === undefined) kept.push(record);
    else duplicates.push({ id: record.id, kept_id: same.id, overlap_share: share(same, record) });
  }
  return duplicates.sort((a, b) => (a.id < b.id ? -1 : 1));
}
