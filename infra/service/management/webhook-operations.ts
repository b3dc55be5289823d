import { z } from 'zod';
import { PAGE, Pages } from '../api/cursor.ts';
import { problem } from '../api/errors.ts';
import type { AnswerForm, Operation } from '../api/operation.ts';
import { decimal } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import {
  type Endpoint,
  type Endpoints,
  eventTypesSchema,
  headersSchema,
  secretSchema,
  urlSchema,
} from '../webhooks/endpoints.ts';
import { environmentParams, managedOperation, type Owners, Refusal } from './managed-operation.ts';

const tag = 'webhook';
const WEBHOOKS = '/v1/org/{org_id}/team/{team_id}/{environment}/webhook';
const WEBHOOK = `${WEBHOOKS}/{webhook_id}`;
const MOST_ON_A_PAGE = 250;

const webhookParams = environmentParams.extend({ webhook_id: z.string() });

const filterSchema = eventTypesSchema.nullish().describe('The event types that the webhook gets. Null or an empty list: all.');
const rateLimitSchema = z.int().min(1).nullish().describe('Most attempts in a second. Null: no limit.');

const newWebhookSchema = z
  .object({
    url: urlSchema,
    description: z.string().default(''),
    rate_limit: rateLimitSchema,
    disabled: z.boolean().default(false),
    filter_types: filterSchema,
    secret: secretSchema.nullish().describe('The key that signs. Default: a new one.'),
  })
  .meta({ id: 'NewWebhook', examples: [{ url: 'https://example.com/events', filter_types: ['daily.data.sleep.created'] }] });

const changedWebhookSchema = z
  .object({
    url: urlSchema.nullish(),
    description: z.string().nullish(),
    rate_limit: rateLimitSchema,
    disabled: z.boolean().nullish(),
    filter_types: filterSchema,
  })
  .meta({ id: 'ChangedWebhook', examples: [{ filter_types: ['daily.data.sleep.created'] }] });

const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string(),
    rate_limit: z.int().nullable(),
    disabled: z.boolean(),
    filter_types: z.array(z.string()).nullable(),
    created_at: instantSchema,
    updated_at: instantSchema,
  })
  .meta({ id: 'Webhook' });

const webhooksSchema = z.object({ data: z.array(webhookSchema), next_cursor: z.string().nullable() });

const newHeadersSchema = z
  .object({ headers: headersSchema.describe('They replace all headers before.') })
  .meta({ id: 'NewWebhookHeaders' });

const webhookHeadersSchema = z
  .object({
    headers: z.record(z.string(), z.string()),
    sensitive: z.array(z.string()).describe('Names of headers whose values are not shown, because they look like credentials.'),
  })
  .meta({ id: 'WebhookHeaders' });

const rotatedSecretSchema = z
  .object({ key: secretSchema.nullish().describe('The new key. Default: a random one.') })
  .meta({ id: 'RotatedWebhookSecret' });

const webhookSecretSchema = z.object({ key: z.string() }).meta({ id: 'WebhookSecret' });

function webhookForm(endpoint: Endpoint): z.input<typeof webhookSchema> {
  const { endpoint_id, url, description, rate_limit, is_disabled, filter_types, created_at, updated_at } = endpoint;
  return {
    id: endpoint_id,
    url,
    description,
    rate_limit,
    disabled: is_disabled,
    filter_types: filter_types.length === 0 ? null : [...filter_types],
    created_at: instant(created_at),
    updated_at: instant(updated_at),
  };
}

const SENSITIVE = /authorization|cookie|key|secret|token|password|signature/;

function webhookHeadersForm({ headers }: Endpoint): z.input<typeof webhookHeadersSchema> {
  const all = Object.entries(headers);
  return {
    headers: Object.fromEntries(all.filter(([name]) => !SENSITIVE.test(name))),
    sensitive: all.map(([name]) => name).filter((name) => SENSITIVE.test(name)),
  };
}

const theWebhook: AnswerForm = { description: 'The webhook.', schema: webhookSchema };
const done: AnswerForm = { description: 'Done.' };
const noWebhook: AnswerForm = problem('The team has no such webhook, or the organization has no such team.');

