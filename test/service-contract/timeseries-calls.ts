import * as schemas from '@junction-api/sdk/serialization';
import { expect } from 'vitest';
import type { SdkCall } from './sdk-call.ts';
import { timeseriesNames } from './timeseries-names.ts';
import type { World } from './world.ts';
import { source, userWith } from './world-data.ts';

const unknownUser = crypto.randomUUID();
const workout = '7a1e2b3c-0000-5000-8000-000000000002';
const [start, end] = ['2026-01-01T08:00:00.000+00:00', '2026-01-01T08:15:00.000+00:00'];

/** Types of the resources whose samples have one. */
const types: Readonly<Record<string, string>> = {
  cholesterol: 'cholesterol/hdl',
  ige: 'baha_grass',
  igg: 'dairy',
  electrocardiogram_voltage: 'lead_1',
  heart_rate_alert: 'high_heart_rate',
  stand_hour: 'stood',
  insulin_injection: 'rapid_acting',
  sleep_breathing_disturbance: 'elevated',
};

/** Other members that the vendor requires. */
const members: Readonly<Record<string, object>> = {
  body_temperature: { sensor_location: 'wrist' },
  body_temperature_delta: { sensor_location: null },
  workout_duration: { intensity: 'low' },
};

const sleep = {
  id: workout,
  calendar_date: '2026-01-01',
  date: '2026-01-01T00:00:00+00:00',
  type: 'long_sleep',
  source,
  bedtime_start: start,
  bedtime_stop: end,
  duration: 900,
  total: 900,
  awake: 0,
  light: 900,
  rem: 0,
  deep: 0,
};
const sleepCycle = {
  id: workout,
  sleep_id: workout,
  session_start: start,
  session_end: end,
  time_zone: 'Europe/Berlin',
  source,
  stage_start_offset_second: [0],
  stage_end_offset_second: [900],
  stage_type: [2],
  source_provider: source.provider,
  source_type: source.type,
};

/** The resources without groups, by their names in paths, with the SDK's schemas of their samples. */
const plainSchemas: Readonly<Record<string, string>> = {
  blood_oxygen: 'BloodOxygen',
  blood_pressure: 'BloodPressure',
  body_fat: 'BodyFat',
  body_weight: 'BodyWeight',
  caffeine: 'Caffeine',
  calories_active: 'CaloriesActive',
  calories_basal: 'CaloriesBasal',
  cholesterol: 'Cholesterol',
  distance: 'Distance',
  electrocardiogram_voltage: 'ElectrocardiogramVoltage',
  floors_climbed: 'FloorsClimbed',
  glucose: 'Glucose',
  heartrate: 'HeartRate',
  hrv: 'Hrv',
  ige: 'Ige',
  igg: 'Igg',
  mindfulness_minutes: 'MindfulnessMinutes',
  respiratory_rate: 'RespiratoryRate',
  steps: 'Steps',
  stress_level: 'StressLevel',
  vo2_max: 'Vo2Max',
  water: 'Water',
};

type Plain = (request: object) => Promise<object[]>;
type Grouped = (request: object) => Promise<{ groups: Record<string, { data: object[] }[]>; nextCursor?: string | null }>;

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the SDK's schema of the grouped answer. Its names differ from those of the paths in the case of letters only. */
function answerOf(apiName: string): SdkCall['answer'] {
  const wanted = `grouped${apiName.replaceAll('_', '')}response`;
  const [, schema] = Object.entries(schemas).find(([name]) => name.toLowerCase() === wanted) ?? [];
  if (schema === undefined) throw new Error(`the SDK has no schema of grouped ${apiName}`);
  return schema as unknown as SdkCall['answer'];
}

/** Returns the SDK's schema of the samples of a resource, for each of them. */
function plainAnswerOf(schemaName: string): SdkCall['answer'] {
  const name = `ClientFacing${schemaName}Timeseries`;
  const schema = (schemas as unknown as Record<string, SdkCall['answer'] | undefined>)[name];
  if (schema === undefined) throw new Error(`the SDK has no schema ${name}`);
  return { parseOrThrow: (raw, options) => (raw as unknown[]).map((sample) => schema.parseOrThrow(sample, options)) };
}

/** How a program gets the samples of a resource without groups. `path` may have a type of samples after the resource. */
function plainCall(path: string, resource: (typeof timeseriesNames)[number], type = types[resource.name]): SdkCall {
  return {
    answer: plainAnswerOf(plainSchemas[resource.apiName]!),
    async call(world) {
      const given = { ...sampleOf(resource), type: type ?? null };
      const userId = await userWith(world, resource.name, { source, data: [given] });
      const get = getter<Plain>(world, camel(path.replace('/', '_')));
      expect(await get({ userId, startDate: '2026-01-01', endDate: '2026-01-01' })).toMatchObject([
        { unit: resource.unit, type: given.type },
      ]);
      expect(await get({ userId, startDate: '2026-01-02' })).toEqual([]);
      await expect(get({ userId: unknownUser, startDate: '2026-01-01' })).rejects.toMatchObject({ statusCode: 404 });
    },
  };
}

