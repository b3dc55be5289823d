import { z } from 'zod';
import { instant } from '../api/times.ts';
import { uuidSchema } from '../api/uuid.ts';
import type { Service } from '../service.ts';
import { eventTypesSchema, headersSchema, secretSchema, urlSchema } from '../webhooks/endpoint-forms.ts';
import type { Endpoint } from '../webhooks/endpoints.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

const idSchema = z.object({ endpoint_id: z.string() });

/** The operations on webhook endpoints. */
export function endpointControl({ endpoints, teams }: Service): ControlOperation[] {
  const known = (endpoint: Endpoint | undefined): Endpoint => {
    if (endpoint === undefined) throw new ControlError(404, 'There is no such endpoint.');
    return endpoint;
  };
  const changed = (endpoint: Endpoint | undefined) => formOf(known(endpoint));
  const at = (action: string) => ({ method: 'POST', path: `/webhooks/{endpoint_id}/${action}` }) as const;
  return [
    controlOperation({
      method: 'POST',
      path: '/webhooks',
      body: z.object({
        team_id: uuidSchema,
        url: urlSchema,
        description: z.string().optional(),
        filter_types: eventTypesSchema.optional(),
        headers: headersSchema.optional(),
        secret: secretSchema.optional(),
        disabled: z.boolean().default(false),
      }),
      handle: ({ team_id, filter_types, disabled, ...given }) => {
        if (teams.find(team_id) === undefined) throw new ControlError(404, 'There is no such team.');
        return changed(endpoints.create(team_id, { ...given, filterTypes: filter_types, isDisabled: disabled }));
      },
    }),
    controlOperation({
      method: 'GET',
      path: '/webhooks',
      body: z.object({ team_id: uuidSchema.optional() }),
      handle: ({ team_id }) => ({ webhooks: endpoints.list(team_id).map(formOf) }),
    }),
    controlOperation({
      method: 'GET',
      path: '/webhooks/{endpoint_id}',
      body: idSchema,
      handle: ({ endpoint_id }) => changed(endpoints.find(endpoint_id)),
    }),
    controlOperation({
      ...at('update'),
      body: idSchema.extend({ url: urlSchema.optional(), description: z.string().optional() }),
      handle: ({ endpoint_id, ...given }) => changed(endpoints.change(endpoint_id, given)),
    }),
    controlOperation({
      ...at('headers'),
      body: idSchema.extend({ headers: headersSchema }),
      handle: ({ endpoint_id, headers }) => changed(endpoints.change(endpoint_id, { headers })),
    }),
    controlOperation({
      ...at('filter'),
      body: idSchema.extend({ filter_types: eventTypesSchema }),
      handle: ({ endpoint_id, filter_types }) => changed(endpoints.change(endpoint_id, { filter_types })),
    }),
    controlOperation({
      ...at('rotate_secret'),
      body: idSchema.extend({ secret: secretSchema.optional() }),
      handle: ({ endpoint_id, secret }) => {
        known(endpoints.find(endpoint_id));
        return { secret: endpoints.rotateSecret(endpoint_id, secret) };
      },
    }),
    controlOperation({
      ...at('enable'),
      body: idSchema.extend({ enabled: z.boolean().default(true) }),
      handle: ({ endpoint_id, enabled }) => {
        endpoints.setDisabled(endpoint_id, !enabled);
        return changed(endpoints.find(endpoint_id));
      },
    }),
    controlOperation({
      ...at('delete'),
      body: idSchema,
      handle: ({ endpoint_id }) => {
        if (!endpoints.delete(endpoint_id)) throw new ControlError(404, 'There is no such endpoint.');
        return { success: true };
      },
    }),
  ];
}

function formOf({ secrets, is_disabled, failing, created_at, updated_at, ...endpoint }: Endpoint) {
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