/** The operations on webhooks, which the rest of the service calls endpoints. */
export function webhookOperations(owners: Owners, endpoints: Endpoints): Operation[] {
  const known = ({ team_id, webhook_id }: z.output<typeof webhookParams>): Endpoint => {
    const endpoint = endpoints.find(webhook_id);
    if (endpoint?.team_id !== team_id) throw new Refusal(404, 'Webhook not found');
    return endpoint;
  };
  const pages = new Pages(owners.cursors, 'webhooks');
  return [
    managedOperation(owners, {
      id: 'list_webhooks',
      method: 'GET',
      path: WEBHOOKS,
      tag,
      summary: 'Lists the webhooks of a team, the oldest first.',
      managed: 'teams',
      params: environmentParams,
      query: z.object({
        next_cursor: pages.parameter,
        limit: decimal(z.int().min(1).max(MOST_ON_A_PAGE)).default(PAGE),
      }),
      answers: { 200: { description: 'A page of webhooks.', schema: webhooksSchema } },
      handle: ({ params: { team_id }, query: { next_cursor: after, limit } }) => {
        const { page, next_cursor } = pages.of(endpoints.page(team_id, after, limit + 1), limit);
        return { status: 200, body: { data: page.map(webhookForm), next_cursor } };
      },
    }),
    managedOperation(owners, {
      id: 'create_webhook',
      method: 'POST',
      path: WEBHOOKS,
      tag,
      summary: 'Creates a webhook of a team.',
      managed: 'teams',
      params: environmentParams,
      body: newWebhookSchema,
      answers: { 200: theWebhook },
      handle: ({ params: { team_id }, body: { url, description, rate_limit, disabled, filter_types, secret } }) => {
        const made = endpoints.create(team_id, {
          url,
          description,
          rateLimit: rate_limit,
          isDisabled: disabled,
          filterTypes: filter_types ?? undefined,
          secret: secret ?? undefined,
        });
        return { status: 200, body: webhookForm(made) };
      },
    }),
    managedOperation(owners, {
      id: 'get_webhook',
      method: 'GET',
      path: WEBHOOK,
      tag,
      summary: 'Returns a webhook.',
      managed: 'teams',
      params: webhookParams,
      answers: { 200: theWebhook, 404: noWebhook },
      handle: ({ params }) => ({ status: 200, body: webhookForm(known(params)) }),
    }),
    managedOperation(owners, {
      id: 'update_webhook',
      method: 'PATCH',
      path: WEBHOOK,
      tag,
      summary: 'Changes a webhook. Null clears the event types and the rate limit, and keeps all else.',
      managed: 'teams',
      params: webhookParams,
      body: changedWebhookSchema,
      answers: { 200: theWebhook, 404: noWebhook },
      handle: ({ params, body: { url, description, rate_limit, disabled, filter_types } }) => {
        const { endpoint_id } = known(params);
        const changed = endpoints.change(endpoint_id, {
          url: url ?? undefined,
          description: description ?? undefined,
          is_disabled: disabled ?? undefined,
          rate_limit,
          filter_types: filter_types === null ? [] : filter_types,
        })!;
        return { status: 200, body: webhookForm(changed) };
      },
    }),
    managedOperation(owners, {
      id: 'delete_webhook',
      method: 'DELETE',
      path: WEBHOOK,
      tag,
      summary: 'Deletes a webhook and its deliveries.',
      managed: 'teams',
      params: webhookParams,
      answers: { 204: done, 404: noWebhook },
      handle: ({ params }) => {
        endpoints.delete(known(params).endpoint_id);
        return { status: 204 };
      },
    }),
    managedOperation(owners, {
      id: 'get_webhook_headers',
      method: 'GET',
      path: `${WEBHOOK}/headers`,
      tag,
      summary: "Returns a webhook's own headers, without the values of credentials.",
      managed: 'teams',
      params: webhookParams,
      answers: { 200: { description: 'The headers.', schema: webhookHeadersSchema }, 404: noWebhook },
      handle: ({ params }) => ({ status: 200, body: webhookHeadersForm(known(params)) }),
    }),
    managedOperation(owners, {
      id: 'update_webhook_headers',
      method: 'PUT',
      path: `${WEBHOOK}/headers`,
      tag,
      summary: "Replaces a webhook's own headers.",
      managed: 'teams',
      params: webhookParams,
      body: newHeadersSchema,
      answers: { 204: done, 404: noWebhook },
      handle: ({ params, body: { headers } }) => {
        endpoints.change(known(params).endpoint_id, { headers });
        return { status: 204 };
      },
    }),
    managedOperation(owners, {
      id: 'get_webhook_secret',
      method: 'GET',
      path: `${WEBHOOK}/secret`,
      tag,
      summary: 'Returns the key that signs.',
      managed: 'teams',
      params: webhookParams,
      answers: { 200: { description: 'The newest key.', schema: webhookSecretSchema }, 404: noWebhook },
      handle: ({ params }) => ({ status: 200, body: { key: known(params).secrets[0]!.key } }),
    }),
    managedOperation(owners, {
      id: 'rotate_webhook_secret',
      method: 'POST',
      path: `${WEBHOOK}/secret/rotate`,
      tag,
      summary: 'Replaces the key that signs. The old key signs, too, for 24 hours.',
      managed: 'teams',
      params: webhookParams,
      body: rotatedSecretSchema,
      answers: { 204: done, 404: noWebhook },
      handle: ({ params, body: { key } }) => {
        endpoints.rotateSecret(known(params).endpoint_id, key ?? undefined);
        return { status: 204 };
      },
    }),
  ];
}
