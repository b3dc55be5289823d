import type { Json, SampleGroup, World } from './world.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export interface PersonOptions {
  readonly userId: string;
  /** First date, YYYY-MM-DD. */
  readonly from: string;
  readonly days: number;
}

const at = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', '+00:00');

/**
 * Returns a service's data for one person: daily summaries, samples at regular intervals, and orders. The same options always
 * give the same data.
 */
export function personWorld({ userId, from, days }: PersonOptions): World & Required<Pick<World, 'summaries' | 'timeseries'>> {
  const begin = Date.parse(`${from}T00:00:00Z`);
  const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
  const day = (index: number): number => begin + index * DAY_MS;
  const source = (provider: string, type = 'ring'): Json => ({ provider, type, app_id: null, device_id: null });
  const summary = (resource: string, index: number, more: Json): Json => ({
    id: `${resource}-${index}`,
    user_id: userId,
    calendar_date: at(day(index)).slice(0, 10),
    source: source(index % 2 === 0 ? 'oura' : 'fitbit'),
    created_at: at(day(index) + 20 * HOUR_MS),
    updated_at: at(day(index) + 21 * HOUR_MS),
    ...more,
  });
  const samples = (count: number, everyMs: number, make: (time: number, index: number) => Json): readonly Json[] =>
    each(count, (index) => make(begin + index * everyMs, index));
  const group = (provider: string, type: string, data: readonly Json[]): SampleGroup => ({
    provider,
    source: source(provider, type),
    data,
  });
  return {
    users: [
      {
        user_id: userId,
        team_id: 'team-1',
        client_user_id: 'planted-client-id',
        created_on: at(begin - DAY_MS),
        connected_sources: [],
        fallback_time_zone: { id: 'Europe/Berlin', source_slug: 'manual', updated_at: at(begin) },
        fallback_birth_date: null,
        ingestion_start: null,
        ingestion_end: null,
      },
    ],
    connections: {
      [userId]: [
        { slug: 'oura', name: 'Oura', logo: '', created_on: at(begin), status: 'connected', resource_availability: {} },
        { slug: 'fitbit', name: 'Fitbit', logo: '', created_on: at(begin), status: 'error', resource_availability: {} },
      ],
    },
    summaries: {
      [userId]: {
        sleep: each(days, (index) =>
          summary('sleep', index, {
            bedtime_start: at(day(index) - 2 * HOUR_MS),
            bedtime_stop: at(day(index) + 6 * HOUR_MS),
            type: 'long_sleep',
            duration: 28_800,
            total: 25_000 + index,
          }),
        ),
        activity: each(days, (index) => summary('activity', index, { steps: 8000 + index, calories_total: 2000.5 })),
        workouts: each(Math.floor(days / 7), (index) =>
          summary('workouts', index * 7, {
            time_start: at(day(index * 7)),
            time_end: at(day(index * 7) + HOUR_MS),
            provider_id: 'p',
          }),
        ),
        meal: each(Math.floor(days / 5), (index) => summary('meal', index * 5, { timestamp: at(day(index * 5)), name: 'lunch' })),
        profile: [{ ...summary('profile', 0, { height: 180 }), calendar_date: undefined }],
      },
    },
    timeseries: {
      [userId]: {
        heartrate: [
          group(
            'oura',
            'ring',
            samples(days * 24, HOUR_MS, (time, index) => ({
              timestamp: at(time),
              unit: 'bpm',
              value: 50 + (index % 60),
              timezone_offset: 3600,
            })),
          ),
          group(
            'fitbit',
            'watch',
            samples(days * 6, 4 * HOUR_MS, (time, index) => ({ timestamp: at(time), unit: 'bpm', value: 60 + (index % 40) })),
          ),
        ],
        steps: [
          group(
            'fitbit',
            'watch',
            samples(days * 4, 6 * HOUR_MS, (time, index) => ({
              start: at(time),
              end: at(time + HOUR_MS),
              unit: 'count',
              value: index % 900,
            })),
          ),
        ],
        body_weight: [
          group(
            'fitbit',
            'scale',
            samples(days, DAY_MS, (time, index) => ({ timestamp: at(time + 1), unit: 'kg', value: 80 - index / 100 })),
          ),
        ],
      },
    },
    orders: each(3, (index) => ({
      id: `order-${index}`,
      user_id: userId,
      team_id: 'team-1',
      patient_details: { first_name: 'Planted' },
      events: [{ id: index, created_at: at(day(index)), status: 'received.walk_in_test.ordered' }],
      last_event: { id: index, created_at: at(day(index)), status: 'received.walk_in_test.ordered' },
      created_at: at(day(index)),
      updated_at: at(day(index)),
    })),
  };
}
