import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Delivery } from '@aorta/connectors';

/**
 * The bench uses two kinds of events. An event with samples contains 100 heart rate samples that a watch took 9 seconds apart. It
 * is 11 KB of JSON, or about 1 KB gzipped. A summary describes a day's activity. It is 1 KB of JSON, which the service sends
 * uncompressed.
 */

export const SAMPLES = 100;
const USERS = 200;
const BASE = Date.UTC(2026, 2, 20, 9, 46, 40);
/**
 * Offset of New York on these dates, in seconds. Samples and summaries agree on the time zone. Otherwise each summary would change
 * the local dates of samples.
 */
const OFFSET_S = -14_400;

function uuid(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

const users = Array.from({ length: USERS }, (_, index) => uuid(`user ${index}`));
const team = uuid('team');
const source = {
  provider: 'fitbit',
  type: 'watch',
  app_id: null,
  device_id: null,
  name: 'Fitbit',
  slug: 'fitbit',
  logo: 'https://example.org/fitbit.png',
};

/** Returns the time of the first sample of event `index`. A user's events follow each other without a gap. */
function startOf(index: number): number {
  return BASE + Math.floor(index / USERS) * SAMPLES * 9000;
}

/** Returns event `index`, with its samples moved `daysBack` days into the past. */
export function heartRateEvent(index: number, daysBack = 0): object {
  const start = startOf(index) - daysBack * 86_400_000;
  const data = Array.from({ length: SAMPLES }, (_, sample) => ({
    timestamp: new Date(start + sample * 9000).toISOString().replace('Z', '+00:00'),
    timezone_offset: OFFSET_S,
    type: null,
    unit: 'bpm',
    value: 60 + ((sample * 7 + index) % 90),
  }));
  return {
    event_type: 'daily.data.heartrate.created',
    team_id: team,
    user_id: users[index % USERS],
    client_user_id: `client-${index % USERS}`,
    data: { source, data },
  };
}

/**
 * Returns summary `index`, which describes one day of one user. Every user gets a summary for one day before the next
 * day begins.
 */
export function activityEvent(index: number): object {
  const day = new Date(BASE + Math.floor(index / USERS) * 86_400_000).toISOString();
  const user = users[index % USERS];
  return {
    event_type: 'daily.data.activity.created',
    team_id: team,
    user_id: user,
    client_user_id: `client-${index % USERS}`,
    data: {
      id: uuid(`activity ${index}`),
      user_id: user,
      date: `${day.slice(0, 10)}T00:00:00+00:00`,
      calendar_date: day.slice(0, 10),
      calories_total: 2100.5 + (index % 700),
      calories_active: 412.25 + (index % 300),
      steps: 4000 + (index % 9000),
      daily_movement: null,
      distance: 3120.75 + (index % 5000),
      low: 61.5,
      medium: 33.25,
      high: 12.5 + (index % 40),
      floors_climbed: index % 20,
      time_zone: 'America/New_York',
      timezone_offset: OFFSET_S,
      heart_rate: { avg_bpm: 71.5, min_bpm: 48, max_bpm: 152 + (index % 30), resting_bpm: 52.5, avg_walking_bpm: 96.25 },
      wheelchair_use: null,
      wheelchair_push: null,
      created_at: `${day.slice(0, 19)}.123456+00:00`,
      updated_at: `${day.slice(0, 19)}.654321+00:00`,
      source,
    },
  };
}

/** Returns the summary as a source delivers it: uncompressed, with its headers. */
export function plainDelivery(index: number): Delivery {
  return {
    ...place(index),
    headers: new Map(Object.entries(summaryHeadersOf(index))),
    body: Buffer.from(JSON.stringify(activityEvent(index))),
  };
}

/** Returns the time of receipt of event `index`, in milliseconds since 1970. It is shortly after the last sample. */
export function receivedAt(index: number): number {
  return startOf(index) + SAMPLES * 9000;
}

export const headersOf = (index: number): Record<string, string> => headers(index, 'daily.data.heartrate.created');
export const summaryHeadersOf = (index: number): Record<string, string> => headers(index, 'daily.data.activity.created');

function headers(index: number, eventType: string): Record<string, string> {
  return {
    'event-type': eventType,
    'user-id': users[index % USERS]!,
    'team-id': team,
    'idempotency-key': `delivery-${index}`,
  };
}

/** Returns the event as a source delivers it: gzipped, with its headers. */
export function gzippedDelivery(index: number): Delivery {
  return {
    ...place(index),
    headers: new Map(Object.entries({ ...headersOf(index), 'content-encoding': 'gzip' })),
    body: gzipSync(JSON.stringify(heartRateEvent(index))),
  };
}

function place(index: number): Omit<Delivery, 'headers' | 'body'> {
  return {
    source: 'hub',
    partition: String(index % 4),
    offset: Math.floor(index / 4),
    receivedAt: receivedAt(index) * 1000,
    key: null,
    inline: false,
  };
}
