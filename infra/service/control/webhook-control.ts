import { z } from 'zod';
import { decimal, uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import type { Service } from '../service.ts';
import type { Delivery } from '../webhooks/deliveries.ts';
import { type Endpoint, eventTypesSchema, headersSchema, secretSchema, urlSchema } from '../webhooks/endpoints.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

const idSchema = z.strictObject({ endpoint_id: z.string() });
const filterSchema = eventTypesSchema.describe('Event types that the endpoint gets. An empty list means all.');
const ownHeadersSchema = headersSchema.describe('Further headers of each webhook.');
const ownSecretSchema = secretSchema.describe('Signing secret: `whsec_` and base64. Default: a new one.');

/** The operations on webhook endpoints. */
export function endpointControl({ endpoints, teams }: Service): ControlOperation[] {
  const known = (endpoint: Endpoint | undefined): Endpoint => {
    if (endpoint === undefined) throw new ControlError(404, 'There is no such endpoint.');
    return endpoint;
  };
  const form = (endpoint: Endpoint) => {
    const problem = endpoints.refusal(endpoint.endpoint_id);
    return { ...endpointForm(endpoint), problem };
  };
  const changed = (endpoint: Endpoint | undefined) => form(known(endpoint));
  const at = (action: string) => ({ method: 'POST', path: `/webhooks/{endpoint_id}/${action}` }) as const;
  return [
    controlOperation({
      method: 'POST',
      path: '/webhooks',
      summary: 'Creates an endpoint, which gets the events of a team as webhooks.',
      body: z.strictObject({
        team_id: uuidSchema,
        url: urlSchema,
        description: z.string().optional(),
        filter_types: filterSchema.optional(),
        headers: ownHeadersSchema.optional(),
        secret: ownSecretSchema.optional(),
        disabled: z.boolean().default(false).describe('Messages to a disabled endpoint fail without an attempt.'),
      }),
      handle: ({ team_id, filter_types, disabled, ...given }) => {
        if (teams.find(team_id) === undefined) throw new ControlError(404, 'There is no such team.');
        return changed(endpoints.create(team_id, { ...given, filterTypes: filter_types, isDisabled: disabled }));
      },
    }),
    controlOperation({
      method: 'GET',
      path: '/webhooks',
      summary: 'Lists endpoints, the oldest first.',
      body: z.strictObject({ team_id: uuidSchema.optional().describe('Default: the endpoints of all teams.') }),
      handle: ({ team_id }) => ({ webhooks: endpoints.list(team_id).map(form) }),
    }),
    controlOperation({
      method: 'GET',
      path: '/webhooks/{endpoint_id}',
      summary: 'Shows an endpoint.',
      body: idSchema,
      handle: ({ endpoint_id }) => changed(endpoints.find(endpoint_id)),
    }),
    controlOperation({
      ...at('update'),
      summary: 'Changes the address or the description of an endpoint.',
      body: idSchema.extend({ url: urlSchema.optional(), description: z.string().optional() }),
      handle: ({ endpoint_id, ...given }) => changed(endpoints.change(endpoint_id, given)),
    }),
    controlOperation({
      ...at('headers'),
      summary: 'Replaces the further headers of an endpoint.',
      body: idSchema.extend({ headers: ownHeadersSchema }),
      handle: ({ endpoint_id, headers }) => changed(endpoints.change(endpoint_id, { headers })),
    }),
    controlOperation({
      ...at('filter'),
      summary: 'Replaces the filter of an endpoint.',
      body: idSchema.extend({ filter_types: filterSchema }),
      handle: ({ endpoint_id, filter_types }) => changed(endpoints.change(endpoint_id, { filter_types })),
    }),
    controlOperation({
      ...at('rotate_secret'),
      summary: 'Replaces the signing secret. For 24 virtual hours, the service also signs with the secret before.',
      body: idSchema.extend({ secret: ownSecretSchema.optional() }),
      handle: ({ endpoint_id, secret }) => {
        known(endpoints.find(endpoint_id));
        return { secret: endpoints.rotateSecret(endpoint_id, secret) };
      },
    }),
    controlOperation({
      ...at('enable'),
      summary: 'Enables or disables an endpoint.',
      body: idSchema.extend({ enabled: z.boolean().default(true) }),
      handle: ({ endpoint_id, enabled }) => {
        endpoints.setDisabled(endpoint_id, !enabled);
        return changed(endpoints.find(endpoint_id));
      },
    }),
    controlOperation({
      ...at('delete'),
      summary: 'Removes an endpoint.',
      body: idSchema,
      handle: ({ endpoint_id }) => {
        if (!endpoints.delete(endpoint_id)) throw new ControlError(404, 'There is no such endpoint.');
        return { success: true };
      },
    }),
  ];
}

function endpointForm({ secrets, is_disabled, failing, created_at, updated_at, ...endpoint }: Endpoint) {
  const { number: _, rate_limit: __, ...rest } = endpoint;
  return {
    ...rest,
    disabled: is_disabled,
    secret: secrets[0]!.key,
    failing_since: failing === null ? null : instant(failing.since),
    created_at: instant(created_at),
    updated_at: instant(updated_at),
  };
}

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
        limit: decimal(z.int().min(1).max(1000)).default(100).describe('Most messages in the answer.'),
      }),
      handle: ({ endpoint_id, after, limit }) => {
        known(endpoint_id);
        const found = deliveries.page(endpoint_id, { after, limit });
        if (found === undefined) throw new ControlError(404, 'The endpoint has no such message. Messages are kept for 7 days.');
        return { deliveries: found.map(deliveryForm) };
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

function deliveryForm({ message_id, event_type, state, attempts, last_status, last_attempt_at, created_at }: Delivery) {
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
