import { z } from 'zod';
import type { RuleState } from '../faults/decision.ts';
import { type FaultRule, faultRuleSchema } from '../faults/fault-rule.ts';
import type { Service } from '../service.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

/** The operations on fault rules. */
export function faultControl({ faults, operations }: Service): ControlOperation[] {
  const checked = (rule: FaultRule): FaultRule => {
    const id = rule.on === 'operation' ? rule.match.operation : undefined;
    if (id !== undefined && operations.every((operation) => operation.id !== id))
      throw new ControlError(422, 'match.operation is no operation id. The ids are in the OpenAPI document.');
    return rule;
  };
  return [
    controlOperation({
      method: 'POST',
      path: '/faults',
      body: faultRuleSchema,
      handle: (rule) => formOf(faults.add(checked(rule))),
    }),
    { method: 'GET', path: '/faults', body: undefined, handle: () => ({ faults: faults.list().map(formOf) }) },
    controlOperation({
      method: 'POST',
      path: '/faults/{rule_id}/remove',
      body: z.object({ rule_id: z.string() }),
      handle: ({ rule_id }) => {
        if (!faults.remove(rule_id)) throw new ControlError(404, 'There is no such rule.');
        return { success: true };
      },
    }),
    { method: 'POST', path: '/faults/clear', body: undefined, handle: () => ({ removed: faults.clear() }) },
  ];
}

const formOf = ({ rule_id, rule, used }: RuleState) => ({ rule_id, ...rule, used });
