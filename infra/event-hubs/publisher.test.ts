import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HubMatcher, hubRouter } from './publisher.ts';

const part = fc.constantFrom('daily', 'data', 'raw', 'garmin', 'labtest', 'sleep', 'created', 'provider');
const eventType = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
const prefix = fc.tuple(eventType, fc.nat(20)).map(([text, length]) => text.slice(0, length));
const matcher = fc.record({ event_type_prefix: prefix, event_hub: fc.constantFrom('a', 'b', 'c') });

const escaped = (text: string) => text.replaceAll('.', '\\.');

test('an event goes to the hub of the first matching prefix, or to the default hub if no prefix matches', () => {
  fc.assert(
    fc.property(fc.array(matcher), eventType, (event_hub_matchers, type) => {
      let expected = 'default';
      for (const { event_type_prefix, event_hub } of event_hub_matchers.toReversed())
        if (type.slice(0, event_type_prefix.length) === event_type_prefix) expected = event_hub;
      expect(hubRouter({ default_event_hub: 'default', event_hub_matchers })(type)).toEqual({ hub: expected });
    }),
  );
});

test('a matcher with a prefix routes events to the same hub as one with the equivalent regular expression', () => {
  fc.assert(
    fc.property(fc.array(matcher), eventType, (matchers, type) => {
      const expressions = matchers.map(({ event_type_prefix, event_hub }) => ({
        event_type_regex: `^${escaped(event_type_prefix)}`,
        event_hub,
      }));
      const route = (event_hub_matchers: HubMatcher[]) => hubRouter({ default_event_hub: 'default', event_hub_matchers })(type);
      expect(route(expressions)).toEqual(route(matchers));
    }),
  );
});

test('a matcher has no effect if its prefix begins with the prefix of an earlier matcher', () => {
  fc.assert(
    fc.property(matcher, fc.array(matcher), eventType, (first, rest, type) => {
      const behind = { event_type_prefix: `${first.event_type_prefix}x`, event_hub: 'never' };
      const event_hub_matchers = [first, ...rest, behind];
      expect(hubRouter({ default_event_hub: 'default', event_hub_matchers })(type).hub).not.toBe('never');
    }),
  );
});

test('matchers with blob storage, null fields or a regular expression route events as documented', () => {
  const route = hubRouter({
    default_event_hub: 'rest',
    event_hub_matchers: [
      { event_type_prefix: 'raw.garmin.', blob_storage: { container_name: 'raw' }, event_hub: null },
      { event_type_prefix: null, event_type_regex: '(?i)\\.DATA\\.(?P<resource>sleep|activity)\\.', event_hub: 'summaries' },
      { event_type_prefix: 'daily.', event_hub: 'daily' },
    ],
  });
  const routed = [
    'raw.garmin.x',
    'raw.fitbit.x',
    'daily.data.sleep.created',
    'daily.data.steps.created',
    'historical.data.sleep.created',
  ];
  expect(routed.map((type) => route(type).hub)).toEqual([undefined, 'rest', 'summaries', 'daily', 'summaries']);
});

test('the error for an invalid matcher names the matcher', () => {
  const route = (bad: HubMatcher) => () =>
    hubRouter({ default_event_hub: 'd', event_hub_matchers: [{ event_type_prefix: 'a', event_hub: 'b' }, bad] });
  expect(route({ event_hub: 'b' })).toThrow('event_hub_matchers[1] needs either event_type_prefix or event_type_regex');
  expect(route({ event_type_prefix: 'a', event_type_regex: 'a', event_hub: 'b' })).toThrow('needs either event_type_prefix');
  expect(route({ event_type_prefix: 'a' })).toThrow('event_hub_matchers[1] needs either event_hub or blob_storage');
  expect(route({ event_type_prefix: 'a', event_hub: 'b', blob_storage: {} })).toThrow('needs either event_hub');
  for (const event_type_regex of ['(', 'a(?=b)', '(?<!a)b', '(a)\\1'])
    expect(route({ event_type_regex, event_hub: 'b' })).toThrow(
      'event_hub_matchers[1].event_type_regex is not a valid RE2 expression',
    );
  expect(route({ event_type_regex: '\\\\1', event_hub: 'b' })).not.toThrow();
});
