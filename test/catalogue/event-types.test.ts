import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRouter, defaultRoutes } from '@aorta/ingestion';
import { timeseriesResources } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { describedEvents } from './catalogue.ts';
import { currentEventTypes, rawEventTypes, retiredEventTypes, timeseries, webhookServiceEventTypes } from './event-types.ts';

/** Compares the service's list of events, its OpenAPI file and our routes with each other. */

const sorted = (names: Iterable<string>): string[] => [...names].sort();
const known = [...currentEventTypes, ...retiredEventTypes, ...rawEventTypes, ...webhookServiceEventTypes];

test('the OpenAPI file describes exactly the listed events', () => {
  expect(new Set(currentEventTypes).size).toBe(194);
  expect(sorted(describedEvents.map(({ type }) => type))).toEqual(sorted(currentEventTypes));
});

/** The event types of each stream, recorded before streams declared their endings, and reviewed by hand. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'expected-routes.json'), 'utf8')) as Record<string, string[]>;

test('every known event type, and every type that Aorta creates, has its recorded route', () => {
  const router = createRouter();
  for (const [stream, types] of Object.entries(recorded))
    expect({ stream, types: types.filter((type) => router(type) === stream) }).toEqual({ stream, types });
  const all = Object.values(recorded).flat();
  expect(new Set(all).size).toBe(all.length);
  expect(known.filter((type) => !all.includes(type) || recorded.unrouted!.includes(type))).toEqual([]);
});

test('every route matches an event type of the service', () => {
  // Aorta itself creates the events whose type begins with `service.`, from answers of the service's API.
  const sent = defaultRoutes.filter(({ prefix }) => !prefix.startsWith('service.'));
  expect(sent.filter(({ prefix }) => !known.some((type) => type.startsWith(prefix)))).toEqual([]);
});

test('every listed timeseries resource is declared, and all other declared resources are retired', () => {
  const resources = timeseriesResources.map(({ resource }) => resource);
  expect(resources.length).toBe(new Set(resources).size);
  expect(timeseries.filter((resource) => !resources.includes(resource))).toEqual([]);
  const retired = resources.filter((resource) => !timeseries.includes(resource));
  expect(retired.filter((resource) => !retiredEventTypes.includes(`daily.data.${resource}.created`))).toEqual([]);
});
