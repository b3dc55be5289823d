import { deliveries, type HealthEvent } from '@aorta/people';
import { timeseriesResources as declaredResources } from '@aorta/schemas';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { deviceSchema } from '../../infra/service/data/device-operations.ts';
import { shallowStreamSchema, timeseriesOf, timeseriesResources } from '../../infra/service/data/forms/sample-forms.ts';
import { summaryForms, summaryResources } from '../../infra/service/data/forms/summary-forms.ts';
import { eventTypes } from '../../infra/service/events/outbox.ts';
import { describedEvents } from './catalogue.ts';
import { keyedByType, timeseries } from './event-types.ts';
import { branchesOf, fullEvent, type GeneratedEvent, minimalEvent, nullsEvent } from './generate.ts';
import { changes, type Edit } from './member-edits.ts';

/** Compares the forms of the reference implementation with the events that the service's OpenAPI file describes. */

const forms = new Map<string, z.ZodObject>([
  ...summaryResources.map((resource): [string, z.ZodObject] => [`daily.data.${resource}.created`, summaryForms[resource]]),
  ...timeseriesResources.map(({ name, batchForm }): [string, z.ZodObject] => [`daily.data.${name}.created`, batchForm]),
  ['daily.data.workout_stream.created', shallowStreamSchema],
  ['provider.device.created', deviceSchema],
]);
const described = describedEvents.filter(({ type }) => forms.has(type));
const accepts = (type: string, data: unknown): boolean => forms.get(type)!.safeParse(data).success;
const full = described.map((facts, number) => fullEvent(facts, number));

/** Returns the edited members whose event the form still accepts, as `event type: path`. */
function accepted(events: readonly GeneratedEvent[], edit: Edit): string[] {
  return events.flatMap(({ facts: { type }, body }) =>
    changes(body.data, edit)
      .filter(({ value }) => accepts(type, value))
      .map(({ path }) => `${type}: ${path.join('.')}`),
  );
}

test('a webhook can name exactly the event types of the OpenAPI file, and the operational one', () => {
  expect([...eventTypes].sort()).toEqual([...describedEvents.map(({ type }) => type), 'message.attempt.exhausted'].sort());
});

test('there is a form for every summary, timeseries resource, workout stream and device', () => {
  expect(described).toHaveLength(9 + 50 + 2);
});

test('the forms have exactly the members of the OpenAPI file', () => {
  for (const { facts, body } of full)
    expect(Object.keys(forms.get(facts.type)!.shape).sort(), facts.type).toEqual(Object.keys(body.data as object).sort());
});

test('the forms accept every event that the OpenAPI file allows', () => {
  const events = described.flatMap((facts, number) => [
    ...Array.from({ length: branchesOf(facts) }, (_, branch) => fullEvent(facts, number, `branch ${branch}`, branch)),
    minimalEvent(facts, number),
    nullsEvent(facts, number),
  ]);
  expect(events.length).toBeGreaterThan(3 * described.length);
  const refused = events.filter(({ facts, body }) => !accepts(facts.type, body.data));
  expect(refused.map(({ facts, variant }) => `${facts.type} ${variant}`)).toEqual([]);
});

test('the forms refuse unknown members of every object', () => {
  expect(accepted(full, (value) => (isObject(value) ? [{ ...value, unknown_member: 'x' }] : []))).toEqual([]);
});

test('the forms refuse another type of every member', () => {
  expect(accepted(full, (value) => (isLeaf(value) ? [{}] : ['x', 5]))).toEqual([]);
});

test('the forms refuse fractions of whole numbers, and ids and times of another form', () => {
  const another: Edit = (value) => {
    if (Number.isInteger(value)) return [Number(value) + 0.5];
    return /^2a7e51c4-|^\d{4}-\d\d-\d\d/.test(String(value)) ? ['x', '2026-13-01', '2026-01-01T00:00:00'] : [];
  };
  expect(changes(full[0]!.body.data, another).length).toBeGreaterThan(10);
  expect(accepted(full, another)).toEqual([]);
});