const cholesterol = timeseriesNames.find(({ name }) => name === 'cholesterol')!;

function sampleOf({ name, unit, shape }: (typeof timeseriesNames)[number]): Record<string, unknown> {
  const common = { timezone_offset: 3_600, type: types[name] ?? null, unit, ...members[name] };
  if (shape === 'blood_pressure') return { ...common, timestamp: start, systolic: 120, diastolic: 80 };
  if (shape === 'discrete') return { ...common, timestamp: start, value: 1 };
  return { ...common, start, end, value: shape === 'note' ? 'a note' : 1 };
}

/** How a program gets samples and workout streams with the SDK, by operation. */
export const timeseriesCalls: Readonly<Record<string, SdkCall>> = {
  ...Object.fromEntries(
    timeseriesNames.map((resource): [string, SdkCall] => [
      `get_${resource.apiName}_grouped`,
      {
        answer: answerOf(resource.apiName),
        async call(world) {
          const userId = await userWith(world, resource.name, { source, data: [sampleOf(resource)] });
          const get = getter<Grouped>(world, `${camel(resource.apiName)}Grouped`);
          const { groups, nextCursor } = await get({ userId, startDate: '2026-01-01', endDate: '2026-01-01' });
          expect(groups[source.provider]).toMatchObject([
            { source: { provider: source.provider }, data: [{ unit: resource.unit }] },
          ]);
          expect(nextCursor).toBeNull();
          await expect(get({ userId: unknownUser, startDate: '2026-01-01' })).rejects.toMatchObject({ statusCode: 404 });
        },
      },
    ]),
  ),
  ...Object.fromEntries(
    timeseriesNames
      .filter(({ apiName }) => plainSchemas[apiName] !== undefined)
      .map((resource) => [`get_${resource.apiName}`, plainCall(resource.apiName, resource)]),
  ),
  ...Object.fromEntries(
    ['hdl', 'ldl', 'total', 'triglycerides'].map((type) => [
      `get_cholesterol_${type}`,
      plainCall(`cholesterol/${type}`, cholesterol, `cholesterol/${type}`),
    ]),
  ),
  get_hypnogram: {
    answer: plainAnswerOf('Hypnogram'),
    async call(world) {
      const userId = await userWith(world, 'sleep_cycle', sleepCycle);
      expect(await world.sdk.vitals.hypnogram({ userId, startDate: '2026-01-01' })).toMatchObject([{ value: 2 }]);
      const asked = { userId: unknownUser, startDate: '2026-01-01' };
      await expect(world.sdk.vitals.hypnogram(asked)).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  get_hypnogram_grouped: {
    answer: answerOf('hypnogram'),
    async call(world) {
      const userId = await userWith(world, 'sleep_cycle', sleepCycle);
      const { groups } = await world.sdk.vitals.hypnogramGrouped({ userId, startDate: '2026-01-01' });
      expect(groups[source.provider]).toMatchObject([{ source: { provider: source.provider }, data: [{ value: 2 }] }]);
      const asked = { userId: unknownUser, startDate: '2026-01-01' };
      await expect(world.sdk.vitals.hypnogramGrouped(asked)).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  get_sleep_stream: {
    answer: schemas.ClientFacingSleepStream,
    async call(world) {
      const beat = { timestamp: start, timezone_offset: 0, type: null, unit: 'bpm', value: 55 };
      const userId = await userWith(world, 'sleep', sleep);
      const user = world.service.users.any(userId)!;
      world.service.ingestion.take(user, source.provider, [
        { resource: 'heartrate', data: { source, data: [beat] } },
        { resource: 'sleep_cycle', data: sleepCycle },
      ]);
      const stream = await world.sdk.sleep.getStreamBySleepId({ sleepId: workout });
      expect(stream).toMatchObject({ heartrate: [{ value: 55 }], hypnogram: [{ value: 2 }], hrv: [], respiratoryRate: [] });
      await expect(world.sdk.sleep.getStreamBySleepId({ sleepId: unknownUser })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  get_workout_stream: {
    answer: schemas.ClientFacingStream,
    async call(world) {
      const shallow = { workout_id: workout, provider_id: 'p-1', sport: { id: 1, name: 'Running', slug: 'running' }, source };
      const stream = { time: [1_767_254_400, 1_767_254_405], heartrate: [100, 101], distance: [0, 15.5] };
      await userWith(world, 'workout_stream', shallow, stream);
      expect(await world.sdk.workouts.getByWorkoutId({ workoutId: workout })).toMatchObject(stream);
      await expect(world.sdk.workouts.getByWorkoutId({ workoutId: unknownUser })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
};

function getter<Get>({ sdk }: World, method: string): Get {
  const { vitals } = sdk;
  const get = (vitals as unknown as Record<string, { bind(self: unknown): Get } | undefined>)[method];
  if (get === undefined) throw new Error(`the SDK has no method vitals.${method}`);
  return get.bind(vitals);
}
