import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { StoredEvent } from '../events/outbox.ts';
import { carriedTo, type HubsConfiguration, hubEvent, hubOf, hubsSchema, type Pipeline, pipelineSchema } from './pipeline.ts';

const connection_string = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5';

const hubs = (more: object = {}): HubsConfiguration =>
  hubsSchema.parse({ connection_string, default_event_hub: 'rest', ...more });
const pipeline = (more: object = {}): Pipeline => pipelineSchema.parse({ azure_amqp: hubs(), ...more });

const event = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  event_id: 7,
  event_name: 'team 7',
  created_at: 0,
  team_id: 'team',
  user_id: 'user',
  event_type: 'daily.data.steps.created',
  body: '{"event_type":"daily.data.steps.created"}',
  is_historical: 0,
  ...more,
});

describe('the hub of an event type', () => {
  const matchers = [
    { event_type_prefix: 'daily.data.sleep.', event_hub: 'sleep' },
    { event_type_regex: '^daily\\.data\\.(steps|sleep)\\.', event_hub: 'both' },
    { event_type_prefix: 'daily.', event_hub: 'daily' },
  ];

  test.each([
    ['daily.data.sleep.created', 'sleep'],
    ['daily.data.steps.updated', 'both'],
    ['daily.data.sleep_cycle.created', 'daily'],
    ['historical.data.sleep.created', 'rest'],
  ])('%s goes to %s', (type, hub) => {
    expect(hubOf(hubs({ event_hub_matchers: matchers }), type)).toBe(hub);
  });

  test('the order of the matchers decides', () => {
    const reversed = hubs({ event_hub_matchers: matchers.toReversed() });
    expect(hubOf(reversed, 'daily.data.sleep.created')).toBe('daily');
  });
});

test('an event has the five properties, and the user as partition key', () => {
  const { body, properties, partitionKey } = hubEvent(hubs(), event({ body: 'x'.repeat(1025) }));
  expect(partitionKey).toBe('user');
  expect(properties).toEqual({
    'event-type': 'daily.data.steps.created',
    'user-id': 'user',
    'team-id': 'team',
    'idempotency-key': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
    'content-encoding': 'gzip',
  });
  expect(gunzipSync(body).toString()).toBe('x'.repeat(1025));
});

test('an event without a user has no property of a user, and the team as partition key', () => {
  const { properties, partitionKey } = hubEvent(hubs(), event({ user_id: null }));
  expect(partitionKey).toBe('team');
  expect(Object.keys(properties).sort()).toEqual(['event-type', 'idempotency-key', 'team-id']);
});

test('a body of at most 1 KiB is sent plain, unless the pipeline always compresses', () => {
  const small = event({ body: 'ä'.repeat(512) });
  const plain = hubEvent(hubs(), small);
  expect([plain.body.length, plain.properties['content-encoding']]).toEqual([1024, undefined]);
  expect(hubEvent(hubs(), event({ body: `${'ä'.repeat(512)}x` })).properties['content-encoding']).toBe('gzip');
  expect(hubEvent(hubs({ compression: 'always' }), small).properties['content-encoding']).toBe('gzip');
});

test('an event keeps its idempotency key, and other events have others', () => {
  const keyOf = (more: Partial<StoredEvent>) => hubEvent(hubs(), event(more)).properties['idempotency-key'];
  expect(keyOf({})).toBe(keyOf({}));
  expect(new Set([keyOf({}), keyOf({ event_name: 'team 8' }), keyOf({ body: '{}' })]).size).toBe(3);
});

test('historical data is carried only on request, and prefixes restrict the event types', () => {
  const present = { event_type: 'daily.data.steps.created', isHistorical: false };
  const past = { ...present, isHistorical: true };
  expect(carriedTo(pipeline(), past)).toBeUndefined();
  expect(carriedTo(pipeline({ push_historical_data: true }), past)).toBe('rest');
  for (const all of [null, []]) expect(carriedTo(pipeline({ event_type_prefixes: all }), present)).toBe('rest');
  expect(carriedTo(pipeline({ event_type_prefixes: ['daily.data.steps.', 'labtest.'] }), present)).toBe('rest');
  expect(carriedTo(pipeline({ event_type_prefixes: ['labtest.'] }), present)).toBeUndefined();
});

test('hubs get nothing if the preferences leave them out, or the pipeline has none', () => {
  const present = { event_type: 'daily.data.steps.created', isHistorical: false };
  expect(carriedTo(pipeline({ preferences: { preferred: 'svix', enabled: ['svix'] } }), present)).toBeUndefined();
  expect(carriedTo(pipeline({ azure_amqp: undefined }), present)).toBeUndefined();
  expect(carriedTo(pipeline({ preferences: { preferred: 'azure_amqp', enabled: ['azure_amqp'] } }), present)).toBe('rest');
});

test.each([
  ['a hub in the connection string', { connection_string: `${connection_string};EntityPath=hub` }],
  ['both kinds of rules', { event_hub_matchers: [{ event_type_prefix: 'a', event_type_regex: 'a', event_hub: 'h' }] }],
  ['neither kind of rule', { event_hub_matchers: [{ event_hub: 'h' }] }],
  ['a broken expression', { event_hub_matchers: [{ event_type_regex: '(', event_hub: 'h' }] }],
  ['a lookahead, which RE2 does not have', { event_hub_matchers: [{ event_type_regex: 'a(?=b)', event_hub: 'h' }] }],
])('%s is refused', (_, azure) => {
  const given = { azure_amqp: { connection_string, default_event_hub: 'rest', ...azure } };
  expect(pipelineSchema.safeParse(given).success).toBe(false);
});
