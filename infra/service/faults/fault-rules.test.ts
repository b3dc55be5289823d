import { expect, test } from 'vitest';
import { type DeliveryRule, faultRuleSchema, type OperationRule } from './fault-rule.ts';
import { type DeliveryFacts, decide, type RequestFacts, type RuleState, selectsDelivery, selectsRequest } from './fault-rules.ts';

const state = (id: string, more: object = {}): RuleState<DeliveryRule> => ({
  rule_id: id,
  rule: faultRuleSchema.parse({ on: 'delivery', effect: { kind: 'duplicate' }, ...more }) as DeliveryRule,
  seen: 0,
  used: 0,
});

/** Decides `count` times. Returns for each decision whether a rule applied. */
function hits(first: readonly RuleState<DeliveryRule>[], count: number): boolean[] {
  let states = first;
  return Array.from({ length: count }, () => {
    const { rule, states: after } = decide(states, () => true);
    states = after;
    return rule !== undefined;
  });
}

test('the first rule that selects the request applies, and only its counts change', () => {
  const [a, b, c] = [state('a', { times: 2 }), state('b', { times: 3 }), state('c', { times: 4 })];
  const { rule, states } = decide([a, b, c], ({ times }) => times !== 2);
  expect(rule).toBe(b.rule);
  expect(states).toEqual([a, { ...b, seen: 1, used: 1 }, c]);
});

test('a rule with a number of uses applies so often, and then the next rule applies', () => {
  expect(hits([state('a', { times: 2 })], 4)).toEqual([true, true, false, false]);
  expect(hits([state('a', { times: 2 }), state('b')], 3)).toEqual([true, true, true]);
});

test('a rule with a probability applies to about that part of what it selects, and equally each time', () => {
  const chances = hits([state('a', { probability: 0.3 })], 2000);
  // The standard deviation is 20.
  expect(Math.abs(chances.filter(Boolean).length - 600)).toBeLessThan(100);
  expect(hits([state('a', { probability: 0.3 })], 2000)).toEqual(chances);
  expect(hits([state('b', { probability: 0.3 })], 2000)).not.toEqual(chances);
});

test('a use counts only if the chance hits', () => {
  expect(hits([state('a', { probability: 0.3, times: 5 })], 2000).filter(Boolean)).toHaveLength(5);
});

const team = 'a2f1e5f0-6a2c-4d0e-9d0a-000000000001';
const user = 'a2f1e5f0-6a2c-4d0e-9d0a-000000000002';
const other = 'a2f1e5f0-6a2c-4d0e-9d0a-000000000003';

const request: RequestFacts = {
  operation: 'get_user',
  method: 'GET',
  path: '/v2/user/7',
  query: { page: '2' },
  team: () => team,
};

test.each([
  [{}, true],
  [{ operation: 'get_user' }, true],
  [{ operation: 'list_users' }, false],
  [{ method: 'GET', path: '/v2/user/{user_id}' }, true],
  [{ method: 'POST', path: '/v2/user/{user_id}' }, false],
  [{ path: '/v2/user/{user_id}/' }, true],
  [{ path: '/v2/user' }, false],
  [{ path: '/v2/{a}/8' }, false],
  [{ path: '/v2/user/7' }, true],
  [{ path_prefix: '/v2/' }, true],
  [{ path_prefix: '/v3/' }, false],
  [{ query: { page: '2' } }, true],
  [{ query: { page: '1' } }, false],
  [{ query: { size: '2' } }, false],
  [{ team_id: team }, true],
  [{ team_id: other }, false],
])('%j selects the request: %s', (match, expected) => {
  const rule = faultRuleSchema.parse({ on: 'operation', match, effect: { kind: 'hang' } }) as OperationRule;
  expect(selectsRequest(rule, request)).toBe(expected);
});

const webhook: DeliveryFacts = {
  via: 'webhook',
  event_type: 'daily.data.steps.created',
  user_id: user,
  team_id: team,
  endpoint_id: 'ep_1',
};

test.each([
  [{}, true, true],
  [{ event_type_prefix: 'daily.data.steps.' }, true, true],
  [{ event_type_prefix: 'daily.data.sleep.' }, false, false],
  [{ user_id: user }, true, true],
  [{ user_id: other }, false, false],
  [{ endpoint_id: 'ep_1' }, true, false],
  [{ endpoint_id: 'ep_2' }, false, false],
  [{ pipeline: team }, false, true],
  [{ pipeline: other }, false, false],
  [{ via: 'webhook' }, true, false],
  [{ via: 'pipeline' }, false, true],
])('%j selects the webhook: %s, and the event of the pipeline: %s', (match, ofWebhook, ofPipeline) => {
  const rule = faultRuleSchema.parse({ on: 'delivery', match, effect: { kind: 'lose' } }) as DeliveryRule;
  expect(selectsDelivery(rule, webhook)).toBe(ofWebhook);
  expect(selectsDelivery(rule, { ...webhook, via: 'pipeline', endpoint_id: undefined })).toBe(ofPipeline);
});

test('a rule for a user does not select an event without a user', () => {
  const select = (match: object) =>
    selectsDelivery(faultRuleSchema.parse({ on: 'delivery', match, effect: { kind: 'lose' } }) as DeliveryRule, {
      ...webhook,
      user_id: null,
    });
  expect([select({ user_id: user }), select({})]).toEqual([false, true]);
});

test.each([
  ['neither effect nor delay', { on: 'operation' }],
  ['an unknown member', { on: 'operation', effect: { kind: 'hang' }, match: { user: 'x' } }],
  ['the effect of a delivery for an operation', { on: 'operation', effect: { kind: 'duplicate' } }],
  ['a probability above 1', { on: 'delivery', effect: { kind: 'lose' }, probability: 1.1 }],
  ['a success as a failure', { on: 'delivery', effect: { kind: 'lose', status: 204 } }],
  ['an endpoint and a pipeline', { on: 'delivery', effect: { kind: 'lose' }, match: { endpoint_id: 'e', via: 'pipeline' } }],
  ['a line break in a header', { on: 'operation', effect: { kind: 'status', status: 503, content_type: 'a\nb: c' } }],
])('a rule with %s is refused', (_, rule) => {
  expect(faultRuleSchema.safeParse(rule).success).toBe(false);
});

test('destinations draw their own chances', () => {
  const drawn = (drawer: string): boolean[] =>
    Array.from(
      { length: 50 },
      (_, seen) => decide([{ ...state('a', { probability: 0.5 }), seen }], () => true, drawer).rule !== undefined,
    );
  expect(drawn('one')).toEqual(drawn('one'));
  expect(drawn('one')).not.toEqual(drawn('two'));
});
