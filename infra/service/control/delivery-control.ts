import { z } from 'zod';
import { instant, instantSchema } from '../api/times.ts';
import type { Service } from '../service.ts';
import type { Delivery } from '../webhooks/deliveries.ts';
import type { Endpoint } from '../webhooks/endpoints.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

/** The operations on deliveries to webhook endpoints. */
export function deliveryControl({ deliveries, endpoints, retention }: Service): ControlOperation[] {
  const known = (id: string): Endpoint => {
    const endpoint = endpoints.find(id);
    if (endpoint === undefined) throw new ControlError(404, 'There is no such endpoint.');
    return endpoint;
  };
  return [
    controlOperation({
      method: 'GET',
      path: '/webhooks/{endpoint_id}/deliveries',
      summary:
        'Lists the messages to an endpoint with their state, the oldest first. `last_status` is 0 if there was no answer. Messages are kept for 7 days.',
      body: z.strictObject({
        endpoint_id: z.string(),
        after: z.string().optional().describe('Id of a message. The answer begins after it.'),
        limit: z.coerce.number().int().min(1).max(1000).default(100).describe('Most messages in the answer.'),
      }),
      handle: ({ endpoint_id, after, limit }) => {
        known(endpoint_id);
        const found = deliveries.page(endpoint_id, { after, limit });
        if (found === undefined) throw new ControlError(404, 'The endpoint has no such message. Messages are kept for 7 days.');
        return { deliveries: found.map(formOf) };
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/webhooks/{endpoint_id}/resend',
      summary: 'Sends a message again, whatever its state is.',
      body: z.strictObject({ endpoint_id: z.string(), message_id: z.string() }),
      handle: ({ endpoint_id, message_id }) => {
        known(endpoint_id);
        if (!deliveries.resend(message_id, endpoint_id)) throw new ControlError(404, 'The endpoint has no such message.');
        return { success: true };
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/webhooks/{endpoint_id}/recover',
      summary: 'Sends all failed messages since a time again. The messages are complete since `reaches_back_to`.',
      body: z.strictObject({ endpoint_id: z.string(), since: instantSchema.describe('Virtual time of the oldest message.') }),
      handle: ({ endpoint_id, since }) => {
        const { created_at } = known(endpoint_id);
        return {
          recovered: deliveries.recover(endpoint_id, Date.parse(since)),
          reaches_back_to: instant(Math.max(created_at, retention.keptSince)),
        };
      },
    }),
  ];
}

function formOf({ message_id, event_type, state, attempts, last_status, last_attempt_at, created_at }: Delivery) {
  return {
    message_id,
    event_type,
    created_at: instant(created_at),
    state,
    attempts,
    /** 0 means that there was no answer, null that there was no attempt. */
    last_status,
    last_attempt_at: last_attempt_at === null ? null : instant(last_attempt_at),
  };
}
