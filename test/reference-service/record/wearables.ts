import type { Answers } from './answers.ts';
import { type Answered, type Row, rowOf, sampleColumns, time, valueIn } from './row.ts';

/** The rows about the data of a user's devices. */

export const summaryTables: readonly string[] = [
  'activity',
  'body',
  'electrocardiogram',
  'meal',
  'menstrual_cycle',
  'profile',
  'sleep',
  'sleep_cycle',
  'workouts',
];

/** The members of an event beside `event_type` and `data`. */
export interface Subject {
  readonly user_id: string;
  readonly team_id: string;
  readonly client_user_id: string;
}

/** The names of resources in paths that differ from those in event types. */
const apiNames: Readonly<Record<string, string>> = { weight: 'body_weight', fat: 'body_fat' };

/** The row of a summary. The event that brought it is its creation, or its last change. */
export function summaryRow(table: string, subject: Subject, data: Answered): Row {
  const verb = data.created_at === data.updated_at ? 'created' : 'updated';
  return rowOf(table, { event_type: `daily.data.${table}.${verb}`, ...subject, data });
}

/** The summaries of a user. A profile has no list, so each provider is asked. */
export async function summariesOf(
  answers: Answers,
  table: string,
  user: string,
  providers: readonly string[],
): Promise<Answered[]> {
  if (table !== 'profile') return answers.summaries(table, user);
  const profiles = await Promise.all(providers.map((slug) => answers.find(`/v2/summary/profile/${user}?provider=${slug}`)));
  return profiles.filter((profile) => profile !== undefined);
}

/** The samples of a user and resource, with their table. */
export async function sampleRows(answers: Answers, resource: string, subject: Subject): Promise<[table: string, rows: Row[]]> {
  const table = { blood_pressure: 'blood_pressure', note: 'notes' }[resource] ?? 'timeseries';
  const columns = sampleColumns(table);
  const rows: Row[] = [];
  for (const { source, data } of await answers.groups(apiNames[resource] ?? resource, subject.user_id)) {
    const body = { event_type: `daily.data.${resource}.created`, ...subject, data: { source, user_id: subject.user_id } };
    // Only this provider has local times without a zone.
    const time_basis = source.provider === 'freestyle_libre' ? 'floating' : 'utc';
    const same = rowOf(table, body, { resource, time_basis });
    for (const sample of data) {
      const row: Record<string, unknown> = { ...same };
      for (const [column, member] of columns) row[column.name] = valueIn(column, sample[member]);
      row.start_at ??= time(sample.timestamp);
      row.sample_type ??= '';
      row.source_workout_id ??= '';
      row.local_date = localDate(sample.start ?? sample.timestamp, time_basis === 'floating' ? 0 : row.timezone_offset_s);
      rows.push(row);
    }
  }
  return [table, rows];
}

function localDate(start: string, offset: unknown): string | null {
  return typeof offset === 'number' ? new Date(Date.parse(start) + offset * 1000).toISOString().slice(0, 10) : null;
}

/** The row of `workout_stream_events`. A workout has such a row if it has a stream. */
export function streamEventRow(subject: Subject, workout: Answered): Row {
  const { id: workout_id, user_id, provider_id, sport, source } = workout;
  const data = { workout_id, user_id, provider_id, sport, source };
  return rowOf('workout_stream_events', { event_type: 'daily.data.workout_stream.created', ...subject, data });
}

/** The columns of a point by the members of a stream. */
const pointColumns = {
  time: 'time_s',
  heartrate: 'heart_rate_bpm',
  cadence: 'cadence',
  altitude: 'altitude_m',
  velocity_smooth: 'speed_m_s',
  distance: 'distance_m',
  power: 'power_w',
  resistance: 'resistance',
  temperature: 'temperature_c',
  lat: 'latitude_deg',
  lng: 'longitude_deg',
};

/** The row of `workout_streams`, with every point. */
export function streamRow({ user_id }: Subject, workout_id: string, stream: Answered): Row {
  const points = stream.time.map((seconds: number, index: number) => ({
    point_at: time(new Date(seconds * 1000).toISOString()),
    ...Object.fromEntries(Object.entries(pointColumns).map(([member, column]) => [column, stream[member]?.[index] ?? null])),
  }));
  const lengths = Object.values(stream).map((column) => (column as unknown[]).length);
  return {
    event_type: 'service.workout_stream.fetched',
    team_id: null,
    user_id,
    client_user_id: null,
    workout_id,
    points,
    uneven: new Set(lengths.filter((length) => length > 0)).size > 1,
    extra: null,
  };
}
