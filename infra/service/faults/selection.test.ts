import { expect, test } from 'vitest';
import { type DeliveryRule, faultRuleSchema, type OperationRule } from './fault-rule.ts';
import { type DeliveryFacts, type RequestFacts, selectsDelivery, selectsRequest } from './selection.ts';

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
