import { afterEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const START = Date.UTC(2026, 5, 20, 12);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Workout {
  readonly id: string;
  readonly calendar_date: string;
  readonly hr_zones: readonly number[];
}

/** Returns the workouts of a provider with the heart rates of their streams, a point every 5 s. Users differ only in the birth date. */
async function workoutsOf(provider: string, fallbackBirthDate: string | null) {
  const service = new Service({ start: START, runs: false, seed: 1 });
  const app = createApi(service.operations, service.authentication);
  closing.push(async () => {
    await app.close();
    await service.close();
  });
  const { team_id, api_key } = service.teams.create('first');
  const user = service.users.create(team_id, 'c-1', { fallback_birth_date: fallbackBirthDate }) as User;
  const get = async (path: string) =>
    (await app.inject({ method: 'GET', url: path, headers: { 'x-service-api-key': api_key } })).json();
  service.connections.connect(user, { provider, isDemo: false });
  await service.jobs.advanceTo(START + 20 * 86_400_000);
  const { workouts } = (await get(`/v2/summary/workouts/${user.user_id}?start_date=2026-01-01`)) as { workouts: Workout[] };
  return Promise.all(
    workouts.map(async ({ id, calendar_date, hr_zones }) => {
      const { heartrate } = (await get(`/v2/timeseries/workouts/${id}/stream`)) as { heartrate: number[] };
      return { calendar_date, hr_zones, heartrate };
    }),
  );
}

/** Counts the seconds in each zone of a highest rate: below 50 %, four zones of 10 %, and from 90 % on. */
function counted(rates: readonly number[], highest: number): number[] {
  const bounds = [0, 0.5, 0.6, 0.7, 0.8, 0.9, Number.POSITIVE_INFINITY];
  return bounds
    .slice(0, -1)
    .map((low, zone) => 5 * rates.filter((rate) => rate / highest >= low && rate / highest < bounds[zone + 1]!).length);
}

test('if the provider gives no age, the fallback birth date decides the zones of heart rate', async () => {
  // The person becomes 70 on 1 July, so the highest rate is 211 - 0.64 × 69 = 167 (rounded) before, and 166 from that day on.
  const workouts = await workoutsOf('strava', '1956-07-01');
  for (const { calendar_date, hr_zones, heartrate } of workouts)
    expect(hr_zones).toEqual(counted(heartrate, calendar_date < '2026-07-01' ? 167 : 166));
  expect(workouts.some(({ calendar_date }) => calendar_date < '2026-07-01')).toBe(true);
  expect(workouts.some(({ calendar_date }) => calendar_date > '2026-07-01')).toBe(true);
  const younger = await workoutsOf('strava', '2000-01-01');
  expect(younger.map(({ heartrate }) => heartrate)).toEqual(workouts.map(({ heartrate }) => heartrate));
  expect(younger.map(({ hr_zones }) => hr_zones)).not.toEqual(workouts.map(({ hr_zones }) => hr_zones));
});

test('if the provider gives the age, the fallback birth date changes nothing', async () => {
  const workouts = await workoutsOf('fitbit', '1956-07-01');
  expect(workouts.length).toBeGreaterThan(3);
  expect(await workoutsOf('fitbit', null)).toEqual(workouts);
});
