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
      body: z.object({
        endpoint_id: z.string(),
        /** A message; its successors are listed. */
        after: z.string().optional(),
        limit: z.coerce.number().int().min(1).max(1000).default(100),
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
      body: z.object({ endpoint_id: z.string(), message_id: z.string() }),
      handle: ({ endpoint_id, message_id }) => {
        known(endpoint_id);
        if (!deliveries.resend(message_id, endpoint_id)) throw new ControlError(404, 'The endpoint has no such message.');
        return { success: true };
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/webhooks/{endpoint_id}/recover',
      body: z.object({ endpoint_id: z.string(), since: instantSchema }),
      handle: ({ endpoint_id, since }) => {
        const { created_at } = known(endpoint_id);
        return {
          recovered: deliveries.recover(endpoint_id, Date.parse(since)),
          /** Older messages are gone, or the endpoint did not exist. */
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
