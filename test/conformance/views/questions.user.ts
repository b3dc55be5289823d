import { noSleep } from './people.fixture.ts';
import type { SleepRecord } from './sleep-oracle.ts';
import type { WorkoutRecord } from './workouts-oracle.ts';

/** Rows of people for docs/guides/questions.md. */

export interface Owned {
  readonly user_id: string;
}

export interface Source {
  readonly provider: string;
  readonly source_type: string;
}

interface Sample extends Owned, Source {
  readonly resource: string;
  readonly event_type: string;
  readonly start_at: string;
  readonly end_at: string | null;
  readonly timezone_offset_s: number | null;
  readonly time_basis: 'utc' | 'floating';
  readonly local_date: string | null;
  readonly value: number;
  readonly unit: string | null;
  readonly _received_at: string;
}

interface Reading extends Owned, Source {
  readonly start_at: string;
  readonly timezone_offset_s: number | null;
  readonly local_date: string | null;
  readonly systolic_mmhg: number;
  readonly diastolic_mmhg: number;
  readonly unit: string | null;
}

export interface ActivityDay extends Owned, Source {
  readonly calendar_date: string;
  readonly steps: number | null;
  readonly heart_rate_resting_bpm: number | null;
}

interface Connected extends Owned {
  readonly provider: string;
  readonly event_type: string;
  readonly _received_at: string;
}

interface Delivered extends Owned {
  readonly provider: string | null;
  readonly source_type: string | null;
  readonly received_at: string;
  readonly dead_letter_reason: string | null;
  readonly redelivered: boolean;
}

export interface PeopleRows {
  readonly users: Owned[];
  readonly timeseries: Sample[];
  readonly blood_pressure: Reading[];
  readonly activity: ActivityDay[];
  readonly sleep: (SleepRecord & Owned)[];
  readonly workouts: (WorkoutRecord & Owned)[];
  readonly connection_events: Connected[];
  readonly connections: (Owned & { readonly provider: string; readonly status: string })[];
  readonly deliveries: Delivered[];
}

/** The fields of a sample as a provider sends them. `latencyMs` is the time from the start of the sample to its receipt. */
type SentSample = Partial<Sample> & Pick<Sample, 'resource' | 'value'> & { readonly latencyMs?: number };

type SentReading = Partial<Reading> & Pick<Reading, 'systolic_mmhg' | 'diastolic_mmhg'>;

export const iso = (at: number): string => new Date(at).toISOString();
export const dateOf = (at: number): string => iso(at).slice(0, 10);

/** Adds rows of one user, whose offset from UTC never changes. Times are local. */
export class User {
  readonly id: string;
  readonly offset: number;
  private readonly rows: PeopleRows;

  constructor(rows: PeopleRows, id: string, offset: number) {
    this.rows = rows;
    this.id = id;
    this.offset = offset;
  }

  /** Providers of floating samples send the local time as if it were in UTC. */
  sample(source: Source, localAt: number, { latencyMs = 600_000, ...sent }: SentSample) {
    const isFloating = sent.time_basis === 'floating';
    const at = localAt - this.offset * 1000;
    const offset = isFloating || sent.timezone_offset_s === null ? null : this.offset;
    this.rows.timeseries.push({
      user_id: this.id,
      ...source,
      event_type: `daily.data.${sent.resource}.created`,
      end_at: null,
      time_basis: 'utc',
      start_at: iso(isFloating ? localAt : at),
      local_date: isFloating || offset !== null ? dateOf(localAt) : null,
      unit: null,
      _received_at: iso(at + latencyMs),
      ...sent,
      timezone_offset_s: offset,
    });
  }

  reading(source: Source, localAt: number, sent: SentReading) {
    const offset = sent.timezone_offset_s === null ? null : this.offset;
    this.rows.blood_pressure.push({
      user_id: this.id,
      ...source,
      start_at: iso(localAt - this.offset * 1000),
      unit: 'mmHg',
      ...sent,
      timezone_offset_s: offset,
      local_date: offset === null ? null : dateOf(localAt),
    });
  }

  activity(source: Source, day: Omit<ActivityDay, keyof Source | 'user_id'>) {
    this.rows.activity.push({ user_id: this.id, ...source, ...day });
  }

  sleep(source: Source, localAt: number, total_s: number | null, more: Partial<SleepRecord> = {}) {
    const start = localAt - this.offset * 1000;
    const stop = start + (total_s ?? 20_000) * 1000 + 600_000;
    this.rows.sleep.push({
      ...noSleep,
      user_id: this.id,
      ...source,
      id: `sleep-${this.rows.sleep.length}`,
      total_s,
      calendar_date: dateOf(stop + this.offset * 1000),
      bedtime_start: iso(start),
      bedtime_stop: iso(stop),
      timezone_offset_s: this.offset,
      ...more,
    });
  }

  workout(source: Source, localAt: number, minutes: number, measures: WorkoutRecord['measures']) {
    const start = localAt - this.offset * 1000;
    this.rows.workouts.push({
      user_id: this.id,
      ...source,
      id: `workout-${this.rows.workouts.length}`,
      calendar_date: dateOf(localAt),
      time_start: iso(start),
      time_end: iso(start + minutes * 60_000),
      sport_slug: 'running',
      hr_zones_s: [],
      measures,
    });
  }

  connect(provider: string, at: string) {
    this.rows.connection_events.push({
      user_id: this.id,
      provider,
      event_type: 'provider.connection.created',
      _received_at: at,
    });
  }

  /** A delivery without a source is not data. */
  delivery(source: Source | undefined, received_at: string, more: Partial<Delivered> = {}) {
    this.rows.deliveries.push({
      user_id: this.id,
      provider: source?.provider ?? null,
      source_type: source?.source_type ?? null,
      received_at,
      dead_letter_reason: null,
      redelivered: false,
      ...more,
    });
  }
}
