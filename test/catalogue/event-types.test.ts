import { createRouter, defaultRoutes } from '@aorta/ingestion';
import { timeseriesResources } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { describedEvents } from './catalogue.ts';
import { currentEventTypes, rawEventTypes, retiredEventTypes, timeseries, webhookServiceEventTypes } from './event-types.ts';

/** The service's list of events, its OpenAPI file and our routes say the same. */

const sorted = (names: Iterable<string>): string[] => [...names].sort();
const known = [...currentEventTypes, ...retiredEventTypes, ...rawEventTypes, ...webhookServiceEventTypes];

test('the OpenAPI file describes the events of the list, and no others', () => {
  expect(new Set(currentEventTypes).size).toBe(194);
  expect(sorted(describedEvents.map(({ type }) => type))).toEqual(sorted(currentEventTypes));
});

test('every event type that the service has or had is routed to a stream', () => {
  const router = createRouter();
  expect(known.filter((type) => router(type) === 'unrouted')).toEqual([]);
  expect(router('daily.data.telepathy.created')).toBe('unrouted');
});

test('no route is for an event type that the service does not have', () => {
  // What is fetched from the service is made into events of this name by Aorta itself.
  const sent = defaultRoutes.filter(({ prefix }) => !prefix.startsWith('service.'));
  expect(sent.filter(({ prefix }) => !known.some((type) => type.startsWith(prefix)))).toEqual([]);
});

test('the timeseries resources are those of the list', () => {
  const resources = timeseriesResources.map(({ resource }) => resource);
  expect(resources.length).toBe(new Set(resources).size);
  expect(timeseries.filter((resource) => !resources.includes(resource))).toEqual([]);
  const retired = resources.filter((resource) => !timeseries.includes(resource));
  expect(retired.filter((resource) => !retiredEventTypes.includes(`daily.data.${resource}.created`))).toEqual([]);
});
