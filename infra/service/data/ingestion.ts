import { offsetOf } from '../api/times.ts';
import { providerOf } from '../connections/providers.ts';
import { eventBody, type Outbox } from '../events/outbox.ts';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Team, Teams } from '../teams/teams.ts';
import type { Clock } from '../time/clock.ts';
import { fallbackZoneOf, isWithin, type User } from '../users/users.ts';
import { type Arrival, type Json, type Source, sourceForm, sourceOf } from './arrival.ts';
import { dayOfSummary, type SummaryResource, summaryForms } from './forms/summary-forms.ts';
import { memoized, SampleStore } from './sample-store.ts';
import { batchesOf, bodyOf, type Sample, samplesOf } from './samples.ts';
import { Hypnograms, SleepStreams, WorkoutStreams } from './streams.ts';
import { SummaryStore, summaryForm } from './summary-store.ts';

/** Message of the event of a workout stream, unless the provider's data has one. */
const STREAM_MESSAGE = 'The workout stream is available.';

interface Given {
  readonly user: User;
  readonly team: Team;
  readonly arrival: Arrival;
  readonly source: Source;
  readonly isHistorical: boolean;
  /** Returns the number of the source. */
  readonly sourceId: () => number;
  /** Notes the device of the source. */
  readonly note: () => void;
}

/** What became of an arrival. */
interface Stored {
  readonly sent: number;
  readonly dates: readonly string[];
  /** Times of the data, at least the oldest and the newest one. */
  readonly times: readonly number[];
}

const nothing: Stored = { sent: 0, dates: [], times: [] };

/**
 * Returns the number of a source, which is the `source_id` of events. Equal sources have one number. `source` is JSON: see
 * data/arrival.ts.
 */
export function sourceNumber(database: Database, source: string): number {
  return database.numberOf(
    'select source_id as number from sources where source = ?',
    'insert into sources (source) values (?)',
    source,
  );
}

/** The member with the instant that decides the offset of a summary. Other summaries use noon of their date. */
const instants: Partial<Record<SummaryResource, string>> = {
  sleep: 'bedtime_stop',
  workouts: 'time_start',
  sleep_cycle: 'session_start',
  electrocardiogram: 'session_start',
};

/**
 * Returns a summary with the user's fallback time zone, if its source carries neither a time zone nor an offset. Only the
 * members that the resource has are set: `time_zone`, and `timezone_offset` in seconds east of UTC.
 */
function withFallbackZone(resource: SummaryResource, summary: Json, user: User): Json {
  if (summary.time_zone != null || summary.timezone_offset != null) return summary;
  const zone = fallbackZoneOf(user);
  const members = summaryForms[resource].shape;
  return {
    ...summary,
    ...('time_zone' in members ? { time_zone: zone } : {}),
    ...('timezone_offset' in members ? { timezone_offset: offsetOf(zone, instantOf(resource, summary)) } : {}),
  };
}

/** A day has the offset of its noon. */
function instantOf(resource: SummaryResource, summary: Json): number {
  const member = instants[resource];
  return Date.parse(member === undefined ? `${summary.calendar_date}T12:00:00Z` : String(summary[member]));
}

interface Device {
  readonly id: string;
  readonly user_id: string;
  readonly provider: string;
  readonly source_type: string;
  readonly app_id: string | null;
  readonly device_manufacturer: string | null;
  readonly device_model: string | null;
  readonly device_version: string | null;
  readonly device_id: string | null;
}

const columns = 'id, user_id, provider, source_type, app_id, device_manufacturer, device_model, device_version, device_id';

/** The devices of users. The service learns of a device when it gets its first data. */
class Devices {
  readonly #database: Database;
  readonly #outbox: Outbox;

  constructor(database: Database, outbox: Outbox) {
    this.#database = database;
    this.#outbox = outbox;
  }

  /** Notes the device of a source, within the caller's transaction. A new device has an event. */
  note(user: User, { provider, type, app_id, device_id }: Source): void {
    if (device_id === null || this.find(user.user_id, device_id) !== undefined) return;
    const { name } = providerOf(provider)!;
    const device: Device = {
      id: device_id,
      user_id: user.user_id,
      provider,
      source_type: type,
      app_id,
      device_manufacturer: name,
      device_model: `${name} ${type}`,
      device_version: null,
      device_id: device_id.slice(0, 8).toUpperCase(),
    };
    const values = Object.values(device) as (string | null)[];
    const added = this.#database.run('insert into devices values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing', ...values);
    if (added === 1) this.#outbox.add(user, 'provider.device.created', device);
  }

  find(user: string, id: string): Device | undefined {
    return this.#database.get(`select ${columns} from devices where user_id = ? and id = ?`, user, id);
  }

