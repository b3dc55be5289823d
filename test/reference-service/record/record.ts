import { tables } from '@aorta/schemas';
import type { Answers } from './answers.ts';
import { labRecord, labRows } from './labs.ts';
import { connectionEventRows, connectionRow, connectionStateRow, deviceRow, sentRows, userRow, userStateRow } from './people.ts';
import { pullRows } from './pulls.ts';
import type { Answered, Row } from './row.ts';
import { type Subject, sampleRows, streamEventRow, streamRow, summariesOf, summaryRow, summaryTables } from './wearables.ts';

/** The tests read this table through the view `historical_pulls`. Its other columns record when Aorta learned of a pull. */
const TRACKS = 'historical_pull_tracks';

/** The rows that every table must have, by table. They come from the answers of the service's API only. */
export type ServiceRecord = ReadonlyMap<string, readonly Row[]>;

/**
 * The tables that most tests leave empty: nobody fetches old data, and no webhook fails for good. No order needs an appointment,
 * nobody uploads a report, and no result lacks an order. The service has no continuous queries and no raw events.
 */
export const unusedTables: readonly string[] = [
  'backfills',
  'continuous_query_results',
  'delivery_failures',
  'lab_appointments',
  'lab_match_reviews',
  'lab_report_parsing_jobs',
  'raw_events',
];

export function emptyTables(record: ServiceRecord): string[] {
  return [...record].filter(([, rows]) => rows.length === 0).map(([table]) => table);
}

class Rows extends Map<string, Row[]> {
  add(table: string, rows: readonly Row[]): void {
    if (!this.has(table)) this.set(table, []);
    const all = this.get(table)!;
    for (const row of rows) all.push(row);
  }
}

export async function serviceRecord(answers: Answers): Promise<ServiceRecord> {
  const rows = new Rows(tables.filter(({ name }) => name !== TRACKS).map(({ name }) => [name, []]));
  const { users, total } = await answers.get('/v2/user?limit=500');
  if (users.length !== total) throw new Error('The record needs all users in one page.');
  for (const user of users) await addUser(rows, answers, user);
  return new Map([...rows, ...labRows(await labRecord(answers))]);
}

async function addUser(rows: Rows, answers: Answers, user: Answered): Promise<void> {
  const { user_id, team_id, client_user_id } = user;
  const subject: Subject = { user_id, team_id, client_user_id };
  const { providers } = await answers.get(`/v2/user/providers/${user_id}`);
  rows.add('users', [userRow(user)]);
  rows.add('user_states', [userStateRow(subject)]);
  rows.add(
    'user_connections',
    providers.map((one: Answered) => connectionRow(subject, one)),
  );
  rows.add(
    'connections',
    providers.map((one: Answered) => connectionStateRow(subject, one)),
  );
  rows.add(
    'connection_events',
    providers.flatMap((one: Answered) => connectionEventRows(subject, one)),
  );
  const devices = await answers.get(`/v2/user/${user_id}/device`);
  rows.add(
    'devices',
    devices.map((one: Answered) => deviceRow(subject, one)),
  );
  const [{ data }] = await answers.pages(`/v2/introspect/resources?user_id=${user_id}`);
  const { provider: statistics } = data[0];
  rows.add('sent_resources', sentRows(subject, statistics));
  const [{ data: pulls }] = await answers.pages(`/v2/introspect/historical_pull?user_id=${user_id}`);
  for (const [table, some] of pullRows(subject, pulls[0].provider)) rows.add(table, some);
  const slugs = providers.map(({ slug }: Answered) => slug);
  for (const table of summaryTables) {
    const summaries = await summariesOf(answers, table, user_id, slugs);
    rows.add(
      table,
      summaries.map((one) => summaryRow(table, subject, one)),
    );
    if (table === 'workouts') for (const one of summaries) await addStream(rows, answers, subject, one);
  }
  const resources = new Set(Object.values<Answered>(statistics).flatMap((some) => Object.keys(some)));
  for (const resource of resources) {
    if (resource === 'workout_stream' || summaryTables.includes(resource)) continue;
    const [table, some] = await sampleRows(answers, resource, subject);
    rows.add(table, some);
  }
}

async function addStream(rows: Rows, answers: Answers, subject: Subject, workout: Answered): Promise<void> {
  const stream = await answers.find(`/v2/timeseries/workouts/${workout.id}/stream`);
  if (stream === undefined) return;
  rows.add('workout_stream_events', [streamEventRow(subject, workout)]);
  rows.add('workout_streams', [streamRow(subject, workout.id, stream)]);
}
