import { z } from 'zod';
import type { Operation } from '../api/operation.ts';
import type { DeliveryCounts } from '../delivery/counts.ts';
import type { Clock } from '../time/clock.ts';
import { environmentParams, managedOperation, type Owners } from './managed-operation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The length of a step, and of the whole range, in milliseconds. */
const ranges = {
  '5m': { step: 5 * MINUTE_MS, range: 6 * HOUR_MS },
  '15m': { step: 15 * MINUTE_MS, range: 24 * HOUR_MS },
  '1h': { step: HOUR_MS, range: 7 * DAY_MS },
  '1d': { step: DAY_MS, range: 30 * DAY_MS },
} as const;

const seriesSchema = z
  .object({
    metric: z.record(z.string(), z.string()),
    values: z
      .array(z.tuple([z.int().describe('End of the step, in seconds since 1970.'), z.string().describe('Number of attempts.')]))
      .describe('One for each step of the range.'),
  })
  .meta({ id: 'DeliverySeries' });

const metricSchema = z
  .object({
    status: z.literal('success'),
    data: z.object({ resultType: z.literal('matrix'), result: z.array(seriesSchema) }),
  })
  .meta({ id: 'DeliveryMetric' });

interface Parts extends Owners {
  readonly deliveryCounts: DeliveryCounts;
  readonly clock: Clock;
}

/** The operation that tells how many events of a team were delivered. */
export function metricOperation(parts: Parts): Operation {
  const { deliveryCounts, clock } = parts;
  return managedOperation(parts, {
    id: 'get_event_delivery_metric',
    method: 'GET',
    path: '/v1/org/{org_id}/team/{team_id}/{environment}/event_delivery_metric',
    tag: 'delivery metric',
    summary: 'Returns the numbers of attempts to deliver events, by destination and outcome, like a range query of Prometheus.',
    managed: 'teams',
    params: environmentParams,
    query: z.object({
      interval: z
        .enum(['5m', '15m', '1h', '1d'])
        .default('1h')
        .describe('Length of a step. The range is 6 hours, 24 hours, 7 days or 30 days. Its last step contains the present.'),
    }),
    answers: { 200: { description: 'A list for each destination and outcome that occurred.', schema: metricSchema } },
    handle: ({ params: { team_id }, query: { interval } }) => {
      const { step, range } = ranges[interval];
      const now = clock.now();
      const end = now - (now % step) + step;
      const begins = Array.from({ length: range / step }, (_, index) => end - range + index * step);
      const result = deliveryCounts.since(team_id, end - range, step).map(({ destination, outcome, counts }) => ({
        metric: { __name__: 'event_delivery', destination, outcome },
        values: begins.map((begin) => [(begin + step) / 1000, String(counts.get(begin) ?? 0)]),
      }));
      return { status: 200, body: { status: 'success', data: { resultType: 'matrix', result } } };
    },
  });
}