  of(user: string): Device[] {
    return this.#database.all(`select ${columns} from devices where user_id = ? order by provider, source_type, id`, user);
  }
}

/** The result of an attempt to fetch a resource: how many objects were delivered, and the instants (ms) of all objects. */
interface Found {
  readonly sent: number;
  readonly times: readonly number[];
}

export interface DataCount {
  readonly provider: string;
  readonly resource: string;
  readonly sent_count: number;
  readonly oldest_data: number | null;
  readonly newest_data: number | null;
  readonly last_attempt_at: number;
  readonly last_attempt_status: 'success' | 'failure';
}

/** How much of each resource the service has sent, and how the last attempt to fetch it ended. */
export class DataCounts {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: State) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Notes a successful attempt. */
  found(user: string, provider: string, resource: string, { sent, times }: Found): void {
    const [oldest, newest] = times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)];
    this.#database.run(
      `insert into data_counts values (?, ?, ?, ?, ?, ?, ?, 'success')
       on conflict do update set
         sent_count = sent_count + excluded.sent_count,
         oldest_data = min(coalesce(oldest_data, excluded.oldest_data), coalesce(excluded.oldest_data, oldest_data)),
         newest_data = max(coalesce(newest_data, excluded.newest_data), coalesce(excluded.newest_data, newest_data)),
         last_attempt_at = excluded.last_attempt_at, last_attempt_status = excluded.last_attempt_status`,
      user,
      provider,
      resource,
      sent,
      oldest,
      newest,
      this.#clock.now(),
    );
  }

  /** Notes that the data of a provider can no longer be fetched. */
  failed(user: string, provider: string): void {
    this.#database.run(
      "update data_counts set last_attempt_at = ?, last_attempt_status = 'failure' where user_id = ? and provider = ?",
      this.#clock.now(),
      user,
      provider,
    );
  }

  /** Returns the counts of a user, ordered by provider and resource. Without a provider, those of all providers. */
  of(user: string, provider?: string): DataCount[] {
    return this.#database.all(
      'select * from data_counts where user_id = ?1 and (?2 is null or provider = ?2) order by provider, resource',
      user,
      provider ?? null,
    );
  }
}

/** Takes what providers have: stores it, and tells what is new or has changed. */
export class Ingestion {
  readonly samples: SampleStore;
  readonly summaries: SummaryStore;
  readonly hypnograms: Hypnograms;
  readonly workoutStreams: WorkoutStreams;
  readonly sleepStreams: SleepStreams;
  readonly devices: Devices;
  readonly counts: DataCounts;
  readonly #state: State;
  readonly #teams: Teams;
  readonly #outbox: Outbox;

  constructor(state: State, teams: Teams, outbox: Outbox) {
    this.samples = new SampleStore(state.database);
    this.summaries = new SummaryStore(state.database);
    this.hypnograms = new Hypnograms(this.summaries);
    this.workoutStreams = new WorkoutStreams(state.database);
    this.sleepStreams = new SleepStreams(state.database, this.samples, this.hypnograms);
    this.devices = new Devices(state.database, outbox);
    this.counts = new DataCounts(state);
    this.#state = state;
    this.#teams = teams;
    this.#outbox = outbox;
  }

  /**
   * Stores arrivals with their events, in one transaction. Data outside of the user's bounds is ignored. Returns the dates
   * (YYYY-MM-DD) within the bounds that had data, whether it was new or not.
   */
  take(user: User, provider: string, arrivals: readonly Arrival[], isHistorical = false): readonly string[] {
    return this.#state.database.transaction(() => {
      const team = this.#teams.find(user.team_id)!;
      const noted = new Set<string | null>();
      const numberOf = memoized((source: string) => sourceNumber(this.#state.database, source));
      const all = arrivals.map((arrival) => {
        const source = sourceOf(arrival, provider);
        const note = (): void => {
          if (!noted.has(source.device_id)) this.devices.note(user, source);
          noted.add(source.device_id);
        };
        const sourceId = () => numberOf(JSON.stringify(source));
        const stored = this.#store({ user, team, arrival, source, isHistorical, sourceId, note });
        return { resource: arrival.resource, stored };
      });
      for (const [resource, some] of Map.groupBy(all, ({ resource }) => resource)) {
        const sent = some.reduce((sum, { stored }) => sum + stored.sent, 0);
        const times = some.flatMap(({ stored }) => stored.times);
        this.counts.found(user.user_id, provider, resource, { sent, times });
      }
      return [...new Set(all.flatMap(({ stored }) => stored.dates))].sort();
    });
  }