test('the forms refuse null where the OpenAPI file does not allow it', () => {
  const nulls = described.map((facts, number) => nullsEvent(facts, number));
  expect(accepted(nulls, (value) => (value === null ? [] : [null]))).toEqual([]);
});

test('only members that the service itself can add may be missing', () => {
  const minimal = described.map((facts, number) => minimalEvent(facts, number));
  const sources = described.filter(({ type }) => type.startsWith('daily.')).map(({ type }) => `${type}: source.provider`);
  const versions = summaryResources.flatMap((resource) => members(resource, 'created_at', 'updated_at'));
  const dates = ['activity', 'sleep', 'body'].flatMap((resource) => members(resource, 'date'));
  const meals = members('meal', 'priority_id', 'source_id', 'provider_id');
  const starts = declaredResources
    .filter(({ form, retired }) => form === 'interval' && !retired)
    .flatMap(({ resource }) => members(resource, 'data.0.timestamp'));
  const missing = accepted(minimal, () => [undefined]);
  expect(missing.sort()).toEqual([...sources, ...versions, ...dates, ...meals, ...starts].sort());
});

test('the forms accept new values of enumerations, but no other unit where the OpenAPI file has one only', () => {
  const isKnown = (value: unknown) => typeof value === 'string' && !/Zq7x|^2a7e51c4-|^\d{4}-\d\d-\d\d/.test(value);
  const known = full.flatMap(({ facts: { type }, body }) =>
    changes(body.data, (value) => (isKnown(value) ? ['a new value'] : [])).map(({ path }) => `${type}: ${path.join('.')}`),
  );
  const open = accepted(full, (value) => (isKnown(value) ? ['a new value'] : []));
  expect(open).toContain('daily.data.sleep.created: state');
  expect(open.filter((path) => path.endsWith('.unit'))).toEqual([]);
  expect(known.filter((path) => !open.includes(path)).every((path) => path.endsWith('.unit'))).toBe(true);
  expect(known).toContain('daily.data.steps.created: data.0.unit');
});

test('the timeseries resources, their units, shapes and keys are those that the loader knows', () => {
  expect(timeseriesResources.map(({ name }) => name)).toEqual(timeseries);
  expect(timeseriesResources.filter(({ hasTypes }) => hasTypes).map(({ name }) => name)).toEqual(keyedByType);
  for (const { resource, unit, form, stream, retired } of declaredResources) {
    if (retired) continue;
    const shape = { blood_pressure: 'blood_pressure', notes: 'note', timeseries: form }[stream];
    expect(timeseriesOf(resource), resource).toMatchObject({ unit, shape });
  }
});

test('only body fat and weight have other names in paths', () => {
  const renamed = timeseriesResources.filter(({ name, apiName }) => name !== apiName);
  expect(renamed.map(({ name, apiName }) => [name, apiName])).toEqual([
    ['fat', 'body_fat'],
    ['weight', 'body_weight'],
  ]);
});

test('the forms accept the data of synthetic people, of all three generations', () => {
  const refused = new Set<string>();
  const seen = new Set<string>();
  for (const { body } of deliveries({ seed: 1, people: 20, days: 2 })) {
    const { event_type, data } = body as HealthEvent;
    const resource = /^daily\.data\.(\w+)\./.exec(event_type)?.[1];
    if (resource === undefined) continue;
    const { source } = data as { source: object };
    seen.add(`${resource} with ${Object.keys(source).length}`);
    // The oldest batches also have members that the service adds.
    const { user_id: _, source_id: __, provider: ___, ...batch } = data as Record<string, unknown>;
    const { error } = forms.get(`daily.data.${resource}.created`)!.safeParse('data' in data ? batch : data);
    for (const { path, message } of error?.issues ?? []) refused.add(`${resource}: ${path.join('.')}: ${message}`);
  }
  expect([...refused]).toEqual([]);
  for (const members of [3, 4, 9]) expect(seen).toContain(`activity with ${members}`);
});

function members(resource: string, ...names: readonly string[]): string[] {
  return names.map((name) => `daily.data.${resource}.created: ${name}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
