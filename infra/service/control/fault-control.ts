import { z } from 'zod';
import type { RuleState } from '../faults/decision.ts';
import { faultRuleSchema } from '../faults/fault-rule.ts';
import type { Service } from '../service.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

/** The operations on fault rules. */
export function faultControl({ faults, operations }: Service): ControlOperation[] {
  const ids = new Set(operations.map(({ id }) => id));
  const ruleSchema = faultRuleSchema.superRefine(({ on, match }, context) => {
    if (on === 'delivery' || match.operation === undefined || ids.has(match.operation)) return;
    const message = 'no operation id. The ids are in the OpenAPI document.';
    context.addIssue({ code: 'custom', path: ['match', 'operation'], message });
  });
  return [
    controlOperation({
      method: 'POST',
      path: '/faults',
      summary: 'Adds a fault rule. The first rule that applies decides.',
      body: ruleSchema,
      handle: (rule) => formOf(faults.add(rule)),
    }),
    {
      method: 'GET',
      path: '/faults',
      summary: 'Lists the fault rules in the order in which they apply, and how often each was used.',
      body: undefined,
      handle: () => ({ faults: faults.list().map(formOf) }),
    },
    controlOperation({
      method: 'POST',
      path: '/faults/{rule_id}/remove',
      summary: 'Removes a fault rule.',
      body: z.strictObject({ rule_id: z.string() }),
      handle: ({ rule_id }) => {
        if (!faults.remove(rule_id)) throw new ControlError(404, 'There is no such rule.');
        return { success: true };
      },
    }),
    {
      method: 'POST',
      path: '/faults/clear',
      summary: 'Removes all fault rules.',
      body: undefined,
      handle: () => ({ removed: faults.clear() }),
    },
  ];
}

const formOf = ({ rule_id, rule, used }: RuleState) => ({ rule_id, ...rule, used });
