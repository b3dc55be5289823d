import { streamNames, streamSchemas } from '@aorta/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRouter, defaultRoutes, destinations } from './router.ts';

test('by default, an event type is routed by the prefixes that the streams declare', () => {
  const route = createRouter();
  for (const stream of streamNames) {
    for (const prefix of streamSchemas[stream].aorta.prefixes) expect(route(`${prefix}x`)).toBe(stream);
  }
  expect(defaultRoutes.length).toBeGreaterThan(5);
  expect(route('labtest.courier.created')).toBe('unrouted');
  expect(route('')).toBe('unrouted');
});

test('a resource has its own route even if its name starts with the name of another resource', () => {
  const route = createRouter();
  expect(route('daily.data.sleep.created')).toBe('sleep');
  expect(route('daily.data.sleep_apnea_alert.created')).toBe('timeseries');
  expect(route('daily.data.body_temperature_delta.updated')).toBe('timeseries');
  expect(route('daily.data.sleepiness.created')).toBe('unrouted');
});

test('a route may name `unrouted`, but no other stream that keeps whole deliveries', () => {
  expect(destinations).toContain('timeseries');
  expect(destinations.filter((name) => ['dead_letters', 'redelivered', 'unrouted'].includes(name))).toEqual(['unrouted']);
});

test('configured routes can replace, disable or extend the default routes', () => {
  const route = createRouter([
    { prefix: 'daily.data.sleep.', stream: 'unrouted' },
    { prefix: 'daily.data.sleep.updated', stream: 'sleep' },
    { prefix: 'daily.', stream: 'timeseries' },
  ]);
  expect(route('daily.data.sleep.created')).toBe('unrouted');
  expect(route('daily.data.sleep.updated')).toBe('sleep');
  expect(route('daily.data.nobody_knows.created')).toBe('timeseries');
  expect(route('daily.data.activity.created')).toBe('activity');
});

test('the first lookup and repeated lookups use the longest matching prefix', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 6 });
  const routes = fc.array(
    fc.record({ prefix: name.filter((prefix) => prefix !== ''), stream: fc.constantFrom(...destinations) }),
  );
  fc.assert(
    fc.property(routes, fc.array(name), (configured, types) => {
      const route = createRouter(configured);
      for (const type of [...types, ...types]) {
        const matching = configured.filter(({ prefix }) => type.startsWith(prefix));
        const longest = Math.max(...matching.map(({ prefix }) => prefix.length));
        expect(route(type)).toBe(matching.findLast(({ prefix }) => prefix.length === longest)?.stream ?? 'unrouted');
      }
    }),
  );
});
