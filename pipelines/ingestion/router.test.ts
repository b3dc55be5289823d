import { streamNames, streamSchemas } from '@aorta/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRouter, type Destination, defaultRoutes, destinations } from './router.ts';

test('by default, an event type is routed by the prefixes and endings that the streams declare', () => {
  const route = createRouter();
  for (const stream of streamNames) {
    const { prefixes, endings } = streamSchemas[stream].aorta;
    for (const prefix of prefixes)
      for (const ending of endings) expect(route(`${prefix}${ending.replace('{resource}', 'x')}`)).toBe(stream);
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

test('an event type with an ending that the stream does not declare is unrouted', () => {
  const route = createRouter();
  for (const ending of ['deleted', 'Created', 'created.v2', 'x.created', '.created', 'created.', '', 'created\n'])
    for (const prefix of ['daily.data.workouts.', 'daily.data.heartrate.', 'provider.connection.', 'historical.data.sleep.'])
      expect(route(prefix + ending), prefix + ending).toBe('unrouted');
  for (const type of ['historical.data.created', 'historical.data..created', 'labtest.order.x.y.created', 'daily.data.sleep'])
    expect(route(type), type).toBe('unrouted');
  for (const type of ['raw.oura', 'raw.oura.sleep', 'raw.oura.sleep.deleted', 'raw.'])
    expect(route(type), type).toBe('raw_events');
});

test('a configured route that names a whole event type applies to any ending, but only to this type', () => {
  const route = createRouter([
    { prefix: 'daily.data.workouts.deleted', stream: 'workouts' },
    { prefix: 'daily.data.steps.created', stream: 'unrouted' },
    { prefix: 'daily.data.heartrate.', stream: 'timeseries' },
  ]);
  expect(route('daily.data.workouts.deleted')).toBe('workouts');
  expect(route('daily.data.workouts.deleted.v2')).toBe('unrouted');
  expect(route('daily.data.workouts.created')).toBe('workouts');
  expect(route('daily.data.steps.created')).toBe('unrouted');
  expect(route('daily.data.steps.updated')).toBe('timeseries');
  expect(route('daily.data.heartrate.created')).toBe('timeseries');
  expect(route('daily.data.heartrate.')).toBe('unrouted');
});

test('a configured route with a shorter prefix applies to the endings of its stream, after any segments', () => {
  const route = createRouter([
    { prefix: 'acme.', stream: 'sleep' },
    { prefix: 'acme.completed.', stream: 'historical_completions' },
    { prefix: 'acme.as_sent.', stream: 'raw_events' },
    { prefix: 'acme.heart', stream: 'timeseries' },
    { prefix: 'daily.', stream: 'raw_events' },
  ]);
  expect(route('acme.created')).toBe('sleep');
  expect(route('acme.data.night.updated')).toBe('sleep');
  expect(route('acme.data.night.deleted')).toBe('unrouted');
  expect(route('acme.recreated')).toBe('unrouted');
  expect(route('acme.completed.data.sleep.created')).toBe('historical_completions');
  expect(route('acme.completed.data.sleep.failed')).toBe('unrouted');
  expect(route('acme.as_sent.anything.deleted')).toBe('raw_events');
  expect(route('acme.heartrate.created')).toBe('timeseries');
  // Only the longest prefix decides.
  expect(route('daily.data.sleep.deleted')).toBe('unrouted');
  expect(route('daily.data.moods.deleted')).toBe('raw_events');
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
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '.created', '.error'), maxLength: 6 });
  const stream = fc.constantFrom('raw_events', 'unrouted', 'activity', 'connections');
  const routes = fc.array(fc.record({ prefix: name.filter((prefix) => prefix !== ''), stream }));
  const readsAs = (to: Destination, prefix: string, type: string): boolean => {
    if (to === 'raw_events' || to === 'unrouted') return true;
    if (prefix === type && !type.endsWith('.')) return true;
    return type.endsWith('.created') || (to === 'connections' && type.endsWith('.error'));
  };
  fc.assert(
    fc.property(routes, fc.array(name), (configured, types) => {
      const route = createRouter(configured);
      for (const type of [...types, ...types]) {
        const matching = configured.filter(({ prefix }) => type.startsWith(prefix));
        const longest = Math.max(...matching.map(({ prefix }) => prefix.length));
        const chosen = matching.findLast(({ prefix }) => prefix.length === longest);
        const applies = chosen !== undefined && readsAs(chosen.stream, chosen.prefix, type);
        expect(route(type)).toBe(applies ? chosen.stream : 'unrouted');
      }
    }),
  );
});
