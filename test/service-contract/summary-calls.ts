import * as schemas from '@junction-api/sdk/serialization';
import { expect } from 'vitest';
import type { SdkCall } from './sdk-call.ts';
import type { World } from './world.ts';
import { source, userWith } from './world-data.ts';

const unknownUser = crypto.randomUUID();
const id = '6f1e2b3c-0000-5000-8000-000000000001';
const [from, to] = ['2026-01-01T22:00:00.000+00:00', '2026-01-02T06:00:00.000+00:00'];
const dated = { id, calendar_date: '2026-01-02', source };
const session = { session_start: from, session_end: to, source_provider: source.provider, source_type: source.type };
const stages = { duration: 28_800, total: 27_000, awake: 1_800, light: 14_000, rem: 7_000, deep: 6_000 };

interface Range {
  readonly userId: string;
  readonly startDate: string;
  readonly endDate?: string;
}

interface SummaryCall {
  readonly data: Record<string, unknown>;
  readonly answer: SdkCall['answer'];
  readonly list: string;
  get(world: World, range: Range): Promise<object>;
}

/** One summary of each resource, and how the SDK gets it. */
const summaries: Readonly<Record<string, SummaryCall>> = {
  activity: {
    data: { ...dated, date: '2026-01-02T00:00:00+00:00', steps: 8_000, calories_total: 2_100.5 },
    answer: schemas.ClientActivityResponse,
    list: 'activity',
    get: ({ sdk }, range) => sdk.activity.get(range),
  },
  sleep: {
    data: {
      ...dated,
      date: '2026-01-02T00:00:00+00:00',
      type: 'long_sleep',
      bedtime_start: from,
      bedtime_stop: to,
      ...stages,
    },
    answer: schemas.ClientSleepResponse,
    list: 'sleep',
    get: ({ sdk }, range) => sdk.sleep.get(range),
  },
  sleep_cycle: {
    data: {
      id,
      sleep_id: id,
      source,
      ...session,
      time_zone: 'UTC',
      stage_start_offset_second: [0, 600],
      stage_end_offset_second: [600, 1_200],
      stage_type: [1, 2],
    },
    answer: schemas.ClientSleepCycleResponse,
    list: 'sleepCycle',
    get: ({ sdk }, range) => sdk.sleepCycle.get({ ...range, startDate: '2026-01-01' }),
  },
  workouts: {
    data: {
      ...dated,
      time_start: from,
      time_end: to,
      provider_id: 'p-1',
      calories: 300,
      sport: { id: 1, name: 'Running', slug: 'running' },
    },
    answer: schemas.ClientWorkoutResponse,
    list: 'workouts',
    get: ({ sdk }, range) => sdk.workouts.get(range),
  },
  body: {
    data: { ...dated, date: '2026-01-02T00:00:00+00:00', weight: 71.5, fat: 20.1 },
    answer: schemas.ClientBodyResponse,
    list: 'body',
    get: ({ sdk }, range) => sdk.body.get(range),
  },
  meal: {
    data: {
      ...dated,
      timestamp: to,
      name: 'breakfast',
      energy: { unit: 'kcal', value: 400 },
      macros: null,
      micros: null,
      priority_id: 1,
      source_id: 1,
      provider_id: 'p-1',
      data: {},
    },
    answer: schemas.ClientFacingMealResponse,
    list: 'meals',
    get: ({ sdk }, range) => sdk.meal.get(range),
  },
  menstrual_cycle: {
    data: {
      id,
      source,
      period_start: '2026-01-02',
      period_end: '2026-01-05',
      is_predicted: false,
      source_provider: source.provider,
      source_type: source.type,
    },
    answer: schemas.MenstrualCycleResponse,
    list: 'menstrualCycle',
    get: ({ sdk }, range) => sdk.menstrualCycle.get(range),
  },
  electrocardiogram: {
    data: { id, source, ...session, time_zone: 'UTC', voltage_sample_count: 512, classification: 'sinus_rhythm' },
    answer: schemas.ClientFacingElectrocardiogramResponse,
    list: 'electrocardiogram',
    get: ({ sdk }, range) => sdk.electrocardiogram.get({ ...range, startDate: '2026-01-01' }),
  },
};

/** How a program gets summaries with the SDK, by operation. */
export const summaryCalls: Readonly<Record<string, SdkCall>> = {
  ...Object.fromEntries(
    Object.entries(summaries).map(([resource, { data, answer, list, get }]): [string, SdkCall] => [
      `get_${resource}_summaries`,
      {
        answer,
        async call(world) {
          const userId = await userWith(world, resource, data);
          const found = (await get(world, { userId, startDate: '2026-01-02', endDate: '2026-01-02' })) as Record<string, unknown>;
          expect(found[list]).toMatchObject([{ id, userId }]);
          await expect(get(world, { userId: unknownUser, startDate: '2026-01-02' })).rejects.toMatchObject({ statusCode: 404 });
        },
      },
    ]),
  ),
  get_profile: {
    answer: schemas.ClientFacingProfile,
    async call(world) {
      const userId = await userWith(world, 'profile', { id, height: 178, birth_date: '1980-02-03', source });
      expect(await world.sdk.profile.get({ userId })).toMatchObject({ id, userId, height: 178, birthDate: '1980-02-03' });
      await expect(world.sdk.profile.get({ userId: unknownUser })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
};
