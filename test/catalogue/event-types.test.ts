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

test('every known event type is routed to a stream', () => {
  const router = createRouter();
  expect(known.filter((type) => router(type) === 'unrouted')).toEqual([]);
  expect(router('daily.data.telepathy.created')).toBe('unrouted');
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
