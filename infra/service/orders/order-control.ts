import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { instant, LAST_INSTANT } from '../api/times.ts';
import { ControlError, type ControlOperation, controlOperation } from '../control/control-server.ts';
import { MOST_SECONDS } from '../faults/fault-rule.ts';
import { interpretations, resultTypes } from '../labs/result.ts';
import { lowLevels, lowLevelsOf, mayFollow, statusDetails } from './life-cycle.ts';
import type { Orders } from './orders.ts';

const MOST_STEPS = 100;

const stepSchema = z.strictObject({
  status: z.enum(lowLevels).describe('Last part of a status, such as `delivered_to_lab`.'),
  after: z.number().min(0).max(MOST_SECONDS).default(0).describe('Virtual seconds after the step before.'),
  status_detail: z.enum(statusDetails).nullable().default(null).describe('Why the order has the status.'),
});

/** The control operation that replaces the course of an order, and says what its results shall be. */
export function orderControl(orders: Orders): ControlOperation {
  return controlOperation({
    method: 'POST',
    path: '/orders/script',
    summary: 'Replaces the course of an order, and decides its results. The answer has the steps that are still to come.',
    body: z.strictObject({
      order_id: uuidSchema,
      steps: z
        .array(stepSchema)
        .max(MOST_STEPS)
        .optional()
        .describe('Replaces the course that is still ahead. An empty list ends it. Default: the course goes on.'),
      interpretation: z
        .enum(interpretations)
        .optional()
        .describe('Interpretation of the results as a whole. Default: as generated.'),
      result_types: z.array(z.enum(resultTypes)).optional().describe('Types that the results may have. Default: all.'),
      has_missing_results: z.boolean().optional().describe('Whether some results are missing. Default: as generated.'),
    }),
    handle: ({ order_id, steps, interpretation, result_types: resultTypes, has_missing_results: hasMissing }) => {
      const order = orders.any(order_id);
      if (order === undefined) throw new ControlError(404, 'There is no such order.');
      const { method } = order;
      const own = lowLevelsOf(method);
      let last = order.status;
      for (const { status } of steps ?? []) {
        const wrong = (problem: string) => new ControlError(409, `An order of the method ${method} cannot ${problem}.`);
        if (!own.includes(status)) throw wrong(`have the status ${status}. Its statuses are ${own.join(', ')}`);
        if (!mayFollow(method, last, status)) throw wrong(`go from ${last} to ${status}`);
        last = status;
      }
      orders.want(order_id, { interpretation, resultTypes, hasMissing });
      if (steps !== undefined)
        orders.follow(
          order_id,
          steps.map(({ status, after, status_detail: detail }) => ({ status, detail, after: Math.round(after * 1000) })),
        );
      return {
        order_id,
        steps: orders.courseAhead(order_id).map(({ status, at }) => ({ status, at: instant(Math.min(at, LAST_INSTANT)) })),
      };
    },
  });
}
