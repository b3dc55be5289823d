import type { Database } from '../storage/database.ts';
import type { Json, Source } from './arrival.ts';
import type { Hypnograms } from './hypnograms.ts';
import type { SampleStore } from './sample-store.ts';

interface Sleep {
  readonly user_id: string;
  readonly body: string;
  readonly source: string;
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
