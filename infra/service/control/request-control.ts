import { z } from 'zod';
import { decimal } from '../api/parameters.ts';
import { instant } from '../api/times.ts';
import { faultRuleSchema, MOST_COUNTED } from '../faults/fault-rule.ts';
import type { RuleState } from '../faults/fault-rules.ts';
import type { Service } from '../service.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

/** `GET /requests`: lists the requests that the API has received. */
export function requestControl({ requests }: Service): ControlOperation {
  return controlOperation({
    method: 'GET',
    path: '/requests',
    summary: 'Lists the last requests to the API, the oldest first. The service keeps 10,000 of them in memory.',
    body: z.strictObject({
      after: decimal(z.int().min(0)).default(0).describe('Number of a request. The answer begins after it.'),
      limit: decimal(z.int().min(1).max(10_000)).default(100).describe('Most requests in the answer.'),
    }),
    handle: ({ after, limit }) => ({
      requests: requests.after(after, limit).map((request) => ({ ...request, at: instant(request.at) })),
    }),
  });
}

const SECONDS = 60;

/** The operations on the rate limit, which applies to each API key separately. */
export function limitControl({ limits }: Service): ControlOperation[] {
  const shown = () => limits.limit ?? { requests: null, seconds: SECONDS };
  return [
    {
      method: 'GET',
      path: '/limits',
      summary: 'Shows how many requests each key may send. `null` means that there is no limit.',
      body: undefined,
      handle: shown,
    },
    controlOperation({
      method: 'POST',
      path: '/limits',
      summary: 'Sets how many requests each key may send. Further requests get status 429.',
      body: z.strictObject({
        requests: z
          .int()
          .min(1)
          .max(MOST_COUNTED)
          .nullable()
          .describe('Most requests of a key in a window. `null` removes the limit.'),
        seconds: z.int().min(1).max(86_400).default(SECONDS).describe('Length of a window, in real seconds.'),
      }),
      handle: ({ requests, seconds }) => {
        limits.set(requests === null ? undefined : { requests, seconds });
        return shown();
      },
    }),
  ];
}

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
      handle: (rule) => ruleForm(faults.add(rule)),
    }),
    {
      method: 'GET',
      path: '/faults',
      summary: 'Lists the fault rules in the order in which they apply, and how often each was used.',
      body: undefined,
      handle: () => ({ faults: faults.list().map(ruleForm) }),
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

const ruleForm = ({ rule_id, rule, used }: RuleState) => ({ rule_id, ...rule, used });
