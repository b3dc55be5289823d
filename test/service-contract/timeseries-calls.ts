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

type Grouped = (request: object) => Promise<{ groups: Record<string, { data: object[] }[]>; nextCursor?: string | null }>;

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the SDK's schema of the grouped answer. Its names differ from those of the paths in the case of letters only. */
function answerOf(apiName: string): SdkCall['answer'] {
  const wanted = `grouped${apiName.replaceAll('_', '')}response`;
  const [, schema] = Object.entries(schemas).find(([name]) => name.toLowerCase() === wanted) ?? [];
  if (schema === undefined) throw new Error(`the SDK has no schema of grouped ${apiName}`);
  return schema as unknown as SdkCall['answer'];
}

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
          const get = getter(world, `${camel(resource.apiName)}Grouped`);
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

function getter({ sdk }: World, method: string): Grouped {
  const { vitals } = sdk;
  const get = (vitals as unknown as Record<string, Grouped | undefined>)[method];
  if (get === undefined) throw new Error(`the SDK has no method vitals.${method}`);
  return get.bind(vitals);
}
