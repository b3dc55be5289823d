import { expect, test } from 'vitest';
import type { WaitingDelivery } from '../delivery/queue.ts';
import { type DeliveryRule, faultRuleSchema } from '../faults/fault-rule.ts';
import type { RuleState } from '../faults/fault-rules.ts';
import { planHub } from './hubs.ts';

const NOW = Date.UTC(2026, 0, 1);

const delivery = (id: number, user_id: string | null = 'user', more: Partial<WaitingDelivery> = {}): WaitingDelivery => ({
  delivery_id: id,
  destination: 'team hub',
  due_at: NOW,
  attempts: 0,
  decided: null,
  behind: null,
  restarts: 0,
  message_id: null,
  event_id: id,
  event_name: `team ${id}`,
  event_type: 'daily.data.steps.created',
  team_id: 'team',
  user_id,
  is_historical: 0,
  body: '{}',
  ...more,
});

const states = (...rules: object[]): RuleState<DeliveryRule>[] =>
  rules.map((rule, index) => ({
    rule_id: `rule ${index}`,
    seen: 0,
    used: 0,
    rule: faultRuleSchema.parse({ on: 'delivery', ...rule }) as DeliveryRule,
  }));

function plan(deliveries: readonly WaitingDelivery[], rules = states(), heldUsers: readonly (string | null)[] = []) {
  const { sent, waiting, isLost, rules: after } = planHub(deliveries, { rules, heldUsers, at: NOW });
  return {
    sent: sent.map(({ event_id }) => event_id),
    waiting: waiting.map(({ delivery: { event_id }, decision }) => [event_id, decision] as const),
    isLost,
    used: after.map(({ used }) => used),
  };
}

test('without rules, all deliveries are sent in order', () => {
  expect(plan([delivery(1), delivery(2), delivery(3, 'other')])).toEqual({
    sent: [1, 2, 3],
    waiting: [],
    isLost: false,
    used: [],
  });
});

test('a lost attempt ends the plan before its event, and its rule is used once', () => {
  const user = 'a2f1e5f0-6a2c-4d0e-9d0a-000000000002';
  const rules = states({ times: 1, match: { user_id: user }, effect: { kind: 'lose' } });
  expect(plan([delivery(1), delivery(2, user), delivery(3)], rules)).toEqual({ sent: [1], waiting: [], isLost: true, used: [1] });
});

test('a delay stops all later events, and its effect remains for after the delay', () => {
  const rules = states({ delay_seconds: 60, effect: { kind: 'duplicate' } });
  expect(plan([delivery(1), delivery(2)], rules)).toMatchObject({
    sent: [],
    waiting: [[1, { kind: 'delay', until: NOW + 60_000, effect: { kind: 'duplicate' } }]],
    used: [1],
  });
  const delayed = { due_at: NOW + 1, decided: '{"kind":"duplicate"}' };
  expect(plan([delivery(1, 'user', delayed), delivery(2)], rules)).toMatchObject({ sent: [], waiting: [], used: [0] });
  expect(plan([delivery(1, 'user', { ...delayed, due_at: NOW })], rules)).toMatchObject({ sent: [1, 1], used: [0] });
});

test('an event that is held back lets others pass, until one may have been the last that it waits for', () => {
  const rules = states({ times: 1, effect: { kind: 'reorder', behind: 2 } });
  expect(plan([delivery(1), delivery(2, 'other'), delivery(3), delivery(4)], rules)).toMatchObject({
    sent: [2, 3],
    waiting: [[1, { kind: 'hold', until: NOW + 3_600_000, behind: 2 }]],
  });
  expect(plan([delivery(4, 'other'), delivery(5), delivery(6)], states(), ['user'])).toMatchObject({ sent: [4, 5] });
  // Events without a user are one group.
  expect(plan([delivery(4), delivery(5, null), delivery(6)], states(), [null])).toMatchObject({ sent: [4, 5] });
});

test('a rule that has decided is not asked again', () => {
  const rules = states({ effect: { kind: 'lose' } });
  expect(plan([delivery(1, 'user', { decided: 'null', behind: 3 })], rules)).toMatchObject({ sent: [1], used: [0] });
});
