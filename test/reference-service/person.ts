import type { Json } from './control.ts';
import { addUser, connect, type Team } from './team.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export interface PersonOptions {
  readonly clientUserId: string;
  /** First date, YYYY-MM-DD. */
  readonly from: string;
  readonly days: number;
}

/** Something that a provider has: one summary, or the samples of one source. */
interface Pushed {
  readonly provider: string;
  readonly resource: string;
  readonly data: Json;
}

/**
 * Creates a user with daily summaries and samples at regular intervals, which two providers have sent. The connection to one of
 * them is broken. The same options always give the same data. Returns the id of the user.
 */
export async function addPerson(team: Team, { clientUserId, from, days }: PersonOptions): Promise<string> {
  const user_id = await addUser(team, clientUserId);
  for (const provider of ['oura', 'fitbit']) await connect(team, user_id, provider);
  const begin = Date.parse(`${from}T00:00:00Z`);
  for (const pushed of [...summaries(begin, days), ...samples(begin, days)])
    await team.control.ask('/data', { user_id, ...pushed });
  await team.control.ask('/connections/break', { user_id, provider: 'fitbit' });
  return user_id;
}

const resources = ['sleep', 'activity', 'workouts', 'meal', 'profile'];

/** Returns the id of a person's summary. `day` counts the days since the first one, which is 0. */
export function summaryId(resource: string, day: number): string {
  return `00000000-0000-4000-800${resources.indexOf(resource)}-${String(day).padStart(12, '0')}`;
}

const at = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', '+00:00');
const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

function summaries(begin: number, days: number): Pushed[] {
  const start = (day: number): number => begin + day * DAY_MS;
  const summary = (resource: string, day: number, members: Json): Pushed => {
    const provider = day % 2 === 0 ? 'oura' : 'fitbit';
    return { provider, resource, data: { id: summaryId(resource, day), source: { provider, type: 'ring' }, ...members } };
  };
  const daily = (resource: string, day: number, members: Json): Pushed =>
    summary(resource, day, { calendar_date: at(start(day)).slice(0, 10), ...members });
  return [
    ...each(days, (day) =>
      daily('sleep', day, {
        bedtime_start: at(start(day) - 2 * HOUR_MS),
        bedtime_stop: at(start(day) + 6 * HOUR_MS),
        type: 'long_sleep',
        duration: 28_800,
        total: 25_000 + day,
        awake: 3800 - day,
        light: 16_000 + day,
        rem: 4000,
        deep: 5000,
      }),
    ),
    ...each(days, (day) => daily('activity', day, { steps: 8000 + day, calories_total: 2000.5 })),
    ...each(Math.floor(days / 7), (week) =>
      daily('workouts', week * 7, {
        time_start: at(start(week * 7)),
        time_end: at(start(week * 7) + HOUR_MS),
        provider_id: 'p',
      }),
    ),
    ...each(Math.floor(days / 5), (index) =>
      daily('meal', index * 5, { timestamp: at(start(index * 5)), name: 'lunch', energy: null, macros: null, micros: null }),
    ),
    summary('profile', 0, { height: 180 }),
  ];
}

function samples(begin: number, days: number): Pushed[] {
  const group = (resource: string, provider: string, type: string, data: readonly Json[]): Pushed => ({
    provider,
    resource,
    data: { source: { provider, type }, data },
  });
  const every = (count: number, everyMs: number, make: (time: number, index: number) => Json): readonly Json[] =>
    each(count, (index) => make(begin + index * everyMs, index));
  return [
    group(
      ...(['heartrate', 'oura', 'ring'] as const),
      every(days * 24, HOUR_MS, (time, index) => ({
        timestamp: at(time),
        unit: 'bpm',
        value: 50 + (index % 60),
        timezone_offset: 3600,
      })),
    ),
    group(
      ...(['heartrate', 'fitbit', 'watch'] as const),
      every(days * 6, 4 * HOUR_MS, (time, index) => ({ timestamp: at(time), unit: 'bpm', value: 60 + (index % 40) })),
    ),
    group(
      ...(['steps', 'fitbit', 'watch'] as const),
      every(days * 4, 6 * HOUR_MS, (time, index) => ({
        start: at(time),
        end: at(time + HOUR_MS),
        unit: 'count',
        value: index % 900,
      })),
    ),
    group(
      ...(['weight', 'fitbit', 'scale'] as const),
      every(days, DAY_MS, (time, index) => ({ timestamp: at(time + 1), unit: 'kg', value: 80 - index / 100 })),
    ),
  ];
}
