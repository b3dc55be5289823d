import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Delivery } from '@aorta/consumers';

/** Events of 100 heart rate samples, 9 seconds apart, as a watch sends them: 11 KB of JSON, about 1 KB gzipped. */

export const SAMPLES = 100;
const USERS = 200;
const BASE = Date.UTC(2026, 2, 20, 9, 46, 40);

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

/** Time of the first sample of event `index`; users take turns, and each goes on where it was. */
function startOf(index: number): number {
  return BASE + Math.floor(index / USERS) * SAMPLES * 9000;
}

/** The event `index`; `daysBack` puts its samples into the past. */
export function heartRateEvent(index: number, daysBack = 0): object {
  const start = startOf(index) - daysBack * 86_400_000;
  const data = Array.from({ length: SAMPLES }, (_, sample) => ({
    timestamp: new Date(start + sample * 9000).toISOString().replace('Z', '+00:00'),
    timezone_offset: -18_000,
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

/** When the broker had event `index`: after its last sample. Milliseconds since 1970. */
export function receivedAt(index: number): number {
  return startOf(index) + SAMPLES * 9000;
}

export function headersOf(index: number): Record<string, string> {
  return {
    'event-type': 'daily.data.heartrate.created',
    'user-id': users[index % USERS]!,
    'team-id': team,
    'idempotency-key': `delivery-${index}`,
  };
}

/** The event as a hub hands it over: gzipped, with its headers. */
export function gzippedDelivery(index: number): Delivery {
  return {
    source: 'hub',
    partition: String(index % 4),
    offset: Math.floor(index / 4),
    receivedAt: receivedAt(index) * 1000,
    headers: new Map(Object.entries({ ...headersOf(index), 'content-encoding': 'gzip' })),
    key: null,
    body: gzipSync(JSON.stringify(heartRateEvent(index))),
    inline: false,
  };
}
