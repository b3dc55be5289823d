import { expect, test } from 'vitest';
import { z } from 'zod';
import { operation } from '../../api/operation.ts';
import { openApiDocument } from '../../openapi/openapi-document.ts';
import { deviceSchema } from '../device-operations.ts';
import { timeseriesResources, workoutStreamSchema } from './sample-forms.ts';
import { summaryForms } from './summary-forms.ts';

const everything = z.object({
  ...summaryForms,
  ...Object.fromEntries(timeseriesResources.map(({ name, batchForm }) => [`samples_${name}`, batchForm])),
  stream: workoutStreamSchema,
  device: deviceSchema,
});
const { components } = openApiDocument(
  [
    operation({
      id: 'get_everything',
      method: 'GET',
      path: '/',
      tag: 'data',
      summary: 'Returns everything.',
      answers: { 200: { description: 'Everything.', schema: everything } },
      handle: () => ({ status: 200 }),
    }),
  ],
  '1.0.0',
) as { components: { schemas: Record<string, { properties: Record<string, object>; additionalProperties?: boolean }> } };

test('every form is a component of its own in the OpenAPI document, without unknown members', () => {
  const names = ['Activity', 'Sleep', 'SleepCycle', 'Workout', 'Body', 'Meal', 'MenstrualCycle', 'Electrocardiogram', 'Profile'];
  const samples = ['HeartrateSample', 'GroupedHeartrate', 'BodyFatSample', 'GroupedForcedExpiratoryVolume1'];
  for (const name of [...names, ...samples, 'Source', 'WorkoutStream', 'Device', 'SleepStream'])
    expect(components.schemas[name]?.additionalProperties, name).toBe(false);
  // One component for the samples of a resource, and one for its batches.
  const ofSamples = Object.keys(components.schemas).filter((name) => /^Grouped|Sample$/.test(name));
  expect(ofSamples).toHaveLength(2 * 50 + ['HypnogramSample'].length);
});

test('components name units and known values, and mark deprecated members', () => {
  const { Activity, Sleep, HeartrateSample } = components.schemas;
  expect(Activity!.properties.distance).toMatchObject({ description: 'Meters.' });
  expect(Activity!.properties.daily_movement).toMatchObject({ deprecated: true });
  expect(Activity!.properties.source).toEqual({ $ref: '#/components/schemas/Source' });
  expect(Sleep!.properties.type).toEqual({
    type: 'string',
    description: 'Known values: long_sleep, short_sleep, acknowledged_nap, unknown. There may be others.',
  });
  expect(HeartrateSample!.properties.value).toEqual({ type: 'number', description: 'bpm' });
});
