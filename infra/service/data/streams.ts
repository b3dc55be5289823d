import { instant, offsetOf, timeZoneSchema } from '../api/times.ts';
import type { Database } from '../storage/database.ts';
import type { Json, Source } from './arrival.ts';
import { type Position, positionOf, type SampleQuery, type SampleStore, type StoredSample } from './sample-store.ts';
import type { StoredSummary, SummaryStore } from './summary-store.ts';

interface Sleep {
  readonly user_id: string;
  readonly body: string;
  readonly source: string;
}

/** A sleep cycle has the local date of its start, and its stages begin at most this long before and after that date (UTC). */
const NEAR_MS = 3 * 86_400_000;

/** The members of a sleep cycle that a hypnogram needs. */
interface Cycle {
  readonly id: string;
  readonly sleep_id: string;
  readonly session_start: string;
  readonly stage_start_offset_second: readonly number[];
  readonly stage_end_offset_second: readonly number[];
  readonly stage_type: readonly number[];
  readonly time_zone?: string | null;
}

/** The stages of sleep as samples. They are not stored: the sleep cycles have the same stages as lists. */
export class Hypnograms {
  readonly #summaries: SummaryStore;

  constructor(summaries: SummaryStore) {
    this.#summaries = summaries;
  }

  /** Returns stages in the order of their start. */
  page({ user, from, to, provider, after, limit }: Omit<SampleQuery, 'resource'>): StoredSample[] {
    return this.#cycles(user, { from: from - NEAR_MS, to: to + NEAR_MS, provider })
      .flatMap((cycle) => stagesOf(cycle).filter(({ sampled_at }) => sampled_at >= from && sampled_at <= to))
      .filter((stage) => after === undefined || compare(positionOf(stage), after) > 0)
      .sort((a, b) => compare(positionOf(a), positionOf(b)))
      .slice(0, limit);
  }

  /** Returns the stages of one sleep, whose session begins at `start` (milliseconds since 1970). */
  ofSleep(user: string, sleep: string, start: number): Json[] {
    return this.#cycles(user, { from: start - NEAR_MS, to: start + NEAR_MS })
      .filter(({ body }) => (JSON.parse(body) as Cycle).sleep_id === sleep)
      .flatMap(stagesOf)
      .map(({ body }) => body);
  }

  #cycles(user: string, range: { readonly from: number; readonly to: number; readonly provider?: string | undefined }) {
    return this.#summaries.range({ user, resource: 'sleep_cycle', ...range });
  }
}

function stagesOf({ body, source }: StoredSummary): StoredSample[] {
  const { id, session_start, stage_type, time_zone, ...cycle } = JSON.parse(body) as Cycle;
  const { provider, type } = JSON.parse(source) as Source;
  const zone = timeZoneSchema.safeParse(time_zone);
  const begin = Date.parse(session_start);
  return stage_type.map((value, index) => {
    const start = begin + cycle.stage_start_offset_second[index]! * 1000;
    const end = begin + cycle.stage_end_offset_second[index]! * 1000;
    const sample = {
      timestamp: instant(start),
      start: instant(start),
      end: instant(end),
      timezone_offset: zone.success ? offsetOf(zone.data, start) : null,
      type: null,
      unit: 'stage',
      value,
    };
    return { sampled_at: start, provider, source_type: type, variant: id, body: sample, source };
  });
}

function compare(a: Position, b: Position): number {
  const different = a.findIndex((part, index) => part !== b[index]);
  if (different === -1) return 0;
  return a[different]! < b[different]! ? -1 : 1;
}

/** The samples of single sleeps. A stream is not stored: it has the samples of the sleep's provider from its session. */
export class SleepStreams {
  readonly #database: Database;
  readonly #samples: SampleStore;
  readonly #hypnograms: Hypnograms;

  constructor(database: Database, samples: SampleStore, hypnograms: Hypnograms) {
    this.#database = database;
    this.#samples = samples;
    this.#hypnograms = hypnograms;
  }

  /** Returns the stream of a sleep of a team's user. A list that the provider sent with the sleep itself replaces the samples. */
  find(team: string, id: string): Json | undefined {
    const sleep = this.#sleep(team, id);
    if (sleep === undefined) return undefined;
    const { bedtime_start, bedtime_stop, sleep_stream } = JSON.parse(sleep.body) as {
      readonly bedtime_start: string;
      readonly bedtime_stop: string;
      readonly sleep_stream?: Json | null;
    };
    const { provider } = JSON.parse(sleep.source) as Source;
    const user = sleep.user_id;
    const from = Date.parse(bedtime_start);
    const to = Date.parse(bedtime_stop) - 1;
    const samplesOf = (resource: string): Json[] =>
      this.#samples.page({ user, resource, from, to, provider }).map(({ body }) => body);
    return {
      hrv: sleep_stream?.hrv ?? samplesOf('hrv'),
      heartrate: sleep_stream?.heartrate ?? samplesOf('heartrate'),
      hypnogram: sleep_stream?.hypnogram ?? this.#hypnograms.ofSleep(user, id, from),
      respiratory_rate: sleep_stream?.respiratory_rate ?? samplesOf('respiratory_rate'),
    };
  }

  #sleep(team: string, id: string): Sleep | undefined {
    return this.#database.get(
      `select user_id, body, source from users join summaries using (user_id) join sources using (source_id)
       where team_id = ? and deleted_at is null and resource = 'sleep' and summary_id = ?`,
      team,
      id,
    );
  }
}

/** The streams of workouts, which are too large for events. */
export class WorkoutStreams {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores the stream of a workout. Returns whether this version is new. */
  put(user: string, workout: string, stream: Json): boolean {
    const body = JSON.stringify(stream);
    return (
      this.#database.run(
        `insert into workout_streams values (?, ?, ?)
         on conflict do update set body = excluded.body where body <> excluded.body`,
        workout,
        user,
        body,
      ) === 1
    );
  }

  /** Returns the stream of a workout of a team's user. */
  find(team: string, workout: string): Json | undefined {
    const row = this.#database.get<{ body: string }>(
      `select body from workout_streams join users using (user_id)
       where team_id = ? and deleted_at is null and workout_id = ?`,
      team,
      workout,
    );
    return row === undefined ? undefined : (JSON.parse(row.body) as Json);
  }
}
