import { expect, test } from 'vitest';
import type { RuleState } from '../faults/decision.ts';
import { type DeliveryRule, faultRuleSchema } from '../faults/fault-rule.ts';
import { pipelineSchema } from './pipeline.ts';
import type { RoutedEvent } from './routing.ts';
import { type Progress, planSending } from './sending-plan.ts';

const NOW = Date.UTC(2026, 0, 1);
const connection_string = 'Endpoint=sb://name.servicebus.windows.net/;SharedAccessKeyName=n;SharedAccessKey=a2V5';
const pipeline = pipelineSchema.parse({
  event_type_prefixes: ['daily.'],
  azure_amqp: { connection_string, default_event_hub: 'rest' },
});

const event = (event_id: number, user_id = 'user', event_type = 'daily.data.steps.created'): RoutedEvent => ({
  ...{ event_id, team_id: 'team', user_id, event_type, body: '{}', is_historical: 0 },
});

function progress(...rules: object[]): Progress {
  const states = rules.map(
    (rule, index): RuleState<DeliveryRule> => ({
      rule_id: `rule ${index}`,
      rule: faultRuleSchema.parse({ on: 'delivery', ...rule }) as DeliveryRule,
      seen: 0,
      used: 0,
    }),
  );
  return { position: 0, held: [], delayed: null, rules: states };
}

const plan = (events: readonly RoutedEvent[], before: Progress, now = NOW) => {
  const { events: sent, after, end } = planSending(pipeline, events, before, now);
  return { sent: sent.map(({ event_id }) => event_id), after, end };
};

test('without rules, all events that the pipeline carries are sent in order', () => {
  const { sent, after, end } = plan([event(1), event(2, 'user', 'labtest.order.created'), event(3, 'other')], progress());
  expect([sent, after.position, end]).toEqual([[1, 3], 3, 'all']);
});

test('a lost attempt ends the plan before its event, and its rule is used once', () => {
  const before = progress({ times: 1, match: { user_id: 'a2f1e5f0-6a2c-4d0e-9d0a-000000000002' }, effect: { kind: 'lose' } });
  const lost = event(2, 'a2f1e5f0-6a2c-4d0e-9d0a-000000000002');
  const first = plan([event(1), lost, event(3)], before);
  expect([first.sent, first.after.position, first.end]).toEqual([[1], 1, 'lost']);
  const second = plan([lost, event(3)], first.after);
  expect([second.sent, second.after.position, second.end]).toEqual([[2, 3], 3, 'all']);
});

test('a delay stops the pipeline before its event, and is not repeated', () => {
  const first = plan([event(1), event(2)], progress({ delay_seconds: 60, effect: { kind: 'duplicate' } }));
  expect([first.sent, first.end, first.after.delayed]).toEqual([
    [],
    'delayed',
    { event_id: 1, effect: { kind: 'duplicate' }, until: NOW + 60_000 },
  ]);
  const meanwhile = plan([event(1), event(2)], first.after, NOW + 59_999);
  expect([meanwhile.sent, meanwhile.end, meanwhile.after]).toEqual([[], 'delayed', first.after]);
  const second = plan([event(1), event(2)], first.after, NOW + 60_000);
  expect([second.sent, second.end, second.after.position]).toEqual([[1, 1], 'delayed', 1]);
  expect(second.after.delayed).toMatchObject({ event_id: 2, until: NOW + 120_000 });
});

test('an attempt that is lost after a delay is not lost again', () => {
  const first = plan([event(1)], progress({ times: 1, delay_seconds: 60, effect: { kind: 'lose' } }));
  const second = plan([event(1)], first.after, NOW + 60_000);
  const third = plan([event(1)], second.after, NOW + 61_000);
  expect([first.end, second.end, third.end, third.sent]).toEqual(['delayed', 'lost', 'all', [1]]);
});

test('a duplicate is sent twice in a row', () => {
  expect(plan([event(1), event(2)], progress({ times: 1, effect: { kind: 'duplicate' } })).sent).toEqual([1, 1, 2]);
});

test('an event that is held back is sent after the next events of its user, in this plan or a later one', () => {
  const before = progress({ times: 1, effect: { kind: 'reorder', behind: 2 } });
  const together = plan([event(1), event(2, 'other'), event(3), event(4), event(5)], before);
  expect([together.sent, together.after.held]).toEqual([[2, 3, 4, 1, 5], []]);
  const first = plan([event(1), event(2)], before);
  expect([first.sent, first.after.position]).toEqual([[2], 2]);
  expect(first.after.held).toEqual([{ event: event(1), behind: 1, until: NOW + 3_600_000 }]);
  const second = plan([event(3, 'other'), event(4)], first.after);
  expect([second.sent, second.after.held]).toEqual([[3, 4, 1], []]);
});

test('an event that is held back is sent first when its time is over', () => {
  const first = plan([event(1)], progress({ times: 1, effect: { kind: 'reorder', behind: 9, within_seconds: 10 } }));
  expect(plan([event(2)], first.after, NOW + 9_999).sent).toEqual([2]);
  const second = plan([event(2)], first.after, NOW + 10_000);
  expect([second.sent, second.after.held]).toEqual([[1, 2], []]);
});