  #store(given: Given): Stored {
    if (given.arrival.stream !== undefined) return this.#storeStream(given);
    return Array.isArray(given.arrival.data.data) ? this.#storeSamples(given) : this.#storeSummary(given);
  }

  #storeSamples(given: Given): Stored {
    const { user, arrival, source } = given;
    const { resource, data } = arrival;
    const isFloating = providerOf(source.provider)!.isFloating;
    const samples = samplesOf(data.data as Json[], resource, source, { user, isFloating }).filter(({ date }) =>
      isWithin(user, date),
    );
    if (samples.length === 0) return nothing;
    given.note();
    const sourceId = given.sourceId();
    const { created, updated } = this.samples.put({ user: user.user_id, resource, source, sourceId }, samples);
    const sent = this.#tellSamples(given, sourceId, 'created', created);
    this.#tellSamples(given, sourceId, 'updated', updated);
    return { sent, dates: datesOf(samples), times: extremesOf(samples) };
  }

  /** Returns the number of samples in events that somebody gets. */
  #tellSamples({ user, team, arrival, source, isHistorical }: Given, sourceId: number, verb: string, samples: readonly Sample[]) {
    const eventType = `daily.data.${arrival.resource}.${verb}`;
    if (samples.length === 0 || !this.#isWanted(user, eventType, isHistorical)) return 0;
    const about = {
      source: sourceForm(source, team.generation),
      ...(team.generation === 'current' ? {} : { user_id: user.user_id, source_id: sourceId }),
    };
    const envelope = Buffer.byteLength(eventBody(user, eventType, { ...about, data: [] }));
    let sent = 0;
    for (const batch of batchesOf(samples, team.payload_limit - envelope)) {
      const isSent = this.#outbox.add(user, eventType, { ...about, data: batch.map(bodyOf) }, isHistorical);
      if (isSent) sent += batch.length;
    }
    return sent;
  }

  #storeSummary({ user, team, arrival: { resource, data: given }, source, isHistorical, sourceId, note }: Given): Stored {
    const { isFloating } = providerOf(source.provider)!;
    const data = isFloating ? given : withFallbackZone(resource as SummaryResource, given, user);
    const date = dayOfSummary(resource as SummaryResource, data);
    if (date !== undefined && !isWithin(user, date)) return nothing;
    const { source: _, created_at: __, updated_at: ___, ...body } = data;
    note();
    const about = { user: user.user_id, resource, provider: source.provider, sourceId: sourceId(), date };
    const summary = { ...about, body: { ...body, user_id: user.user_id } };
    const verb = this.summaries.put(summary, this.#state.clock.now());
    const dates = date === undefined ? [] : [date];
    const times = dates.map((day) => Date.parse(day));
    const eventType = `daily.data.${resource}.${verb}`;
    if (verb === undefined || !this.#isWanted(user, eventType, isHistorical)) return { sent: 0, dates, times };
    const event = summaryForm(this.summaries.find(user.user_id, resource, String(body.id))!, team.generation);
    const isSent = this.#outbox.add(user, eventType, event, isHistorical);
    return { sent: isSent && verb === 'created' ? 1 : 0, dates, times };
  }

  #storeStream({ user, team, arrival: { resource, data, stream }, source, isHistorical }: Given): Stored {
    const first = (stream!.time as number[] | undefined)?.[0];
    const times = first === undefined ? [] : [first * 1000];
    const dates = times.map((time) => this.#dateOf(user, String(data.workout_id)) ?? new Date(time).toISOString().slice(0, 10));
    if (dates.some((date) => !isWithin(user, date))) return nothing;
    const isNew = this.workoutStreams.put(user.user_id, String(data.workout_id), stream!);
    if (!isNew) return { sent: 0, dates, times };
    const event = { message: STREAM_MESSAGE, ...data, user_id: user.user_id, source: sourceForm(source, team.generation) };
    const isSent = this.#outbox.add(user, `daily.data.${resource}.created`, event, isHistorical);
    return { sent: isSent ? 1 : 0, dates, times };
  }

  /** Returns whether somebody gets an event. Building one takes long. */
  #isWanted({ team_id }: User, event_type: string, isHistorical: boolean): boolean {
    return this.#outbox.isWanted({ team_id, event_type, isHistorical });
  }

  /** Returns the local date of a workout that is known. Its stream has no time zone. */
  #dateOf(user: User, workout: string): string | undefined {
    const summary = this.summaries.find(user.user_id, 'workouts', workout);
    return summary === undefined ? undefined : dayOfSummary('workouts', JSON.parse(summary.body) as Json);
  }
}

const datesOf = (samples: readonly Sample[]): string[] => [...new Set(samples.map(({ date }) => date))];

/** Returns the times of the oldest and the newest sample. */
function extremesOf(samples: readonly Sample[]): number[] {
  let [oldest, newest] = [samples[0]!.at, samples[0]!.at];
  for (const { at } of samples) {
    oldest = Math.min(oldest, at);
    newest = Math.max(newest, at);
  }
  return [oldest, newest];
}
